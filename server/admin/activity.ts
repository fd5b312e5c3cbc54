/** GET /activity: sums of calls over time, from the smallest table that has them. */
import {
  type Activity,
  type ActivityQuery,
  type ActivitySums,
  type activityRoutes,
  type OperatorActivity,
  TOP,
  type VendorSums,
} from '../../contract/admin/activity.ts';
import type { AdminContract } from '../../contract/admin.ts';
import { beginOf } from '../activity/buckets.ts';
import { readChecks } from '../activity/checks.ts';
import { chooseSource, type Question, suitableBucket } from '../activity/sources.ts';
import { DAY_MS, KEY_HOURS_DAYS } from '../activity/sums.ts';
import { percentilesOf, readTimeline, type Series, type Sums, sumAll } from '../activity/timeline.ts';
import type { HandlersOf } from '../http/ts-rest.ts';
import { formatDollars } from '../ledger/money.ts';
import { activityCsv } from './csv.ts';
import type { Operations } from './operations.ts';
import { invalid, writeTime } from './values.ts';

function readQuestion(query: ActivityQuery, now: number, rowsFrom: Question['rowsFrom']): Question {
  const { bucket: asked = 'auto', group_by: groupBy, then_by: thenBy, top = TOP, model, upstream, operation, code } = query;
  if (thenBy !== undefined && groupBy === undefined) throw invalid('then_by', "'then_by' needs 'group_by'.");
  const to = query.to === undefined ? now : Date.parse(query.to);
  const from = query.from === undefined ? to - DAY_MS : Date.parse(query.from);
  const by = [groupBy, thenBy].filter((one) => one !== undefined);
  const filters = { model, upstream, operation, code, account: query.account_id, key: query.key_id };
  const bucket = asked === 'auto' ? suitableBucket({ from, to }) : asked;
  const kept = { isOpen: to >= now, rowsFrom, keyHoursFrom: now - KEY_HOURS_DAYS * DAY_MS };
  return { from: beginOf('hour', from), to, bucket, by, filters, top, ...kept };
}

interface Both {
  readonly activity: Activity;
  readonly vendor: OperatorActivity['vendor'];
}

async function readBoth(operations: Pick<Operations, 'activity' | 'ledger' | 'now'>, query: ActivityQuery): Promise<Both> {
  const { activity, ledger, now } = operations;
  const question = readQuestion(query, now(), activity.rowsFrom);
  const source = chooseSource(question);
  if ('param' in source) throw invalid(source.param, source.message);
  const completeUntil = activity.completeUntil();
  const series = await readTimeline(activity.ask, question, source);
  const checked = ledger && (await readChecks(activity.ask, question.from, question.to));
  const sums = series.map(({ points }) => sumAll([...points.values()]));
  const body: Activity = {
    object: 'activity',
    from: writeTime(question.from),
    to: writeTime(question.to),
    bucket: question.bucket,
    complete_until: writeTime(completeUntil),
    series: series.map((one) => writeSeries(one)),
    total: writeSums(sumAll(series.flatMap(({ points }) => [...points.values()]))),
    reconciled: checked && { until: writeTime(checked.until), difference: formatDollars(BigInt(checked.difference)) },
  };
  const isCounted = source.table !== 'key_hours';
  return { activity: body, vendor: isCounted ? { total: writeVendor(sumAll(sums)), series: sums.map(writeVendor) } : null };
}

/** Operators also see what vendors bill; holders of keys never do. */
export async function readOperatorActivity(
  operations: Pick<Operations, 'activity' | 'ledger' | 'now'>,
  query: ActivityQuery,
): Promise<OperatorActivity> {
  const { activity, vendor } = await readBoth(operations, query);
  return { ...activity, vendor };
}

export async function readActivity(operations: Pick<Operations, 'activity' | 'ledger' | 'now'>, query: ActivityQuery): Promise<Activity> {
  return (await readBoth(operations, query)).activity;
}

export function activityHandlers(operations: Operations): HandlersOf<AdminContract, keyof typeof activityRoutes> {
  return {
    getActivity: async ({ query, ok }) => ok(await readOperatorActivity(operations, query)),
    exportActivity: async ({ query, reply, csv }) => csv(reply, [activityCsv(await readActivity(operations, query))]),
  };
}

function writeSeries({ keys, isOther, points }: Series): Activity['series'][number] {
  const [key = null, thenKey = null] = keys;
  return {
    key,
    then_key: thenKey,
    label: isOther ? 'other' : keys.length === 0 ? 'all' : keys.map((one) => one || 'none').join(', '),
    is_other: isOther,
    total: writeSums(sumAll([...points.values()])),
    points: [...points].map(([at, sums]) => ({ at: writeTime(at), ...writeSums(sums) })),
  };
}

const writeVendor = ({ vendor }: Pick<Sums, 'vendor'>): VendorSums => {
  const { requests, cost, charged } = vendor ?? { requests: 0, cost: 0, charged: 0 };
  return writeVendorSums({ requests, cost: BigInt(cost), charged: BigInt(charged) });
};

interface KnownCost {
  readonly requests: number;
  /** In micro-dollars, as `charged`. */
  readonly cost: bigint;
  readonly charged: bigint;
}
export function writeVendorSums({ requests, cost, charged }: KnownCost): VendorSums {
  if (requests === 0) return { requests, cost: null, margin: null };
  return { requests, cost: formatDollars(cost), margin: formatDollars(charged - cost) };
}

function writeSums(sums: Sums): ActivitySums {
  return {
    requests: sums.requests,
    errors: sums.errors,
    refused: sums.refused,
    tokens: { input: sums.input, cached_input: sums.cached_input, cache_write: sums.cache_write, output: sums.output },
    images: sums.images,
    charged: formatDollars(BigInt(sums.charged)),
    first_ms: percentilesOf(sums.first),
    total_ms: percentilesOf(sums.total),
  };
}

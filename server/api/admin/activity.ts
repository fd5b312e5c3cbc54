/** Admin API handler for GET /activity: requests, tokens, and costs over time, by account, key, model, and other dimensions. */
import {
  type Activity,
  type ActivityQuery,
  type ActivitySums,
  type activityRoutes,
  DEFAULT_SERIES_COUNT,
  type OperatorActivity,
  type ProviderSums,
} from '../../../contract/admin/activity.ts';
import type { AdminContract } from '../../../contract/admin/index.ts';
import { readAccountNames, readKeyNames } from '../../access/read-names.ts';
import { formatDollars } from '../../money/dollars.ts';
import { computePercentiles } from '../../records/percentiles.ts';
import { readChecks } from '../../records/reconcile-hours.ts';
import { chooseBucket, chooseSource, type RollupQuery } from '../../records/rollup-query.ts';
import { hasTimes, KEY_HOURS_DAYS } from '../../records/rollups.ts';
import { DAY_MS, getBucketStart } from '../../records/time-bucket.ts';
import { readTimeline, type Series, sumTotals, type Totals } from '../../records/totals.ts';
import type { ContractHandlers } from '../http/ts-rest.ts';
import { writeActivityCsv } from './csv.ts';
import { createInvalidValueError } from './errors.ts';
import type { Operations } from './operations.ts';
import { writeTime } from './times.ts';

function toRollupQuery(query: ActivityQuery, now: number, rowsFrom: RollupQuery['rowsFrom']): RollupQuery {
  const { from: requestedFrom, to: requestedTo, bucket: requestedBucket = 'auto', top = DEFAULT_SERIES_COUNT, ...dimensions } = query;
  const { group_by: groupBy, then_by: thenBy, account_id: account, key_id: key, ...filters } = dimensions;
  if (thenBy !== undefined && groupBy === undefined) throw createInvalidValueError('then_by', "'then_by' requires 'group_by'.");
  const to = requestedTo === undefined ? now : Date.parse(requestedTo);
  const from = requestedFrom === undefined ? to - DAY_MS : Date.parse(requestedFrom);
  const by = [groupBy, thenBy].filter((one) => one !== undefined);
  const bucket = requestedBucket === 'auto' ? chooseBucket({ from, to }) : requestedBucket;
  const retention = { isOpen: to >= now, rowsFrom, keyHoursFrom: now - KEY_HOURS_DAYS * DAY_MS };
  return { from: getBucketStart('hour', from), to, bucket, by, filters: { ...filters, account, key }, top, ...retention };
}

async function queryActivityWithProvider(
  operations: Pick<Operations, 'activity' | 'ledger' | 'now'>,
  query: ActivityQuery,
): Promise<{ activity: Activity; provider: OperatorActivity['provider'] }> {
  const { activity, ledger, now } = operations;
  const rollupQuery = toRollupQuery(query, now(), () => activity.getRowsFrom());
  const source = chooseSource(rollupQuery);
  if ('param' in source) throw createInvalidValueError(source.param, source.message);
  const completeUntil = activity.getCompleteUntil();
  const series = await readTimeline(activity.ask, rollupQuery, source);
  const names = await readSeriesNames(activity.ask, rollupQuery.by, series);
  const reconciliation = ledger && (await readChecks(activity.ask, rollupQuery.from, rollupQuery.to));
  const seriesTotals = series.map(({ points }) => sumTotals([...points.values()]));
  const body: Activity = {
    object: 'activity',
    from: writeTime(rollupQuery.from),
    to: writeTime(rollupQuery.to),
    bucket: rollupQuery.bucket,
    complete_until: writeTime(completeUntil),
    series: series.map((one) => writeSeries(one, names)),
    total: writeTotals(sumTotals(series.flatMap(({ points }) => [...points.values()]))),
    reconciled: reconciliation && { until: writeTime(reconciliation.until), difference: formatDollars(BigInt(reconciliation.difference)) },
  };
  const isCounted = hasTimes(source.table);
  return {
    activity: body,
    provider: isCounted ? { total: writeProviderTotals(sumTotals(seriesTotals)), series: seriesTotals.map(writeProviderTotals) } : null,
  };
}

/** Operators also see what providers bill; key owners never do. */
export async function queryOperatorActivity(
  operations: Pick<Operations, 'activity' | 'ledger' | 'now'>,
  query: ActivityQuery,
): Promise<OperatorActivity> {
  const { activity, provider } = await queryActivityWithProvider(operations, query);
  return { ...activity, provider };
}

export async function queryActivity(operations: Pick<Operations, 'activity' | 'ledger' | 'now'>, query: ActivityQuery): Promise<Activity> {
  return (await queryActivityWithProvider(operations, query)).activity;
}

export function createActivityHandlers(operations: Operations): ContractHandlers<AdminContract, keyof typeof activityRoutes> {
  return {
    getActivity: async ({ query, ok }) => ok(await queryOperatorActivity(operations, query)),
    exportActivity: async ({ query, reply, csv }) => csv(reply, [writeActivityCsv(await queryActivity(operations, query))]),
  };
}

type Names = ReadonlyMap<string, string>;

/** Returns the names of accounts and keys by their ID. */
async function readSeriesNames(read: Operations['activity']['ask'], by: RollupQuery['by'], series: readonly Series[]): Promise<Names> {
  const listIds = (dimension: 'account' | 'key') =>
    by.includes(dimension) ? series.flatMap(({ keys }) => keys[by.indexOf(dimension)] || []) : [];
  return new Map([...(await readAccountNames(read, listIds('account'))), ...(await readKeyNames(read, listIds('key')))]);
}

function writeSeries({ keys, isOther, points }: Series, names: Names): Activity['series'][number] {
  const [key = null, thenKey = null] = keys;
  return {
    key,
    then_key: thenKey,
    label: isOther ? 'other' : keys.length === 0 ? 'all' : keys.map((one) => names.get(one) || one || 'none').join(', '),
    is_other: isOther,
    total: writeTotals(sumTotals([...points.values()])),
    points: [...points].map(([at, sums]) => ({ at: writeTime(at), ...writeTotals(sums) })),
  };
}

const writeProviderTotals = ({ provider }: Pick<Totals, 'provider'>): ProviderSums => {
  const { requests, cost, charged } = provider ?? { requests: 0, cost: 0, charged: 0 };
  return writeProviderSums({ requests, cost: BigInt(cost), charged: BigInt(charged) });
};

interface KnownCost {
  readonly requests: number;
  /** Micro-dollars, like `charged`. */
  readonly cost: bigint;
  readonly charged: bigint;
}

export function writeProviderSums({ requests, cost, charged }: KnownCost): ProviderSums {
  if (requests === 0) return { requests, cost: null, margin: null };
  return { requests, cost: formatDollars(cost), margin: formatDollars(charged - cost) };
}

function writeTotals(totals: Totals): ActivitySums {
  return {
    requests: totals.requests,
    errors: totals.errors,
    rejected: totals.rejected,
    tokens: { input: totals.input, cached_input: totals.cached_input, cache_write: totals.cache_write, output: totals.output },
    images: totals.images,
    charged: formatDollars(BigInt(totals.charged)),
    cache_miss_cost: formatDollars(BigInt(totals.missed)),
    first_ms: computePercentiles(totals.first),
    total_ms: computePercentiles(totals.total),
  };
}

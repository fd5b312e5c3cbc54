/** Usage, receipts and the check of the ledger in the operators' API. */

import {
  type Activity,
  type ActivityQuery,
  type ActivitySums,
  type activityRoutes,
  type OperatorActivity,
  type ProviderSums,
  TOP,
} from '../../contract/admin/activity.ts';
import { PAGE_LENGTH } from '../../contract/admin/fields.ts';
import type { AdminContract } from '../../contract/admin/index.ts';
import type { ConfiguredModel, modelRoutes } from '../../contract/admin/models.ts';
import type { PriceVersion } from '../../contract/admin/rules.ts';
import type { Receipt, Usage, usageRoutes } from '../../contract/admin/usage.ts';
import { type ModelUse, percentilesOf, readModelUse, readTimeline, type Series, type Sums, sumAll } from '../activity/reads.ts';
import { readChecks } from '../activity/reconcile.ts';
import { beginOf, chooseSource, DAY_MS, KEY_HOURS_DAYS, type Question, suitableBucket } from '../activity/sums.ts';
import type { Model } from '../config/config.ts';
import { shown } from '../errors.ts';
import type { HandlersOf } from '../http/ts-rest.ts';
import { formatDollars, itemise, writeAttempts } from '../ledger/charge.ts';
import { listVersions, readPriceVersion } from '../ledger/price-book.ts';
import type { ChargeRecord, LedgerStore } from '../ledger/store.ts';
import { findAccount } from './accounts.ts';
import { pricesNow, readRecord, writePrice, writePrices } from './configuration.ts';
import { activityCsv, invalid, missing, writeAll, writePage, writeTime, writeTimeOrNull } from './csv.ts';
import { ledgerOf, type Operations } from './operations.ts';

export function writeUsage(charge: ChargeRecord): Usage {
  const { metered, source } = charge;
  const subscriptionId = source.startsWith('sub:') ? source.slice('sub:'.length) : null;
  return {
    object: 'usage',
    request_id: charge.requestId,
    account_id: charge.accountId,
    key_id: charge.keyId,
    model: charge.model,
    operation: charge.operation,
    state: charge.state,
    outcome: charge.outcome,
    source: subscriptionId === null ? 'balance' : 'subscription',
    subscription_id: subscriptionId,
    held: formatDollars(charge.held),
    charged: formatDollars(charge.charged),
    overrun: formatDollars(charge.overrun),
    estimated: charge.isEstimated,
    tokens: metered && {
      input: metered.input,
      cached_input: metered.cachedInput,
      cache_write: metered.cacheWrite,
      output: metered.output,
      reasoning: metered.reasoning,
    },
    images: metered && { ...metered.images },
    tools: metered && { ...metered.tools },
    created_at: writeTime(charge.createdAt),
    settled_at: writeTimeOrNull(charge.settledAt),
  };
}

export async function writeReceipt(ledger: LedgerStore, charge: ChargeRecord): Promise<Receipt> {
  const version = await ledger.findPrice(charge.priceVersion);
  return {
    ...writeUsage(charge),
    price_version: charge.priceVersion,
    price_list: version?.priceList ?? null,
    prices: version ? writePrices(readRecord(version)) : null,
    attempts: writeAttempts(await ledger.listAttempts(charge.requestId)),
    ...itemise(charge, version ? readPriceVersion(version).prices : null),
  };
}

const OF_REFUSED = 'For a request that was rejected or failed, use GET /admin/v1/requests/{request_id} or modelgate explain --request.';

export function usageHandlers(operations: Operations): HandlersOf<AdminContract, keyof typeof usageRoutes> {
  return {
    async listUsage({ params, query, ok }) {
      const ledger = ledgerOf(operations);
      const { id: accountId } = await findAccount(operations, params.account_id);
      const { limit = PAGE_LENGTH, after, from, to, key_id: keyId } = query;
      const charges = await ledger.listCharges({
        accountId,
        limit: limit + 1,
        ...(after !== undefined && { after }),
        ...(from !== undefined && { from: Date.parse(from) }),
        ...(to !== undefined && { to: Date.parse(to) }),
        ...(keyId !== undefined && { keyId }),
      });
      return ok(writePage(charges.map(writeUsage), limit, ({ request_id: id }) => id));
    },

    async getUsage({ params, ok }) {
      const ledger = ledgerOf(operations);
      const charge = await ledger.findCharge(params.request_id);
      if (!charge) throw missing('request_id', `Paid request '${shown(params.request_id)}' not found. ${OF_REFUSED}`);
      return ok(await writeReceipt(ledger, charge));
    },

    async reconcileLedger({ query, ok }) {
      const found = await ledgerOf(operations).reconcile({ isFull: query.full === 'true' });
      const { differences, unbalanced, contradictions } = found;
      return ok({
        object: 'reconciliation',
        sound: [differences, unbalanced, contradictions].every(({ length }) => length === 0),
        accounts: found.accounts,
        entries: found.entries,
        differences: differences.map(({ book, kept, counted }) => ({ book, kept: formatDollars(kept), counted: formatDollars(counted) })),
        unbalanced: [...unbalanced],
        contradictions: [...contradictions],
        overrun: formatDollars(found.overrun),
      });
    },
  };
}

function readQuestion(query: ActivityQuery, now: number, rowsFrom: Question['rowsFrom']): Question {
  const { bucket: asked = 'auto', group_by: groupBy, then_by: thenBy, top = TOP, ...given } = query;
  if (thenBy !== undefined && groupBy === undefined) throw invalid('then_by', "'then_by' requires 'group_by'.");
  const to = query.to === undefined ? now : Date.parse(query.to);
  const from = query.from === undefined ? to - DAY_MS : Date.parse(query.from);
  const by = [groupBy, thenBy].filter((one) => one !== undefined);
  const { model, upstream, operation, code, session, account_id: account, key_id: key } = given;
  const filters = { model, upstream, operation, code, session, account, key };
  const bucket = asked === 'auto' ? suitableBucket({ from, to }) : asked;
  const kept = { isOpen: to >= now, rowsFrom, keyHoursFrom: now - KEY_HOURS_DAYS * DAY_MS };
  return { from: beginOf('hour', from), to, bucket, by, filters, top, ...kept };
}

interface Both {
  readonly activity: Activity;
  readonly provider: OperatorActivity['provider'];
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
  return { activity: body, provider: isCounted ? { total: writeProvider(sumAll(sums)), series: sums.map(writeProvider) } : null };
}

/** Operators also see what providers bill; key owners of keys never do. */
export async function readOperatorActivity(
  operations: Pick<Operations, 'activity' | 'ledger' | 'now'>,
  query: ActivityQuery,
): Promise<OperatorActivity> {
  const { activity, provider } = await readBoth(operations, query);
  return { ...activity, provider };
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

const writeProvider = ({ provider }: Pick<Sums, 'provider'>): ProviderSums => {
  const { requests, cost, charged } = provider ?? { requests: 0, cost: 0, charged: 0 };
  return writeProviderSums({ requests, cost: BigInt(cost), charged: BigInt(charged) });
};

interface KnownCost {
  readonly requests: number;
  /** Amount in micro-dollars, like `charged`. */
  readonly cost: bigint;
  readonly charged: bigint;
}
function writeProviderSums({ requests, cost, charged }: KnownCost): ProviderSums {
  if (requests === 0) return { requests, cost: null, margin: null };
  return { requests, cost: formatDollars(cost), margin: formatDollars(charged - cost) };
}

function writeSums(sums: Sums): ActivitySums {
  return {
    requests: sums.requests,
    errors: sums.errors,
    rejected: sums.rejected,
    tokens: { input: sums.input, cached_input: sums.cached_input, cache_write: sums.cache_write, output: sums.output },
    images: sums.images,
    charged: formatDollars(BigInt(sums.charged)),
    missed: formatDollars(BigInt(sums.missed)),
    first_ms: percentilesOf(sums.first),
    total_ms: percentilesOf(sums.total),
  };
}

const USE_MS = 30 * 86_400_000;

export function modelHandlers(operations: Operations): HandlersOf<AdminContract, keyof typeof modelRoutes> {
  return {
    async listModels({ ok }) {
      const { activity, config, ledger, now } = operations;
      const prices = ledger ? await pricesNow(operations) : [];
      const used = await readModelUse(activity.ask, now() - USE_MS);
      const data = config.models.map((model) => writeModel(model, prices, used.get(model.id)));
      return ok(writeAll(data, ({ id }) => id));
    },

    async listPriceVersions({ query, ok }) {
      ledgerOf(operations);
      const { limit = PAGE_LENGTH, after, model, price_list: priceList } = query;
      const before = readVersion(after);
      const versions = await listVersions(operations.activity.ask, { model, priceList, before, limit: limit + 1 });
      const page = writePage(versions, limit, ({ version }) => String(version));
      return ok({ ...page, data: page.data.map(writePrice) });
    },
  };
}

function readVersion(after: string | undefined): number | undefined {
  if (after === undefined) return undefined;
  if (/^[1-9]\d{0,14}$/.test(after)) return Number(after);
  throw invalid('after', "'after' must be the number of a version in this list.");
}

function writeModel({ id, kind, groups, candidates }: Model, prices: readonly PriceVersion[], use: ModelUse | undefined): ConfiguredModel {
  return {
    id,
    object: 'configured_model',
    kind,
    groups: [...groups],
    candidates: candidates.map(({ upstream, upstreamModel, protocols, priority, weight, cost }) => ({
      upstream,
      upstream_model: upstreamModel,
      protocols: [...protocols],
      priority,
      weight,
      cost: cost === undefined ? null : writePrices(cost),
    })),
    prices: prices.filter(({ model }) => model === id),
    requests_30d: use?.requests ?? 0,
    charged_30d: formatDollars(use?.charged ?? 0n),
    provider_30d: writeProviderSums(use?.provider ?? { requests: 0, cost: 0n, charged: 0n }),
    last_used_at: use ? writeTime(use.lastHour) : null,
  };
}

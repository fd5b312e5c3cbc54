/** Explains whether a key can make a call now, at which price, and which rule would reject it. */

import type { ExplainedLimit, Explanation, explanationRoutes, KeyAccess } from '../../../contract/admin/explanations.ts';
import type { AdminContract } from '../../../contract/admin/index.ts';
import type { PriceVersion } from '../../../contract/admin/rules.ts';
import { findDenial } from '../../access/permissions.ts';
import type { KeyRecord } from '../../access/store.ts';
import type { Model } from '../../config/config.ts';
import { formatDollars, parseDollars } from '../../money/dollars.ts';
import { STANDARD_PRICE_LIST } from '../../money/price-book.ts';
import { toPrintable } from '../../primitives/errors.ts';
import type { ContractHandlers } from '../http/ts-rest.ts';
import { writeBalance } from './accounts.ts';
import { type DryRun, dryRunHold, estimateShortCall, estimateShortCallRange } from './dry-run.ts';
import { createNotFoundError } from './errors.ts';
import { evaluateCall, listAllowedOperations, toPrincipalWithoutAddresses } from './evaluate-call.ts';
import { type Funds, fetchFunds, writeRemainingCaps, writeSubscription } from './funds.ts';
import { explainKeyLimits, explainModelLimits } from './key-limits.ts';
import { findKey, writeKey } from './keys.ts';
import type { Operations } from './operations.ts';
import { findPrice, isForKind, listCurrentPrices, pickPrice } from './prices.ts';
import { writeMultiplier } from './rules.ts';

const MILLION = 1_000_000n;
/** Rounds up, like a charge. */
const multiplyDollars = (dollars: string, multiplier: bigint): string =>
  formatDollars((parseDollars(dollars) * multiplier + MILLION - 1n) / MILLION);

function explainPrice({ version, price_list: priceList, prices }: PriceVersion, multiplier: string): Explanation['price'] {
  const rates = prices === 'free' ? {} : 'images' in prices ? prices.images : toFlatRates(prices);
  const factor = parseDollars(multiplier);
  const effective = Object.fromEntries(Object.entries(rates).map(([name, rate]) => [name, multiplyDollars(rate, factor)]));
  return { version, price_list: priceList, prices, multiplier: writeMultiplier(multiplier), effective };
}

function toFlatRates({ long_context: long = {}, service_tiers: _tiers, tools, ...rates }: TokenPrices): Readonly<Record<string, string>> {
  const longRates = Object.entries(long).flatMap(([above, others]) =>
    Object.entries(others).map(([name, rate]) => [`long_context.${above}.${name}`, rate] as const),
  );
  const { input, cached_input: cachedInput = input, cache_write: cacheWrite = input, ...otherRates } = rates;
  const { cache_write_1h: cacheWrite1h = cacheWrite, cache_write_12h: cacheWrite12h = cacheWrite, ...unchangedRates } = otherRates;
  return {
    input,
    cached_input: cachedInput,
    cache_write: cacheWrite,
    cache_write_1h: cacheWrite1h,
    cache_write_12h: cacheWrite12h,
    ...unchangedRates,
    ...Object.fromEntries(longRates),
    ...tools,
  };
}
type TokenPrices = Extract<PriceVersion['prices'], { input: string }>;

/** Returns the price list that an account is charged by. */
const getPriceList = (funds: Funds | null): string =>
  funds?.subscription && !funds.subscription.isOver ? funds.subscription.record.priceList : STANDARD_PRICE_LIST;

/** Facts that are the same for all models. */
interface AccessContext {
  readonly operations: Operations;
  readonly key: KeyRecord;
  readonly now: number;
  readonly funds: Funds | null;
  readonly prices: readonly PriceVersion[];
  readonly multiplier: string;
  readonly limits: readonly ExplainedLimit[];
}

async function explainAccess(operations: Operations, keyId: string): Promise<KeyAccess> {
  const context = await fetchAccessContext(operations, keyId);
  const { key, now, funds, limits } = context;
  const dryRuns = await runDryRuns(context);
  const models = operations.config.models.map((model) => explainModel(context, model, dryRuns.get(model.id) ?? null));
  return {
    object: 'key_access',
    key: writeKey(key, now),
    group: key.account.group,
    balance: funds && writeBalance(key.account.id, funds.balance),
    spending_caps: funds ? writeRemainingCaps(funds, now) : [],
    subscription: funds && writeSubscription(funds.subscription, now),
    limits: [...limits],
    models: await Promise.all(models),
  };
}

async function fetchAccessContext(operations: Operations, keyId: string): Promise<AccessContext> {
  const { access, config, ledger } = operations;
  const now = operations.now();
  const key = await access.store.findKeyById(keyId);
  if (!key) throw createNotFoundError('key_id', `Key '${toPrintable(keyId)}' not found.`);
  const funds = ledger && (await fetchFunds(ledger, key, now));
  const prices = ledger ? await listCurrentPrices(operations) : [];
  const multiplier = config.groups[key.account.group]?.multiplier ?? '1';
  return { operations, key, now, funds, prices, multiplier, limits: await explainKeyLimits(operations, key) };
}

async function explainModel(context: AccessContext, model: Model, dryRun: DryRun | null): Promise<KeyAccess['models'][number]> {
  const { operations, key, now, funds, prices, multiplier, limits } = context;
  const isGroupKnown = Object.hasOwn(operations.config.groups, key.account.group);
  const price = pickPrice(prices, getPriceList(funds), model.id);
  const modelLimits = await explainModelLimits(operations, model, key.account.id);
  const facts = { key, model, operation: undefined, price, funds, dryRun, limits: [...limits, ...modelLimits], isGroupKnown, now };
  const decision = evaluateCall(facts);
  return {
    id: model.id,
    kind: model.kind,
    allowed: decision.rule === null,
    ...decision,
    operations: listAllowedOperations(key, model),
    price: price ? explainPrice(price, multiplier) : null,
    limits: modelLimits,
  };
}

/** Returns dry runs by model ID, for the models that the key can call. If the money covers the most expensive model, it covers all, so one query is enough. */
async function runDryRuns(context: AccessContext): Promise<ReadonlyMap<string, DryRun | null>> {
  const { ledger } = context.operations;
  const orders = ledger ? listDryRunOrders(context).toSorted((one, other) => (one.least < other.least ? 1 : -1)) : [];
  const [costliest, ...cheaperOrders] = orders;
  if (!ledger || !costliest) return new Map();
  const costliestRun = await estimateShortCall(ledger, costliest);
  if (costliestRun === null || costliestRun.result.kind === 'held') return new Map();
  const otherRuns = await Promise.all(
    cheaperOrders.map(async (order) => [order.model.id, await estimateShortCall(ledger, order)] as const),
  );
  return new Map([[costliest.model.id, costliestRun], ...otherRuns]);
}

function listDryRunOrders({ operations, key, now, funds, prices, multiplier }: AccessContext) {
  if (!funds) return [];
  return operations.config.models.flatMap((model) => {
    const price = pickPrice(prices, getPriceList(funds), model.id);
    if (!price || !isForKind(price.prices, model.kind) || findDenial(toPrincipalWithoutAddresses(key), model, undefined) !== null)
      return [];
    const range = estimateShortCallRange({ model, price, multiplier });
    return range === null ? [] : [{ key, model, price, multiplier, funds, at: now, least: range.least }];
  });
}

export async function explainCall(
  operations: Operations,
  call: { key: string; model: string; operation?: string | undefined },
): Promise<Explanation> {
  const { config, ledger } = operations;
  const now = operations.now();
  const key = await findKey(operations, call.key);
  const model = config.models.find(({ id }) => id === call.model);
  const funds = ledger && key ? await fetchFunds(ledger, key, now) : null;
  const priceList = getPriceList(funds);
  const price = ledger && model ? await findPrice(operations, priceList, model.id) : undefined;
  const keyLimits = key ? await explainKeyLimits(operations, key) : [];
  const modelLimits = key && model ? await explainModelLimits(operations, model, key.account.id) : [];
  const limits = [...keyLimits, ...modelLimits];
  const isGroupKnown = key !== undefined && Object.hasOwn(config.groups, key.account.group);
  const multiplier = config.groups[key?.account.group ?? '']?.multiplier ?? '1';
  const dryRun =
    ledger && key && model && price && funds ? await dryRunHold(ledger, { key, model, price, multiplier, funds, at: now }) : null;
  const decision = evaluateCall({ isGroupKnown, key, model, operation: call.operation, price, funds, dryRun, limits, now });
  return {
    object: 'explanation',
    allowed: decision.rule === null,
    ...decision,
    key: key ? writeKey(key, now) : null,
    group: key?.account.group ?? null,
    model: model ? { id: model.id, kind: model.kind, groups: [...model.groups] } : null,
    operations: key && model ? listAllowedOperations(key, model) : [],
    price: price ? explainPrice(price, multiplier) : null,
    balance: key && funds ? writeBalance(key.account.id, funds.balance) : null,
    spending_caps: funds ? writeRemainingCaps(funds, now) : [],
    subscription: funds ? writeSubscription(funds.subscription, now) : null,
    output_limit: dryRun?.outputLimit ?? null,
    highest_output_limit: dryRun?.highestLimit ?? null,
    limits,
  };
}

export function createExplanationHandlers(operations: Operations): ContractHandlers<AdminContract, keyof typeof explanationRoutes> {
  return {
    explainKey: async ({ params, ok }) => ok(await explainAccess(operations, params.key_id)),

    async explain({ body, ok }) {
      return ok(await explainCall(operations, body));
    },
  };
}

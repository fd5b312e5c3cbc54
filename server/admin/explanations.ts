/** POST /explanations: what a key may do with a model, and the rule that decides. The question consumes nothing. */
import type { ExplainedLimit, Explanation, explanationRoutes } from '../../contract/admin/explanations.ts';
import type { PriceVersion } from '../../contract/admin/rules.ts';
import type { AdminContract } from '../../contract/admin.ts';
import { hashKey, isWellFormed } from '../access/keys.ts';
import { mayCall } from '../access/permissions.ts';
import type { KeyRecord } from '../access/store.ts';
import type { Model } from '../config/catalog.ts';
import type { HandlersOf } from '../http/ts-rest.ts';
import { formatDollars, parseDollars } from '../ledger/money.ts';
import { STANDARD } from '../ledger/price-book.ts';
import type { Limit } from '../limits/limiter.ts';
import { limitsOf, withParts } from '../limits/resolve.ts';
import { writeBalance } from './accounts.ts';
import { readFunds, writeCap, writeRuling } from './funds.ts';
import { dryRunHold } from './hold-dry-run.ts';
import { writeKey } from './keys.ts';
import type { Operations } from './operations.ts';
import { priceOf } from './prices.ts';
import { writeMultiplier } from './rules.ts';
import { judge, principalOf } from './verdict.ts';

/** Finds a key by the key itself or by its id. */
async function findKey({ access }: Operations, text: string): Promise<KeyRecord | undefined> {
  return isWellFormed(text) ? access.store.findKey(hashKey(text, access.pepper)) : access.store.findKeyById(text);
}

const callOperations = ['createChatCompletion', 'createResponse', 'generateImages', 'editImages'];
const isForImages = (operation: string): boolean => operation.endsWith('Images');

function operationsOf(key: KeyRecord, model: Model): string[] {
  const fitting = callOperations.filter((operation) => isForImages(operation) === (model.kind === 'image'));
  return fitting.filter((operation) => mayCall(principalOf(key), model, operation));
}

const MILLION = 1_000_000n;
/** Rounded up, as a charge is. */
const times = (dollars: string, multiplier: bigint): string => formatDollars((parseDollars(dollars) * multiplier + MILLION - 1n) / MILLION);

function explainPrice({ version, price_list: list, prices }: PriceVersion, multiplier: string): Explanation['price'] {
  const rates = prices === 'free' ? {} : 'images' in prices ? prices.images : withDefaults(prices);
  const factor = parseDollars(multiplier);
  const effective = Object.fromEntries(Object.entries(rates).map(([name, rate]) => [name, times(rate, factor)]));
  return { version, price_list: list, prices, multiplier: writeMultiplier(multiplier), effective };
}

function withDefaults({ input, cached_input: cached = input, cache_write: written = input, output, tools }: TokenRates) {
  return { input, cached_input: cached, cache_write: written, output, ...tools };
}
type TokenRates = Extract<PriceVersion['prices'], { input: string }>;

/** The limits that apply to a call, each with what remains of it. */
async function explainLimits(operations: Operations, key: KeyRecord, model: Model | undefined): Promise<ExplainedLimit[]> {
  const { config } = operations;
  const { account } = key;
  const met = limitsOf([
    { scope: 'key', id: key.id, own: key.limits, otherwise: config.limits.perKey },
    { scope: 'account', id: account.id, own: account.limits, otherwise: config.limits.perAccount },
    { scope: 'group', id: account.group, own: config.groups[account.group]?.limits ?? {} },
    ...(model ? [{ scope: 'model' as const, id: model.id, own: model.limits }] : []),
  ]);
  return Promise.all(met.map((limit) => explainLimit(operations, limit, account.id)));
}

async function explainLimit({ limits }: Operations, limit: Limit, accountId: string): Promise<ExplainedLimit> {
  const { scope, subject, quantity, most, mode } = limit;
  // Only enforced limits report their windows; an observed one is counted too, so ask for it as enforced.
  const counted: Limit = { ...limit, mode: 'enforce' };
  const isOfMany = scope === 'group' || scope === 'model';
  const windows = await limits?.look(isOfMany ? withParts([counted], accountId) : [counted]);
  const window = quantity === 'concurrency' ? null : (windows?.[quantity] ?? null);
  return { scope, subject, quantity, limit: most, mode, remaining: window?.remaining ?? null, reset_ms: window?.resetMs ?? null };
}

interface Question {
  readonly key: string;
  readonly model: string;
  readonly operation?: string | undefined;
}

export async function explain(operations: Operations, question: Question): Promise<Explanation> {
  const { config, ledger } = operations;
  const now = operations.now();
  const key = await findKey(operations, question.key);
  const model = config.models.find(({ id }) => id === question.model);
  const funds = ledger && key ? await readFunds(ledger, key, now) : null;
  const list = funds?.ruling && !funds.ruling.isOver ? funds.ruling.record.priceList : STANDARD;
  const price = ledger && model ? await priceOf(operations, list, model.id) : undefined;
  const limits = key ? await explainLimits(operations, key, model) : [];
  const isGroupKnown = key !== undefined && Object.hasOwn(config.groups, key.account.group);
  const multiplier = config.groups[key?.account.group ?? '']?.multiplier ?? '1';
  const dryRun =
    ledger && key && model && price && funds ? await dryRunHold(ledger, { key, model, price, multiplier, funds, at: now }) : null;
  const verdict = judge({ isGroupKnown, key, model, operation: question.operation, price, funds, dryRun, limits, now });
  return {
    object: 'explanation',
    allowed: verdict.rule === null,
    ...verdict,
    key: key ? writeKey(key, now) : null,
    group: key?.account.group ?? null,
    model: model ? { id: model.id, kind: model.kind, groups: [...model.groups] } : null,
    operations: key && model ? operationsOf(key, model) : [],
    price: price ? explainPrice(price, multiplier) : null,
    balance: key && funds ? writeBalance(key.account.id, funds.balance) : null,
    spending_cap: key && funds ? writeCap(key, funds.capLeft, now) : null,
    subscription: funds ? writeRuling(funds.ruling, now) : null,
    output_limit: dryRun?.outputLimit ?? null,
    highest_output_limit: dryRun?.highestLimit ?? null,
    limits,
  };
}

export function explanationHandlers(operations: Operations): HandlersOf<AdminContract, keyof typeof explanationRoutes> {
  return {
    async explain({ body, ok }) {
      return ok(await explain(operations, body));
    },
  };
}

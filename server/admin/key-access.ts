/** GET /keys/{key_id}/access: what a key may do with every model. Money, prices and the limits of the key are read once for all of them. */
import type { ExplainedLimit, KeyAccess } from '../../contract/admin/explanations.ts';
import type { PriceVersion } from '../../contract/admin/rules.ts';
import { denialOf } from '../access/permissions.ts';
import type { KeyRecord } from '../access/store.ts';
import type { Model } from '../config/catalog.ts';
import { shown } from '../errors.ts';
import { writeBalance } from './accounts.ts';
import { explainKeyLimits, explainModelLimits } from './explained-limits.ts';
import { explainPrice, listOf } from './explained-price.ts';
import { type Funds, readFunds, writeCap, writeRuling } from './funds.ts';
import { type DryRun, rangeOfShortCall, weighShortCall } from './hold-dry-run.ts';
import { writeKey } from './keys.ts';
import type { Operations } from './operations.ts';
import { isForKind, pickPrice, pricesNow } from './prices.ts';
import { missing } from './values.ts';
import { judge, operationsOf, principalOf } from './verdict.ts';

/** What is the same for all models. */
interface Circumstances {
  readonly operations: Operations;
  readonly key: KeyRecord;
  readonly now: number;
  readonly funds: Funds | null;
  readonly prices: readonly PriceVersion[];
  readonly multiplier: string;
  readonly limits: readonly ExplainedLimit[];
}

export async function explainAccess(operations: Operations, keyId: string): Promise<KeyAccess> {
  const circumstances = await readCircumstances(operations, keyId);
  const { key, now, funds, limits } = circumstances;
  const runs = await dryRuns(circumstances);
  const models = operations.config.models.map((model) => explainModel(circumstances, model, runs.get(model.id) ?? null));
  return {
    object: 'key_access',
    key: writeKey(key, now),
    group: key.account.group,
    balance: funds && writeBalance(key.account.id, funds.balance),
    spending_cap: funds && writeCap(key, funds.capLeft, now),
    subscription: funds && writeRuling(funds.ruling, now),
    limits: [...limits],
    models: await Promise.all(models),
  };
}

async function readCircumstances(operations: Operations, keyId: string): Promise<Circumstances> {
  const { access, config, ledger } = operations;
  const now = operations.now();
  const key = await access.store.findKeyById(keyId);
  if (!key) throw missing('key_id', `There is no key with the id '${shown(keyId)}'.`);
  const funds = ledger && (await readFunds(ledger, key, now));
  const prices = ledger ? await pricesNow(operations) : [];
  const multiplier = config.groups[key.account.group]?.multiplier ?? '1';
  return { operations, key, now, funds, prices, multiplier, limits: await explainKeyLimits(operations, key) };
}

async function explainModel(circumstances: Circumstances, model: Model, dryRun: DryRun | null): Promise<KeyAccess['models'][number]> {
  const { operations, key, now, funds, prices, multiplier, limits } = circumstances;
  const isGroupKnown = Object.hasOwn(operations.config.groups, key.account.group);
  const price = pickPrice(prices, listOf(funds), model.id);
  const own = await explainModelLimits(operations, model, key.account.id);
  const facts = { key, model, operation: undefined, price, funds, dryRun, limits: [...limits, ...own], isGroupKnown, now };
  const verdict = judge(facts);
  return {
    id: model.id,
    kind: model.kind,
    allowed: verdict.rule === null,
    ...verdict,
    operations: operationsOf(key, model),
    price: price ? explainPrice(price, multiplier) : null,
    limits: own,
  };
}

/** By the id of the model, of those that the key may call. When the money pays for the dearest, it pays for each: one question for all. */
async function dryRuns(circumstances: Circumstances): Promise<ReadonlyMap<string, DryRun | null>> {
  const { ledger } = circumstances.operations;
  const orders = ledger ? ordersOf(circumstances).toSorted((one, other) => (one.least < other.least ? 1 : -1)) : [];
  const [dearest, ...rest] = orders;
  if (!ledger || !dearest) return new Map();
  const first = await weighShortCall(ledger, dearest);
  if (first === null || first.result.kind === 'held') return new Map();
  const others = await Promise.all(rest.map(async (order) => [order.model.id, await weighShortCall(ledger, order)] as const));
  return new Map([[dearest.model.id, first], ...others]);
}

function ordersOf({ operations, key, now, funds, prices, multiplier }: Circumstances) {
  if (!funds) return [];
  return operations.config.models.flatMap((model) => {
    const price = pickPrice(prices, listOf(funds), model.id);
    if (!price || !isForKind(price.prices, model.kind) || denialOf(principalOf(key), model, undefined) !== null) return [];
    const range = rangeOfShortCall({ model, price, multiplier });
    return range === null ? [] : [{ key, model, price, multiplier, funds, at: now, least: range.least }];
  });
}

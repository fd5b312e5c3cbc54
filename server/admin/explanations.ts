/** POST /explanations: what a key may do with a model, and the rule that decides. The question consumes nothing. */
import type { Explanation, explanationRoutes } from '../../contract/admin/explanations.ts';
import type { AdminContract } from '../../contract/admin.ts';
import { hashKey, isWellFormed } from '../access/keys.ts';
import type { KeyRecord } from '../access/store.ts';
import type { HandlersOf } from '../http/ts-rest.ts';
import { writeBalance } from './accounts.ts';
import { explainKeyLimits, explainModelLimits } from './explained-limits.ts';
import { explainPrice, listOf } from './explained-price.ts';
import { readFunds, writeCap, writeRuling } from './funds.ts';
import { dryRunHold } from './hold-dry-run.ts';
import { explainAccess } from './key-access.ts';
import { writeKey } from './keys.ts';
import type { Operations } from './operations.ts';
import { priceOf } from './prices.ts';
import { judge, operationsOf } from './verdict.ts';

/** Finds a key by the key itself or by its id. */
async function findKey({ access }: Operations, text: string): Promise<KeyRecord | undefined> {
  return isWellFormed(text) ? access.store.findKey(hashKey(text, access.pepper)) : access.store.findKeyById(text);
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
  const list = listOf(funds);
  const price = ledger && model ? await priceOf(operations, list, model.id) : undefined;
  const ofKey = key ? await explainKeyLimits(operations, key) : [];
  const ofModel = key && model ? await explainModelLimits(operations, model, key.account.id) : [];
  const limits = [...ofKey, ...ofModel];
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
    explainKey: async ({ params, ok }) => ok(await explainAccess(operations, params.key_id)),

    async explain({ body, ok }) {
      return ok(await explain(operations, body));
    },
  };
}

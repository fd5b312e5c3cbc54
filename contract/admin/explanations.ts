/** What a key may do with a model, and which rule decides: worked out without a call being made. */
import { z } from 'zod';
import { Dollars, Multiplier } from '../dollars.ts';
import { errorCodes } from '../errors.ts';
import { kind } from '../wording.ts';
import { Balance } from './accounts.ts';
import { Id, Mode, ModelName, Time } from './fields.ts';
import { Key, Operation, SpendingCap } from './keys.ts';
import type { AdminMetadata } from './metadata.ts';
import { Prices } from './rules.ts';

export const ExplanationRequest = z
  .strictObject({
    key: Id.describe('The key itself, or its id. The id is enough, and no secret.'),
    model: ModelName.describe('Id of the model, as callers use it.'),
    operation: Operation.optional().describe('What the model would be called by. Absent: whatever operation it is called by.'),
  })
  .meta({
    id: 'ExplanationRequest',
    description: 'Which key and which model are asked about.',
    examples: [{ key: 'key_0aB3dE5gH7jK9mN1p', model: 'gpt-5.4' }],
  });

/** In the order in which a call is checked. */
export const rules = [
  'key_unknown',
  'key_revoked',
  'account_suspended',
  'key_expired',
  'request_rate',
  'model_unknown',
  'operation',
  'group',
  'models',
  'no_price',
  'spending_cap',
  'subscription',
  'balance',
  'token_rate',
] as const;

const ExplainedPrice = z
  .object({
    version: z.int().nullable().describe('Version of the price. Null: it is of the configuration, and not in force yet.'),
    price_list: z.string().describe('The price list that the account is charged by: that of its plan, else `standard`.'),
    prices: Prices.describe('The prices before the multiplier.'),
    multiplier: Multiplier.describe('What the prices are multiplied with for the group of the account.'),
    effective: z
      .record(z.string(), Dollars)
      .describe('Price times multiplier, rounded up, by class: per million tokens, per picture, or per call.'),
  })
  .meta({ id: 'ExplainedPrice', description: 'What the model costs this key.' });

const ExplainedCap = z
  .object({
    cap: SpendingCap.describe('The cap as it is set.'),
    left: Dollars.describe('What of it is neither spent nor held.'),
    resets_at: Time.nullable().describe('When it starts anew. Null: never.'),
  })
  .meta({ id: 'ExplainedCap', description: 'What the key may still spend in this period.' });

const ExplainedSubscription = z
  .object({
    id: z.string().describe('Id of the subscription.'),
    plan: z.string().describe('Name of its plan.'),
    included: Dollars.describe('What may be used in each period.'),
    left: Dollars.describe('What of it is neither used nor held.'),
    on_exhaustion: z
      .enum(['stop', 'balance'])
      .describe('`stop` refuses until the next period, `balance` goes on at the cost of the balance.'),
    resets_at: Time.describe('When the included amount starts anew.'),
    ends_at: Time.nullable().describe('Until when it pays. Null: until it is cancelled.'),
  })
  .meta({ id: 'ExplainedSubscription', description: 'What the running subscription still includes in this period.' });

const ExplainedLimit = z
  .object({
    scope: z.enum(['key', 'account', 'group', 'model']).describe('Whose limit it is; all calls of that one count towards it.'),
    subject: z.string().describe('Id or name of the key, account, group or model.'),
    quantity: z.enum(['requests', 'tokens', 'concurrency']).describe('What is counted; `concurrency`: requests that are running.'),
    limit: z.int().describe('The most that is let through: per minute; for `concurrency` at once.'),
    mode: Mode,
    remaining: z.int().nullable().describe('What is left now. Null where that is counted elsewhere, or slots are meant.'),
    reset_ms: z.int().nullable().describe('Milliseconds until all of it is free again. Null where `remaining` is.'),
  })
  .meta({ id: 'ExplainedLimit', description: 'A limit that a call would fall under.' });
export type ExplainedLimit = z.infer<typeof ExplainedLimit>;

const sample = {
  object: 'explanation',
  allowed: false,
  rule: 'key_unknown',
  reason: 'There is no such key.',
  code: 'invalid_api_key',
  key: null,
  group: null,
  model: { id: 'gpt-5.4', kind: 'text', groups: ['default', 'vip'] },
  operations: [],
  price: null,
  balance: null,
  spending_cap: null,
  subscription: null,
  output_limit: null,
  highest_output_limit: null,
  limits: [],
};

export const Explanation = z
  .object({
    object: kind('explanation'),
    allowed: z
      .boolean()
      .describe(
        'Whether a short call that names no limit on its output would be let through now: by the same rules as the call itself, its hold included.',
      ),
    rule: z.enum(rules).nullable().describe('The first rule that says no, in the order of the checks. Null where none does.'),
    reason: z.string().describe('The rule in a sentence for people.'),
    code: z.enum(errorCodes).nullable().describe('What the caller would read as `code`. Null where no rule says no.'),
    key: Key.nullable().describe('The key. Null where there is no such key.'),
    group: z.string().nullable().describe('Group of its account. Null where there is no such key.'),
    model: z
      .object({
        id: z.string().describe('Id of the model.'),
        kind: z.enum(['text', 'image']).describe('`text` answers chat and responses, `image` draws.'),
        groups: z.array(z.string()).describe('Groups whose accounts may call it.'),
      })
      .nullable()
      .describe('The model. Null where the configuration has none of this id.'),
    operations: z.array(z.string()).describe('The operations by which the key may call the model; empty: none.'),
    price: ExplainedPrice.nullable().describe('What the model costs this key. Null where it has no price, or billing is off.'),
    balance: Balance.nullable().describe('Money of the account. Null where billing is off, or there is no such key.'),
    spending_cap: ExplainedCap.nullable().describe('What is left of the cap of the key. Null: it has none, or billing is off.'),
    subscription: ExplainedSubscription.nullable().describe('What is left of the plan of the account. Null: none runs, or billing is off.'),
    output_limit: z
      .int()
      .nullable()
      .describe(
        'The limit on its output, in tokens, that a short call would be given now which names none. Null where none would be let in, or output has no price.',
      ),
    highest_output_limit: z
      .int()
      .nullable()
      .describe('The highest limit that a short call may name now. Null where not even one token is paid for, or output has no price.'),
    limits: z.array(ExplainedLimit).describe('The limits that a call would fall under. Empty: none.'),
  })
  .meta({ id: 'Explanation', description: 'What a key may do with a model, and what that costs.', examples: [sample] });
export type Explanation = z.infer<typeof Explanation>;

export const explanationRoutes = {
  explain: {
    method: 'POST',
    path: '/explanations',
    body: ExplanationRequest,
    responses: { 200: Explanation },
    summary: 'Explain a key',
    description:
      'What a key may do with a model, what it costs, what is left of every limit, and which rule decides. No call is made, nothing is used up.',
    metadata: { tag: 'Rules' } as const satisfies AdminMetadata,
  },
} as const;

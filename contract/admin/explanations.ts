/** What a key may do with a model, and which rule decides, without a call. */
import { z } from 'zod';
import { errorCodes } from '../errors.ts';
import { kind } from '../shared/descriptions.ts';
import { Dollars, Multiplier } from '../shared/dollars.ts';
import { Balance } from './accounts.ts';
import { Id, Mode, ModelName, Time } from './fields.ts';
import { Key, KeyPath, Operation, SpendingCap } from './keys.ts';
import type { AdminMetadata } from './metadata.ts';
import { Prices } from './rules.ts';

export const ExplanationRequest = z
  .strictObject({
    key: Id.describe('The key itself, or its id. Prefer the id: it is not secret.'),
    model: ModelName.describe('Id of the model, as callers use it.'),
    operation: Operation.optional().describe('The operation of the call. Absent: any operation.'),
  })
  .meta({
    id: 'ExplanationRequest',
    description: 'Which key and which model are asked about.',
    examples: [{ key: 'key_0aB3dE5gH7jK9mN1p', model: 'gpt-5.4' }],
  });

/** In the order of the checks of a call. */
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
    version: z.int().nullable().describe('Version of the price. Null: it comes from the configuration and is not in force yet.'),
    price_list: z.string().describe('The price list that the account is charged by: that of its plan, else `standard`.'),
    prices: Prices.describe('The prices before the multiplier.'),
    multiplier: Multiplier.describe('The factor by which prices are multiplied for the group of the account.'),
    effective: z
      .record(z.string(), Dollars)
      .describe('Price times multiplier, rounded up, by class: per million tokens, per image, or per call.'),
  })
  .meta({ id: 'ExplainedPrice', description: 'What the model costs this key.' });

export const ExplainedCap = z
  .object({
    cap: SpendingCap.describe('The cap as it is set.'),
    left: Dollars.describe('The part that is neither spent nor held.'),
    resets_at: Time.nullable().describe('When it resets. Null: never.'),
  })
  .meta({ id: 'ExplainedCap', description: 'What the key may still spend in this period.' });

export const ExplainedSubscription = z
  .object({
    id: z.string().describe('Id of the subscription.'),
    plan: z.string().describe('Name of its plan.'),
    included: Dollars.describe('The amount for each period.'),
    left: Dollars.describe('The part that is neither used nor held.'),
    on_exhaustion: z
      .enum(['stop', 'balance'])
      .describe('When the amount is used up: `stop` refuses until the next period, `balance` charges the balance.'),
    resets_at: Time.describe('When the included amount resets.'),
    ends_at: Time.nullable().describe('When it ends. Null: when it is cancelled.'),
  })
  .meta({ id: 'ExplainedSubscription', description: 'What the running subscription still includes in this period.' });

const ExplainedLimit = z
  .object({
    scope: z.enum(['key', 'account', 'group', 'model']).describe('Whose limit it is; all its calls count towards it.'),
    subject: z.string().describe('Id or name of the key, account, group or model.'),
    quantity: z.enum(['requests', 'tokens', 'concurrency']).describe('What is counted; `concurrency`: requests that are running.'),
    limit: z.int().describe('The limit: per minute; for `concurrency`, at once.'),
    mode: Mode,
    remaining: z.int().nullable().describe('What remains now. Null when it is counted elsewhere, and for `concurrency`.'),
    reset_ms: z.int().nullable().describe('Milliseconds until the limit is fully restored. Null when `remaining` is null.'),
  })
  .meta({ id: 'ExplainedLimit', description: 'A limit that applies to a call.' });
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
      .describe('Whether a short call without an output limit would be allowed now, by the same rules as a real call, including its hold.'),
    rule: z.enum(rules).nullable().describe('The first rule that refuses, in the order of the checks. Null when none does.'),
    reason: z.string().describe('The rule in a sentence for people.'),
    code: z.enum(errorCodes).nullable().describe('The error code that the caller would get. Null when no rule refuses.'),
    key: Key.nullable().describe('The key. Null when no such key exists.'),
    group: z.string().nullable().describe('Group of its account. Null when no such key exists.'),
    model: z
      .object({
        id: z.string().describe('Id of the model.'),
        kind: z.enum(['text', 'image']).describe('`text` answers chat and responses, `image` generates images.'),
        groups: z.array(z.string()).describe('Groups whose accounts may call it.'),
      })
      .nullable()
      .describe('The model. Null when the configuration has no such model.'),
    operations: z.array(z.string()).describe('The operations by which the key may call the model; empty: none.'),
    price: ExplainedPrice.nullable().describe('What the model costs this key. Null when it has no price, or billing is off.'),
    balance: Balance.nullable().describe('Money of the account. Null when billing is off, or no such key exists.'),
    spending_cap: ExplainedCap.nullable().describe('What is left of the cap of the key. Null: it has none, or billing is off.'),
    subscription: ExplainedSubscription.nullable().describe('What is left of the plan of the account. Null: none runs, or billing is off.'),
    output_limit: z
      .int()
      .nullable()
      .describe(
        'The output limit in tokens that a short call without one would get now. Null when the call would be rejected, or output has no price.',
      ),
    highest_output_limit: z
      .int()
      .nullable()
      .describe('The highest output limit that a short call may set now. Null when the money pays for no token, or output has no price.'),
    limits: z.array(ExplainedLimit).describe('The limits that apply to a call. Empty: none.'),
  })
  .meta({ id: 'Explanation', description: 'What a key may do with a model, and what that costs.', examples: [sample] });
export type Explanation = z.infer<typeof Explanation>;

const ModelAccess = z
  .object({
    id: z.string().describe('Id of the model.'),
    kind: z.enum(['text', 'image']).describe('`text` answers chat and responses, `image` generates images.'),
    allowed: z.boolean().describe('Whether a short call without an output limit would be allowed now.'),
    rule: z.enum(rules).nullable().describe('The first rule that refuses, in the order of the checks. Null when none does.'),
    reason: z.string().describe('The rule in a sentence for people.'),
    code: z.enum(errorCodes).nullable().describe('The error code that the caller would get. Null when no rule refuses.'),
    operations: z.array(z.string()).describe('The operations by which the key may call the model; empty: none.'),
    price: ExplainedPrice.nullable().describe('What the model costs this key. Null when it has no price, or billing is off.'),
    limits: z.array(ExplainedLimit).describe('The limits of the model itself, for all its callers together. Empty: none.'),
  })
  .meta({ id: 'ModelAccess', description: 'What a key may do with one model, and what that costs.' });

export const KeyAccess = z
  .object({
    object: kind('key_access'),
    key: Key.describe('The key that was asked about, without the key itself.'),
    group: z.string().describe('Group of its account.'),
    balance: Balance.nullable().describe('Money of the account. Null when billing is off.'),
    spending_cap: ExplainedCap.nullable().describe('What is left of the cap of the key. Null: it has none, or billing is off.'),
    subscription: ExplainedSubscription.nullable().describe('What is left of the plan of the account. Null: none runs, or billing is off.'),
    limits: z.array(ExplainedLimit).describe('The limits of the key, its account and its group. Empty: none.'),
    models: z.array(ModelAccess).describe('Every model of the configuration, in its order.'),
  })
  .meta({ id: 'KeyAccess', description: 'What a key may do with each model, and what that costs.' });
export type KeyAccess = z.infer<typeof KeyAccess>;

export const explanationRoutes = {
  explainKey: {
    method: 'GET',
    path: '/keys/:key_id/access',
    pathParams: KeyPath,
    responses: { 200: KeyAccess },
    summary: 'Explain a key for all models',
    description:
      'For each model whether the key may call it now, the rule that decides, and the price; and what is left of its money and limits. It makes no call and uses nothing up.',
    metadata: { tag: 'Rules' } as const satisfies AdminMetadata,
  },
  explain: {
    method: 'POST',
    path: '/explanations',
    body: ExplanationRequest,
    responses: { 200: Explanation },
    summary: 'Explain a key',
    description:
      'What a key may do with a model, what it costs, what is left of every limit, and which rule decides. It makes no call and uses nothing up.',
    metadata: { tag: 'Rules' } as const satisfies AdminMetadata,
  },
} as const;

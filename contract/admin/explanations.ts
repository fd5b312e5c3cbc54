/** Explains, without a call, what a key can do with a model, and which rule decides. */
import { z } from 'zod';
import { errorCodes } from '../errors.ts';
import { createTypeField } from '../shared/descriptions.ts';
import { Dollars, Multiplier } from '../shared/dollars.ts';
import { Balance } from './accounts.ts';
import { Id, Mode, ModelName, Time } from './fields.ts';
import { Key, KeyPathParams, Operation } from './keys.ts';
import type { AdminMetadata } from './metadata.ts';
import { Prices } from './rules.ts';
import { ExplainedCap } from './spending-caps.ts';

export const ExplanationRequest = z
  .strictObject({
    key: Id.describe("The key itself, or its ID. Prefer the ID, which isn't secret."),
    model: ModelName.describe('The ID of the model, as used by callers.'),
    operation: Operation.optional().describe('The operation of the call. Omit for any operation.'),
  })
  .meta({
    id: 'ExplanationRequest',
    description: 'The key and the model to explain.',
    examples: [{ key: 'key_0aB3dE5gH7jK9mN1p', model: 'gpt-5.4' }],
  });

/** In the order in which a call is checked. */
export const accessRules = [
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
    version: z.int().nullable().describe("The version of the price. Null if it comes from the configuration and isn't in effect yet."),
    price_list: z.string().describe('The price list that the account is charged by: the one of its plan, or else `standard`.'),
    prices: Prices.describe('The prices before the multiplier.'),
    multiplier: Multiplier.describe("The price multiplier of the account's group."),
    effective: z
      .record(z.string(), Dollars)
      .describe('The price times the multiplier, rounded up, by class: per million tokens, per image, or per call.'),
  })
  .meta({ id: 'ExplainedPrice', description: 'The price of the model for this key.' });

export const ExplainedSubscription = z
  .object({
    id: z.string().describe('The ID of the subscription.'),
    plan: z.string().describe('The name of the plan.'),
    included: Dollars.describe('The amount included in each period.'),
    left: Dollars.describe('The part of the included amount that is neither used nor reserved.'),
    on_exhaustion: z
      .enum(['stop', 'balance'])
      .describe(
        'Behavior when the included amount is used up. `stop`: calls are rejected until the next period. `balance`: calls are charged to the balance.',
      ),
    resets_at: Time.describe('When the included amount resets.'),
    ends_at: Time.nullable().describe("When the subscription ends. Null if it runs until it's canceled."),
  })
  .meta({ id: 'ExplainedSubscription', description: 'The active subscription, with the amount left in this period.' });

const explainedCaps = z
  .array(ExplainedCap)
  .describe('The spending caps that calls with the key count toward, with the amount left. Empty if none, or when billing is off.');

const ExplainedLimit = z
  .object({
    scope: z
      .enum(['key', 'account', 'group', 'model'])
      .describe('Where the limit is set. All calls of that key, account, group, or model count toward it.'),
    subject: z.string().describe('The ID or name of the key, account, group, or model.'),
    quantity: z.enum(['requests', 'tokens', 'concurrency']).describe('The unit that is counted. `concurrency` counts requests in flight.'),
    limit: z.int().describe('The limit: per minute, or for `concurrency`, the maximum number of concurrent requests.'),
    mode: Mode,
    remaining: z.int().nullable().describe("How much of the limit remains. Null for `concurrency`, or if it's counted elsewhere."),
    reset_ms: z.int().nullable().describe('Milliseconds until the limit is fully restored. Null if `remaining` is null.'),
  })
  .meta({ id: 'ExplainedLimit', description: 'A limit that applies to a call.' });
export type ExplainedLimit = z.infer<typeof ExplainedLimit>;

const sample = {
  object: 'explanation',
  allowed: false,
  rule: 'key_unknown',
  reason: 'Key not found.',
  code: 'invalid_api_key',
  key: null,
  group: null,
  model: { id: 'gpt-5.4', kind: 'text', groups: ['default', 'vip'] },
  operations: [],
  price: null,
  balance: null,
  spending_caps: [],
  subscription: null,
  output_limit: null,
  highest_output_limit: null,
  limits: [],
};

export const Explanation = z
  .object({
    object: createTypeField('explanation'),
    allowed: z
      .boolean()
      .describe(
        'Whether a short call without an output limit would be allowed now, by the same rules as a real call, including the amount it reserves.',
      ),
    rule: z.enum(accessRules).nullable().describe('The first rule that rejects the call, in the order of the checks. Null if none does.'),
    reason: z.string().describe('A human-readable explanation of the rule.'),
    code: z.enum(errorCodes).nullable().describe('The error code that the caller would get. Null if no rule rejects the call.'),
    key: Key.nullable().describe("The key. Null if it doesn't exist."),
    group: z.string().nullable().describe("The group of the key's account. Null if the key doesn't exist."),
    model: z
      .object({
        id: z.string().describe('The ID of the model.'),
        kind: z.enum(['text', 'image']).describe('`text`: chat completions and responses. `image`: image generations and edits.'),
        groups: z.array(z.string()).describe('The groups whose accounts can call the model.'),
      })
      .nullable()
      .describe("The model. Null if it isn't configured."),
    operations: z.array(z.string()).describe('The operations with which the key can call the model. Empty if none.'),
    price: ExplainedPrice.nullable().describe('The price of the model for this key. Null if it has no price, or when billing is off.'),
    balance: Balance.nullable().describe("The balance of the account. Null if the key doesn't exist, or when billing is off."),
    spending_caps: explainedCaps,
    subscription: ExplainedSubscription.nullable().describe(
      'The active subscription of the account, with the amount left. Null if it has none, or when billing is off.',
    ),
    output_limit: z
      .int()
      .nullable()
      .describe(
        'The output limit in tokens that a short call without a limit would get now. Null if the call would be rejected, or if output has no price.',
      ),
    highest_output_limit: z
      .int()
      .nullable()
      .describe(
        "The highest output limit that a short call can set now. Null if the account can't pay for any token, or if output has no price.",
      ),
    limits: z.array(ExplainedLimit).describe('The limits that apply to a call. Empty if none.'),
  })
  .meta({ id: 'Explanation', description: 'The effective permissions of a key for a model, with the price.', examples: [sample] });
export type Explanation = z.infer<typeof Explanation>;

const ModelAccess = z
  .object({
    id: z.string().describe('The ID of the model.'),
    kind: z.enum(['text', 'image']).describe('`text`: chat completions and responses. `image`: image generations and edits.'),
    allowed: z.boolean().describe('Whether a short call without an output limit would be allowed now.'),
    rule: z.enum(accessRules).nullable().describe('The first rule that rejects the call, in the order of the checks. Null if none does.'),
    reason: z.string().describe('A human-readable explanation of the rule.'),
    code: z.enum(errorCodes).nullable().describe('The error code that the caller would get. Null if no rule rejects the call.'),
    operations: z.array(z.string()).describe('The operations with which the key can call the model. Empty if none.'),
    price: ExplainedPrice.nullable().describe('The price of the model for this key. Null if it has no price, or when billing is off.'),
    limits: z.array(ExplainedLimit).describe('The limits of the model, shared by all callers. Empty if none.'),
  })
  .meta({ id: 'ModelAccess', description: 'The effective permissions of a key for one model, with the price.' });

export const KeyAccess = z
  .object({
    object: createTypeField('key_access'),
    key: Key.describe("The key. The secret isn't included."),
    group: z.string().describe("The group of the key's account."),
    balance: Balance.nullable().describe('The balance of the account. Null when billing is off.'),
    spending_caps: explainedCaps,
    subscription: ExplainedSubscription.nullable().describe(
      'The active subscription of the account, with the amount left. Null if it has none, or when billing is off.',
    ),
    limits: z.array(ExplainedLimit).describe('The limits of the key, its account, and its group. Empty if none.'),
    models: z.array(ModelAccess).describe('Every configured model, in the order of the configuration.'),
  })
  .meta({ id: 'KeyAccess', description: 'The effective permissions of a key for each model, with the prices.' });
export type KeyAccess = z.infer<typeof KeyAccess>;

export const explanationRoutes = {
  explainKey: {
    method: 'GET',
    path: '/keys/:key_id/access',
    pathParams: KeyPathParams,
    responses: { 200: KeyAccess },
    summary: 'Explain a key for all models',
    description:
      "For each model, returns whether the key can call it now, the deciding rule, and the price. Also returns the key's remaining money and limits. Doesn't call an upstream and doesn't count toward any limit.",
    metadata: { tag: 'Rules' } as const satisfies AdminMetadata,
  },
  explain: {
    method: 'POST',
    path: '/explanations',
    body: ExplanationRequest,
    responses: { 200: Explanation },
    summary: 'Explain a key',
    description:
      "Returns whether a key can call a model, the deciding rule, the price, and the remainder of every limit. Doesn't call an upstream and doesn't count toward any limit.",
    metadata: { tag: 'Rules' } as const satisfies AdminMetadata,
  },
} as const;

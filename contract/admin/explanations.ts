/** What a key may do with a model, and which rule decides: worked out without a call being made. */
import { z } from 'zod';
import { Dollars, Multiplier } from '../dollars.ts';
import { errorCodes } from '../errors.ts';
import { Balance } from './accounts.ts';
import { Id, Mode, ModelName, Time } from './fields.ts';
import { Key, Operation, SpendingCap } from './keys.ts';
import type { AdminMetadata } from './metadata.ts';
import { Prices } from './rules.ts';

export const ExplanationRequest = z
  .strictObject({
    key: Id.describe('The key itself, or its id. The id is enough, and no secret.'),
    model: ModelName,
    operation: Operation.optional().describe('Absent: whatever operation the model is called by.'),
  })
  .meta({ id: 'ExplanationRequest', examples: [{ key: 'key_0aB3dE5gH7jK9mN1p', model: 'gpt-5.4' }] });

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
    version: z.int().nullable().describe('Null: of the configuration, and not in force yet.'),
    price_list: z.string(),
    prices: Prices.describe('Before the multiplier.'),
    multiplier: Multiplier.describe('Of the group.'),
    effective: z
      .record(z.string(), Dollars)
      .describe('Price times multiplier, rounded up, by class: per million tokens, per picture, or per call.'),
  })
  .meta({ id: 'ExplainedPrice' });

const ExplainedCap = z
  .object({ cap: SpendingCap, left: Dollars, resets_at: Time.nullable() })
  .meta({ id: 'ExplainedCap', description: 'What the key may still spend in this period.' });

const ExplainedSubscription = z
  .object({
    id: z.string(),
    plan: z.string(),
    included: Dollars,
    left: Dollars,
    on_exhaustion: z.enum(['stop', 'balance']),
    resets_at: Time,
    ends_at: Time.nullable(),
  })
  .meta({ id: 'ExplainedSubscription', description: 'What the running subscription still includes in this period.' });

const ExplainedLimit = z
  .object({
    scope: z.enum(['key', 'account', 'group', 'model']),
    subject: z.string(),
    quantity: z.enum(['requests', 'tokens', 'concurrency']),
    limit: z.int().describe('Per minute; for `concurrency` at once.'),
    mode: Mode,
    remaining: z.int().nullable().describe('What is left now. Null where that is counted elsewhere, or slots are meant.'),
    reset_ms: z.int().nullable().describe('Milliseconds until all of it is free again.'),
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
    object: z.literal('explanation'),
    allowed: z
      .boolean()
      .describe(
        'Whether a short call that names no limit on its output would be let through now: by the same rules as the call itself, its hold included.',
      ),
    rule: z.enum(rules).nullable().describe('The first rule that says no, in the order of the checks. Null where none does.'),
    reason: z.string().describe('The same in a sentence.'),
    code: z.enum(errorCodes).nullable().describe('What the caller would read as `code`.'),
    key: Key.nullable(),
    group: z.string().nullable(),
    model: z.object({ id: z.string(), kind: z.enum(['text', 'image']), groups: z.array(z.string()) }).nullable(),
    operations: z.array(z.string()).describe('By which the key may call the model.'),
    price: ExplainedPrice.nullable(),
    balance: Balance.nullable().describe('Null where billing is off.'),
    spending_cap: ExplainedCap.nullable(),
    subscription: ExplainedSubscription.nullable(),
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
    limits: z.array(ExplainedLimit),
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

/** Limits in use: the current usage of each one, and the calls it rejected. */
import { z } from 'zod';
import { createTypeField } from '../shared/descriptions.ts';
import { Mode } from './fields.ts';
import type { AdminMetadata } from './metadata.ts';

const count = z.int().min(0);
export const limitScopes = ['key', 'account', 'group', 'model'] as const;

const RejectedAccount = z
  .object({
    account_id: z.string().describe('The ID of the account that made the calls.'),
    name: z.string().nullable().describe('The name of the account. Null if the account no longer exists.'),
    calls: count.describe('Number of its calls that were rejected, or would have been.'),
  })
  .meta({ id: 'RejectedAccount', description: 'An account with calls rejected by a shared limit.' });

export const LimitInUse = z
  .object({
    object: createTypeField('limit_in_use'),
    scope: z.enum(limitScopes).describe('Where the limit is set. All calls of that key, account, group, or model count toward it.'),
    subject: z.string().describe('The ID of the key or account, or the name of the group or model.'),
    name: z
      .string()
      .nullable()
      .describe('The display name, such as `research / build server` for a key. Null if the key or account no longer exists.'),
    quantity: z.enum(['requests', 'tokens', 'concurrency']).describe('The unit that is counted. `concurrency` counts requests in flight.'),
    limit: z.int().min(1).describe('The limit: per minute, or for `concurrency`, the maximum number of concurrent requests.'),
    mode: Mode,
    used: z.number().min(0).max(1).describe('The share of the limit that is used now, from 0 to 1.'),
    remaining: count.describe(
      'How much of the limit remains. While Redis is unavailable, this is the remainder of the part that the process enforces.',
    ),
    reset_ms: count.nullable().describe('Milliseconds until the limit is fully restored. Null for `concurrency`.'),
    rejected_1h: count.describe(
      'Number of calls that the limit rejected in the last hour, or would have rejected in mode `observe`, counted in steps of 5 minutes by the process that serves this request.',
    ),
    rejected_accounts: z
      .array(RejectedAccount)
      .describe(
        'The accounts with the most rejected calls, at most 10. Empty for limits of keys and accounts, which affect only their own calls.',
      ),
  })
  .meta({
    id: 'LimitInUse',
    description: 'A limit that applied to recent calls, with its usage.',
    examples: [
      {
        object: 'limit_in_use',
        scope: 'account',
        subject: 'acct_0aB3dE5gH7jK9mN1p',
        name: 'research',
        quantity: 'tokens',
        limit: 2_000_000,
        mode: 'enforce',
        used: 0.96,
        remaining: 80_000,
        reset_ms: 57_600,
        rejected_1h: 41,
        rejected_accounts: [],
      },
    ],
  });
export type LimitInUse = z.infer<typeof LimitInUse>;

export const LimitInUseList = z
  .object({
    object: createTypeField('list'),
    data: z.array(LimitInUse).describe('The limits, highest usage first, at most 100. Empty if no gateway runs in this process.'),
  })
  .meta({ id: 'LimitInUseList', description: 'Limits in use.' });

export const LimitInUseQuery = z.strictObject({
  scope: z.enum(limitScopes).optional().describe('Only limits set there. Omit to get all limits.'),
  over: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe(
      'The minimum share of a limit that must be used, from 0 to 1. Limits that rejected calls in the last hour are always returned. Defaults to 0.5.',
    ),
});

const metadata = { tag: 'Rules' } as const satisfies AdminMetadata;

export const limitRoutes = {
  listLimitsInUse: {
    method: 'GET',
    path: '/limits/in-use',
    query: LimitInUseQuery,
    responses: { 200: LimitInUseList },
    summary: 'List limits in use',
    description:
      'Lists the limits that applied to calls of the last hour in the process that serves this request, highest usage first, with the number of rejected calls. With Redis, the usage is that of all processes.',
    metadata,
  },
} as const;

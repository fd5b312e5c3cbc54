/** Limits that are in use: how near each is, and what it rejected. */
import { z } from 'zod';
import { kind } from '../shared/descriptions.ts';
import { Mode } from './fields.ts';
import type { AdminMetadata } from './metadata.ts';

const count = z.int().min(0);
export const limitScopes = ['key', 'account', 'group', 'model'] as const;

const RejectedAccount = z
  .object({
    account_id: z.string().describe('Id of the account that made the calls.'),
    name: z.string().nullable().describe('Its name. Null: there is no such account any more.'),
    calls: count.describe('Its calls that were rejected, or would have been.'),
  })
  .meta({ id: 'RejectedAccount', description: 'An account whose calls a shared limit rejected.' });

export const LimitInUse = z
  .object({
    object: kind('limit_in_use'),
    scope: z.enum(limitScopes).describe('Whose limit it is; all its calls count towards it.'),
    subject: z.string().describe('Id of the key or account; name of the group or model.'),
    name: z.string().nullable().describe('Name for people. Null: there is no such key or account any more.'),
    quantity: z.enum(['requests', 'tokens', 'concurrency']).describe('What is counted; `concurrency`: requests that are running.'),
    limit: z.int().min(1).describe('The limit: per minute; for `concurrency`, at once.'),
    mode: Mode,
    used: z.number().min(0).max(1).describe('The share of the limit that is used now, from 0 to 1.'),
    remaining: count.describe('What remains now. While Redis is down: of the part that the process enforces.'),
    reset_ms: count.nullable().describe('Milliseconds until the limit is fully restored. Null for `concurrency`.'),
    rejected_1h: count.describe(
      'Calls of the last hour that it rejected, in steps of five minutes; in mode `observe`, those that it would have rejected. Counted by the process that answers.',
    ),
    rejected_accounts: z
      .array(RejectedAccount)
      .describe('Whose calls those were, the most first, at most 10. Empty for keys and accounts: their calls are their own.'),
  })
  .meta({
    id: 'LimitInUse',
    description: 'A limit that calls met, and how far it is used.',
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
    object: kind('list'),
    data: z.array(LimitInUse).describe('At most 100, the nearest first. Empty where no gateway runs in this process.'),
  })
  .meta({ id: 'LimitInUseList', description: 'Limits that are in use.' });

export const LimitInUseQuery = z.strictObject({
  scope: z.enum(limitScopes).optional().describe('Only limits of these. Omit to get all.'),
  over: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('Limits that are used less than this share are left out, unless they rejected in the last hour. Absent: 0.5.'),
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
      'How far limits are used that calls met in the last hour at the process that answers, the nearest first, and what they rejected. With Redis, the use is that of all processes.',
    metadata,
  },
} as const;

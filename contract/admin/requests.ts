/** The request log: a list of calls that ended, and everything that is known about one of them. */
import { z } from 'zod';
import { kind } from '../shared/descriptions.ts';
import { Dollars } from '../shared/dollars.ts';
import { UsageAttempt } from '../usage.ts';
import { Csv, Id, listOf, ModelName, page, SignedDollars, Time, TimeInput } from './fields.ts';
import type { AdminMetadata } from './metadata.ts';
import { Receipt, Usage } from './usage.ts';

const count = z.int().min(0);

const Failure = z
  .object({
    status: z.int().describe('HTTP status of the answer; 200 for a stream that failed after it had begun.'),
    code: z.string().describe('Code of the error that the caller got.'),
    param: z.string().nullable().describe('The field that caused the error. Null: no field did.'),
    message: z.string().describe('Message of the error that the caller got, cut after 500 characters.'),
    operation: z.string().nullable().describe('Name of the operation. Null when the address belongs to none.'),
    model: z.string().nullable().describe('Id of the model, as in the request. Null when it could not be read.'),
    account_id: z.string().nullable().describe('The account of the caller. Null when the key was not recognised.'),
    key_id: z.string().nullable().describe('The key of the request. Null when it was not recognised.'),
    attempts: z.array(UsageAttempt).describe('The last eight attempts at upstreams.'),
    created_at: Time.describe('When the request arrived.'),
  })
  .meta({ id: 'RequestFailure', description: 'Why a request was rejected or failed.' });

/** Tokens of one call or of many, in classes that do not overlap. */
export const TokenSums = z
  .object({
    input: count.describe('Input that was neither read from a cache nor written to one.'),
    cached_input: count.describe('Input that was read from a cache.'),
    cache_write: count.describe('Input that was written to a cache.'),
    output: count.describe('All output, reasoning included.'),
  })
  .meta({ id: 'TokenSums', description: 'Tokens in four classes that do not overlap.' });

export const outcomes = ['completed', 'incomplete', 'rejected', 'failed', 'client_disconnected'] as const;
const outcome = z
  .enum(outcomes)
  .describe(
    '`completed`: answered in full. `incomplete`: the output limit ended the answer. `rejected`: an error below 500. `failed`: an error from 500 on, or in the middle of a stream. `client_disconnected`: the caller disconnected.',
  );

export const LoggedRequest = z
  .object({
    object: kind('request'),
    request_id: z.string().describe('The `x-request-id` of the answer.'),
    at: Time.describe('When the call ended; for a paid one, when it was charged.'),
    account_id: z.string().nullable().describe('The account of the caller. Null when the key was not recognised.'),
    key_id: z.string().nullable().describe('The key of the call. Null when it was not recognised.'),
    model: z.string().nullable().describe('Id of the model in the catalog. Null when the call named none that exists.'),
    operation: z.string().nullable().describe('Name of the operation, such as `createResponse`. Null when the address belongs to none.'),
    upstream: z.string().nullable().describe('Name of the upstream that was asked last. Null when none was.'),
    session: z
      .string()
      .nullable()
      .describe(
        'Short name of the session, the same for all its calls: made of the `prompt_cache_key`, else of how the conversation begins, and not to be read back. Null: the call belongs to none.',
      ),
    status: z.int().describe('HTTP status of the answer; 499 when the caller disconnected before one began.'),
    code: z.string().nullable().describe('Code of the error that the caller got. Null: none.'),
    outcome,
    is_stream: z.boolean().describe('Whether the answer was a stream that had begun.'),
    attempts: count.describe('How many attempts at upstreams there were.'),
    first_ms: count.nullable().describe('Milliseconds until the first event of a stream. Null: no stream began.'),
    total_ms: count.describe('Milliseconds until the end of the answer.'),
    tokens: TokenSums.describe('What it used. All 0 when nothing is known.'),
    images: count.describe('Images made.'),
    charged: Dollars.nullable().describe('The amount charged. Null when nothing was.'),
    repeats: count.describe(
      'How many more calls of the same key, operation, model and code this row stands for; only floods of calls that asked no upstream are joined so.',
    ),
  })
  .meta({ id: 'LoggedRequest', description: 'One call that ended.' });
export type LoggedRequest = z.infer<typeof LoggedRequest>;
export const LoggedRequestList = listOf('LoggedRequestList', 'Calls that ended, newest first.', LoggedRequest);

export const rules = ['key', 'requests', 'body', 'model', 'permission', 'money', 'tokens', 'concurrency'] as const;
const Check = z
  .object({
    rule: z
      .enum(rules)
      .describe(
        'What was checked, in this order: the key, its request rate, the body, the model, the permission, the money, the token rate, the calls at once.',
      ),
    result: z
      .enum(['passed', 'rejected', 'not_reached'])
      .describe('`not_reached`: an earlier rule had rejected, or the call failed before.'),
    scope: z.string().nullable().describe('Whose limit rejected: `key`, `account`, `group` or `model`. Null for every other check.'),
    limit: count.nullable().describe('The limit at that moment. Null where the rule has none, or it is not known.'),
    remaining: count.nullable().describe('What was left of the limit after the check. Null where it is not known.'),
  })
  .meta({ id: 'RequestCheck', description: 'One rule that a call was checked by, with its figures of that moment.' });
export type Check = z.infer<typeof Check>;

export const Entry = z
  .object({
    id: z.string().describe('Number of the entry in the ledger.'),
    book: z.string().describe('Name of the book: `account:…`, `subscription:…`, `revenue` or `overrun`.'),
    kind: z.string().describe('`charge`, `overrun`, `top_up`, `refund` or `correction`.'),
    amount: SignedDollars.describe('What was added to the book; negative amounts were taken.'),
    at: Time.describe('When it was booked.'),
  })
  .meta({ id: 'LedgerEntry', description: 'One line of the double-entry book; each transfer has two, which add up to 0.' });

const RequestAttempt = UsageAttempt.extend({
  provider_code: z.string().nullable().describe("The provider's own code or type of the error. Null: it said none."),
  provider_message: z
    .string()
    .nullable()
    .describe("The provider's own message without keys, cut after 200 characters. It may quote the request. Null: it said none."),
}).meta({ id: 'RequestAttempt', description: 'One attempt at an upstream, with the words of the provider.' });

export const ExplainedRequest = z
  .object({
    object: kind('explained_request'),
    request_id: z.string().describe('The `x-request-id` of the answer.'),
    request: LoggedRequest.nullable().describe('Its row in the request log. Null when the log has none, or no more.'),
    error: Failure.nullable().describe('Why the request was rejected or failed. Null if it succeeded.'),
    checks: z.array(Check).describe('The rules it was checked by, in their order. Empty when the log has no row.'),
    attempts: z.array(RequestAttempt).describe('The last eight attempts at upstreams, good ones included.'),
    path: z
      .string()
      .nullable()
      .describe('Method and path, without the query, of a request whose key was not recognised. Null for all others.'),
    address: z
      .string()
      .nullable()
      .describe('The address that such a request came from, where `refusals.addresses` is on. Null: not kept, or its key was recognised.'),
    ignored: z.array(z.string()).describe('Fields that were left out for the upstream, as in `x-modelgate-ignored`.'),
    usage: Usage.nullable().describe('What was held and charged for it. Null when nothing was held.'),
    receipt: Receipt.nullable().describe('The itemised receipt. Null when nothing was held.'),
    entries: z.array(Entry).describe('Its lines in the ledger. Empty when nothing was charged.'),
  })
  .meta({ id: 'ExplainedRequest', description: 'What is known about one request.' });
export type ExplainedRequest = z.infer<typeof ExplainedRequest>;

const RequestPath = z.object({ request_id: Id.describe('The `x-request-id` of the answer.') });

/** The longest range of time of a list, in days. */
export const MAX_LIST_DAYS = 31;
const filters = {
  from: TimeInput.optional().describe(
    `Only calls that ended from this time on, at most ${MAX_LIST_DAYS} days before \`to\`. Absent: ${MAX_LIST_DAYS} days before \`to\`.`,
  ),
  to: TimeInput.optional().describe('Only calls that ended before this time. Defaults to now.'),
  account_id: Id.optional().describe('Only calls of this account. Omit for all.'),
  key_id: Id.optional().describe('Only calls of this key. Omit for all.'),
  model: ModelName.optional().describe('Only calls of this model. Omit for all.'),
  operation: Id.optional().describe('Only calls of this operation, such as `createResponse`. Omit for all.'),
  upstream: Id.optional().describe('Only calls whose last attempt was at this upstream. Omit for all.'),
  session: Id.optional().describe('Only calls of this session, as a call names it. Omit for all.'),
  status: z.int().min(100).max(599).optional().describe('Only answers with this HTTP status. Omit to get all.'),
  code: Id.optional().describe('Only answers with this error code. Omit to get all.'),
  outcome: outcome.optional().describe('Only calls that ended so. Omit to get all.'),
  slower_than: z.int().min(0).max(86_400_000).optional().describe('Only calls that took more than so many milliseconds. Omit to get all.'),
  costs_over: z
    .string()
    .regex(/^\d{1,9}(?:\.\d{1,6})?$/, "must be dollars as a text, such as '0.50'")
    .optional()
    .describe('Only calls that were charged more than so many dollars. Omit to get all.'),
};
export const RequestsQuery = z.strictObject({ ...page, ...filters });
export const RequestsCsvQuery = z.strictObject(filters);

const metadata = { tag: 'Usage' } as const satisfies AdminMetadata;

export const requestRoutes = {
  listRequests: {
    method: 'GET',
    path: '/requests',
    query: RequestsQuery,
    responses: { 200: LoggedRequestList },
    summary: 'List requests',
    description:
      'Calls that ended, newest first: answered, rejected and failed ones. Rows are kept for `activity.days` (30), and are written within about a second of the end of a call.',
    metadata,
  },
  exportRequests: {
    method: 'GET',
    path: '/requests.csv',
    query: RequestsCsvQuery,
    responses: { 200: Csv },
    summary: 'Export requests',
    description: 'The same as CSV, all pages, streamed: a line of headings, then a line for each call. A row that ends early was cut off.',
    metadata: { tag: 'Usage', answers: 'text/csv' } as const satisfies AdminMetadata,
  },
  getRequest: {
    method: 'GET',
    path: '/requests/:request_id',
    pathParams: RequestPath,
    responses: { 200: ExplainedRequest },
    summary: 'Get a request',
    description:
      'The result of a request, by its id: its row, the rules that it was checked by, its attempts, why it was rejected or failed, its receipt and its lines in the ledger. Rows are kept for `activity.days` (30), those of callers whose key was not recognised for `refusals.days` (7); charges permanently.',
    metadata,
  },
} as const;

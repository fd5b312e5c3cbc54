/** The request log: a list of finished calls, and all details of a single call. */
import { z } from 'zod';
import { createTypeField } from '../shared/descriptions.ts';
import { Dollars } from '../shared/dollars.ts';
import { UsageAttempt } from '../usage.ts';
import { Csv, createListSchema, Id, ModelName, pageFields, SignedDollars, sortOrder, Time, TimeInput } from './fields.ts';
import type { AdminMetadata } from './metadata.ts';
import { Receipt, Usage } from './usage.ts';

const count = z.int().min(0);

const Failure = z
  .object({
    status: z.int().describe('The HTTP status of the response. 200 for a stream that failed after it had started.'),
    code: z.string().describe('The error code that the caller got.'),
    param: z.string().nullable().describe('The field that caused the error. Null if no field caused it.'),
    message: z.string().describe('The error message that the caller got, cut after 500 characters.'),
    operation: z.string().nullable().describe('The name of the operation. Null if the URL belongs to none.'),
    model: z.string().nullable().describe("The ID of the model, as in the request. Null if it couldn't be read."),
    account_id: z.string().nullable().describe("The account of the caller. Null if the key wasn't recognized."),
    key_id: z.string().nullable().describe("The key of the request. Null if it wasn't recognized."),
    attempts: z.array(UsageAttempt).describe('The last eight attempts at upstreams.'),
    created_at: Time.describe('When the request arrived.'),
  })
  .meta({ id: 'RequestFailure', description: 'Why a request was rejected or failed.' });

/** Token totals of one or more calls, in classes that don't overlap. */
export const TokenSums = z
  .object({
    input: count.describe('Input tokens neither read from a cache nor written to one.'),
    cached_input: count.describe('Input tokens read from a cache.'),
    cache_write: count.describe('Input tokens written to a cache.'),
    output: count.describe('Output tokens, including reasoning tokens.'),
  })
  .meta({ id: 'TokenSums', description: "Tokens in four classes that don't overlap." });

export const requestOutcomes = ['completed', 'incomplete', 'rejected', 'failed', 'client_disconnected'] as const;
const outcome = z
  .enum(requestOutcomes)
  .describe(
    '`completed`: the response was complete. `incomplete`: the output limit was reached. `rejected`: a 4xx error. `failed`: a 5xx error, or an error during a stream. `client_disconnected`: the client closed the connection.',
  );

export const LoggedRequest = z
  .object({
    object: createTypeField('request'),
    request_id: z.string().describe('The `x-request-id` of the response.'),
    at: Time.describe('When the call ended, or for a paid call, when it was charged.'),
    account_id: z.string().nullable().describe("The account of the caller. Null if the key wasn't recognized."),
    account_name: z.string().nullable().describe("The account's present name. Null if the key wasn't recognized."),
    key_id: z.string().nullable().describe("The key of the call. Null if it wasn't recognized."),
    key_name: z.string().nullable().describe("The key's present name. Null if it wasn't recognized."),
    model: z.string().nullable().describe('The ID of the model in the catalog. Null if the call had no valid model.'),
    operation: z.string().nullable().describe('The name of the operation, such as `createResponse`. Null if the URL belongs to none.'),
    upstream: z.string().nullable().describe("The upstream of the last attempt. Null if the call wasn't sent to any upstream."),
    session: z
      .string()
      .nullable()
      .describe(
        "A short name that all calls of a session share. It's derived from the `prompt_cache_key`, or else from the start of the conversation, and can't be reversed. Null if the call belongs to no session.",
      ),
    end_user: z
      .string()
      .nullable()
      .describe(
        "The caller's ID of its end user: `safety_identifier`, or else `user`, cut after 128 characters. Null if the call had neither, or was rejected before its body was read.",
      ),
    tag: z
      .string()
      .nullable()
      .describe('The value of the header that `activity.tagHeader` names, cut after 128 characters. Null if there was none.'),
    status: z.int().describe('The HTTP status of the response. 499 if the client disconnected before the response started.'),
    code: z.string().nullable().describe('The error code that the caller got. Null if there was no error.'),
    outcome,
    is_stream: z.boolean().describe('Whether the response was a stream that had started.'),
    attempts: count.describe('Number of attempts at upstreams.'),
    first_ms: count.nullable().describe('Milliseconds until the first event of a stream. Null if no stream started.'),
    total_ms: count.describe('Milliseconds until the end of the response.'),
    tokens: TokenSums.describe('The tokens used. All 0 if unknown.'),
    images: count.describe('Number of images generated.'),
    charged: Dollars.nullable().describe('The amount charged. Null if nothing was charged.'),
    repeats: count.describe(
      "Number of additional calls with the same key, operation, model, and code that this row stands for. Rows are combined only for floods of calls that weren't sent to any upstream.",
    ),
  })
  .meta({ id: 'LoggedRequest', description: 'A finished call.' });
export type LoggedRequest = z.infer<typeof LoggedRequest>;
export const LoggedRequestList = createListSchema('LoggedRequestList', 'A list of finished calls.', LoggedRequest);

export const checkRules = [
  'key',
  'requests',
  'body',
  'model',
  'permission',
  'spending_cap',
  'subscription',
  'balance',
  'tokens',
  'concurrency',
] as const;
const Check = z
  .object({
    rule: z
      .enum(checkRules)
      .describe(
        'The check. Checks run in this order: the key, its request rate, the body, the model, the permission, the spending caps, the subscription, the balance, the token rate, and concurrency.',
      ),
    result: z
      .enum(['passed', 'rejected', 'not_reached'])
      .describe('The result of the check. `not_reached`: an earlier check rejected the call, or the call failed before this check.'),
    scope: z
      .string()
      .nullable()
      .describe('The limit that rejected the call: `key`, `account`, `group`, or `model`. Null for all other checks.'),
    limit: count.nullable().describe("The limit at that time. Null if the check has no limit, or if it's unknown."),
    remaining: count.nullable().describe("The remaining part of the limit after the check. Null if it's unknown."),
  })
  .meta({ id: 'RequestCheck', description: 'A check of a call, with its numbers at that time.' });
export type Check = z.infer<typeof Check>;

export const Entry = z
  .object({
    id: z.string().describe('The number of the entry in the ledger.'),
    ledger_account: z.string().describe('The name of the ledger account: `account:…`, `subscription:…`, `revenue`, or `overrun`.'),
    kind: z.string().describe('`charge`, `overrun`, `top_up`, `refund`, or `correction`.'),
    amount: SignedDollars.describe('The amount: positive if it was added to the ledger account, negative if it was subtracted.'),
    at: Time.describe('When the entry was posted.'),
  })
  .meta({ id: 'LedgerEntry', description: 'A line of the double-entry ledger. Each transfer has two lines, which add up to 0.' });

const RequestAttempt = UsageAttempt.extend({
  provider_code: z.string().nullable().describe("The provider's own code or type of the error. Null if the provider sent none."),
  provider_message: z
    .string()
    .nullable()
    .describe(
      "The provider's own error message without keys, cut after 200 characters. It may quote the request. Null if the provider sent none.",
    ),
}).meta({ id: 'RequestAttempt', description: "An attempt at an upstream, with the provider's own error." });

export const ExplainedRequest = z
  .object({
    object: createTypeField('explained_request'),
    request_id: z.string().describe('The `x-request-id` of the response.'),
    request: LoggedRequest.nullable().describe("The request in the request log. Null if the log doesn't have it, or no longer has it."),
    error: Failure.nullable().describe('Why the request was rejected or failed. Null if it succeeded.'),
    checks: z.array(Check).describe("The checks of the request, in order. Empty if the request log doesn't have the request."),
    attempts: z.array(RequestAttempt).describe('The last eight attempts at upstreams, including successful ones.'),
    path: z
      .string()
      .nullable()
      .describe('The method and path, without the query, of a request with an unrecognized key. Null for all other requests.'),
    address: z
      .string()
      .nullable()
      .describe(
        "The IP address that such a request came from. Null if the key was recognized, or if addresses aren't kept (`unknownCallers.addresses`).",
      ),
    dropped: z.array(z.string()).describe("The fields that weren't sent to the upstream, as in `x-modelgate-dropped`."),
    usage: Usage.nullable().describe('The amounts reserved and charged. Null if nothing was reserved.'),
    receipt: Receipt.nullable().describe('The itemized receipt. Null if nothing was reserved.'),
    entries: z.array(Entry).describe('The ledger entries of the request. Empty if nothing was charged.'),
  })
  .meta({ id: 'ExplainedRequest', description: 'A request, with all details known about it.' });
export type ExplainedRequest = z.infer<typeof ExplainedRequest>;

const RequestPathParams = z.object({ request_id: Id.describe('The `x-request-id` of the response.') });

/** Maximum range of a list, in days. */
export const MAX_LIST_DAYS = 31;
/** Maximum range in days if the list covers all accounts and isn't sorted by time. */
export const MAX_SORTED_DAYS = 7;
const filterFields = {
  from: TimeInput.optional().describe(
    `Only calls that ended from this time on, at most ${MAX_LIST_DAYS} days before \`to\`. Defaults to ${MAX_LIST_DAYS} days before \`to\`.`,
  ),
  to: TimeInput.optional().describe('Only calls that ended before this time. Defaults to now.'),
  account_id: Id.optional().describe('Only calls of this account. Omit to get all accounts.'),
  key_id: Id.optional().describe('Only calls with this key. Omit to get all keys.'),
  model: ModelName.optional().describe('Only calls to this model. Omit to get all models.'),
  operation: Id.optional().describe('Only calls of this operation, such as `createResponse`. Omit to get all operations.'),
  upstream: Id.optional().describe('Only calls whose last attempt was at this upstream. Omit to get all upstreams.'),
  session: Id.optional().describe('Only calls of this session, by its name in the request log. Omit to get all sessions.'),
  end_user: Id.optional().describe('Only calls of this end user. Omit to get all end users.'),
  tag: Id.optional().describe('Only calls with this tag. Omit to get all tags.'),
  status: z.int().min(100).max(599).optional().describe('Only calls with this HTTP status. Omit to get all statuses.'),
  code: Id.optional().describe('Only calls with this error code. Omit to get all calls.'),
  outcome: outcome.optional().describe('Only calls with this outcome. Omit to get all outcomes.'),
  slower_than: z
    .int()
    .min(0)
    .max(86_400_000)
    .optional()
    .describe('Only calls that took longer than this number of milliseconds. Omit to get all calls.'),
  costs_over: z
    .string()
    .regex(/^\d{1,9}(?:\.\d{1,6})?$/, "must be a US dollar amount such as '0.50'")
    .optional()
    .describe('Only calls that were charged more than this amount, in US dollars. Omit to get all calls.'),
};
export const RequestsQuery = z.strictObject({ ...pageFields, ...filterFields });
const SortedRequestsQuery = RequestsQuery.extend({
  sort: z
    .enum(['time', 'charged', 'duration'])
    .optional()
    .describe(
      "The value to sort by: when the call ended, the amount charged, or the total duration. A call without a charge counts as free. Calls with the same value come newest first. A list of all accounts that isn't sorted by `time` can span at most 7 days. Defaults to `time`.",
    ),
  order: sortOrder,
});
export const RequestsCsvQuery = z.strictObject(filterFields);

const metadata = { tag: 'Usage' } as const satisfies AdminMetadata;

export const requestRoutes = {
  listRequests: {
    method: 'GET',
    path: '/requests',
    query: SortedRequestsQuery,
    responses: { 200: LoggedRequestList },
    summary: 'List requests',
    description:
      'Lists finished calls, newest first by default, whether they succeeded, failed, or were rejected. Calls appear about a second after they end, and are kept for `activity.days` (30 by default).',
    metadata,
  },
  exportRequests: {
    method: 'GET',
    path: '/requests.csv',
    query: RequestsCsvQuery,
    responses: { 200: Csv },
    summary: 'Export requests',
    description:
      'Exports the same list as CSV, streamed, with a header row and one row per call. If the last row is incomplete, the export was interrupted.',
    metadata: { tag: 'Usage', answers: 'text/csv' } as const satisfies AdminMetadata,
  },
  getRequest: {
    method: 'GET',
    path: '/requests/:request_id',
    pathParams: RequestPathParams,
    responses: { 200: ExplainedRequest },
    summary: 'Get a request',
    description:
      "Retrieves all details of a request: its row in the request log, its checks, its attempts, why it was rejected or failed, its receipt, and its ledger entries. Rows are kept for `activity.days` (30 by default), or for `unknownCallers.days` (7 by default) if the key wasn't recognized. Charges are kept permanently.",
    metadata,
  },
} as const;

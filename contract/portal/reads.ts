/** What the holder of a key may read: his account's activity, calls with their receipts, and the models at his prices. */
import { z } from 'zod';
import { Activity, ActivityQuery } from '../admin/activity.ts';
import { Csv, Id } from '../admin/fields.ts';
import { EntriesCsvQuery, EntriesQuery, StatementEntryList } from '../admin/money.ts';
import { Entry, ExplainedRequest, LoggedRequest, LoggedRequestList, RequestsCsvQuery, RequestsQuery } from '../admin/requests.ts';
import { CatalogModel, CatalogPrices } from '../catalog.ts';
import { kind } from '../shared/descriptions.ts';
import { Multiplier } from '../shared/dollars.ts';
import { Receipt, UsageAttempt } from '../usage.ts';
import { answers, metadata } from './answers.ts';

const dimension = z.enum(['model', 'operation', 'code', 'key', 'session']);
export const PortalActivityQuery = ActivityQuery.omit({ upstream: true, account_id: true }).extend({
  group_by: dimension.optional().describe('What a series is. Absent: one series of all calls.'),
  then_by: dimension.optional().describe('A second dimension; each series is one pair. Optional.'),
});
export type PortalActivityQuery = z.infer<typeof PortalActivityQuery>;

export const PortalActivity = Activity.omit({ reconciled: true }).meta({
  id: 'PortalActivity',
  description: 'Sums of the calls of the account over time.',
});

const foreign = { upstream: true, account_id: true } as const;
export const PortalRequestsQuery = RequestsQuery.omit(foreign);
export const PortalRequestsCsvQuery = RequestsCsvQuery.omit(foreign);

const { error, checks, ignored } = ExplainedRequest.shape;
export const PortalRequest = z
  .object({
    object: kind('portal_request'),
    request_id: z.string().describe('The `x-request-id` of the answer.'),
    request: LoggedRequest.nullable().describe('Its row in the request log. Null when the log has none, or no more.'),
    error,
    checks,
    attempts: z.array(UsageAttempt).describe('The last eight attempts at upstreams, good ones included.'),
    ignored,
    receipt: Receipt.nullable().describe('The receipt, as `GET /v1/usage/{request_id}` has it. Null when nothing was held.'),
    entries: z.array(Entry).describe('Its lines in the books of the account. Empty when nothing was charged.'),
  })
  .meta({ id: 'PortalRequest', description: 'What the holder of a key can know about one call of the account.' });
export type PortalRequest = z.infer<typeof PortalRequest>;

export const PortalModel = CatalogModel.omit({ groups: true })
  .extend({
    multiplier: Multiplier.describe('The factor of the group of the account.'),
    effective: CatalogPrices.nullable().describe(
      'The prices times the multiplier, each rounded up to a millionth of a dollar. Null when calls are not charged, or the model has no price.',
    ),
    callable: z.boolean().describe('Whether the key may call it, as far as permissions, prices and the balance go.'),
    rule: z
      .string()
      .nullable()
      .describe(
        'The rule that refuses: `operation`, `group`, `models`, `no_price`, `spending_cap`, `subscription` or `balance`. Null: none.',
      ),
    reason: z.string().nullable().describe('The rule in a sentence for people. Null when none refuses.'),
  })
  .meta({ id: 'PortalModel', description: 'One model, with what it costs the account and whether the key may call it.' });
export type PortalModel = z.infer<typeof PortalModel>;
export const PortalModelList = z
  .object({ object: kind('list'), data: z.array(PortalModel).describe('All models of the catalog, in its order.') })
  .meta({ id: 'PortalModelList', description: 'The catalog as the holder of a key sees it.' });

export const portalReads = {
  getActivity: {
    method: 'GET',
    path: '/portal/v1/activity',
    query: PortalActivityQuery,
    responses: answers('getActivity', PortalActivity),
    summary: 'Get activity',
    description:
      'Sums of the calls of the account by hour, day, week or month, by up to two dimensions. By hour, operation, code or session it answers for at most 7 days.',
    metadata: metadata({ tag: 'Usage' }),
  },
  listRequests: {
    method: 'GET',
    path: '/portal/v1/requests',
    query: PortalRequestsQuery,
    responses: answers('listRequests', LoggedRequestList),
    summary: 'List requests',
    description: 'Calls of the account that ended, newest first: answered, rejected and failed ones. At most 31 days at once.',
    metadata: metadata({ tag: 'Usage' }),
  },
  exportRequests: {
    method: 'GET',
    path: '/portal/v1/requests.csv',
    query: PortalRequestsCsvQuery,
    responses: answers('exportRequests', Csv),
    summary: 'Export requests',
    description: 'The same as CSV, all pages, streamed. A row that ends early was cut off.',
    metadata: metadata({ tag: 'Usage', answers: 'text/csv' }),
  },
  getRequest: {
    method: 'GET',
    path: '/portal/v1/requests/:request_id',
    pathParams: z.object({ request_id: Id.describe('The `x-request-id` of an answer to a key of this account.') }),
    responses: answers('getRequest', PortalRequest),
    summary: 'Get a request',
    description:
      'One call of the account: why it was rejected, or what it cost and how that was calculated. Calls of other accounts return 404.',
    metadata: metadata({ tag: 'Usage' }),
  },
  listEntries: {
    method: 'GET',
    path: '/portal/v1/entries',
    query: EntriesQuery,
    responses: answers('listEntries', StatementEntryList),
    summary: 'List entries',
    description:
      'The statement of the account: every change of its balance, and what its subscriptions paid, newest first, each with the balance after it. Empty when billing is off.',
    metadata: metadata({ tag: 'Usage' }),
  },
  exportEntries: {
    method: 'GET',
    path: '/portal/v1/entries.csv',
    query: EntriesCsvQuery,
    responses: answers('exportEntries', Csv),
    summary: 'Export entries',
    description: 'The same as CSV, all pages, streamed. A row that ends early was cut off.',
    metadata: metadata({ tag: 'Usage', answers: 'text/csv' }),
  },
  listModels: {
    method: 'GET',
    path: '/portal/v1/models',
    responses: answers('listModels', PortalModelList),
    summary: 'List models',
    description: 'All models, each with its prices for the account, whether the key may call it, and the rule where it may not.',
    metadata: metadata({ tag: 'Catalog' }),
  },
} as const;

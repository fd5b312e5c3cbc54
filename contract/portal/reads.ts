/** The reads of key owners: the account's activity, calls with their receipts, and models at the account's prices. */
import { z } from 'zod';
import { Activity, ActivityQuery } from '../admin/activity.ts';
import { Csv, Id } from '../admin/fields.ts';
import { EntriesCsvQuery, EntriesQuery, StatementEntryList } from '../admin/money.ts';
import { Entry, ExplainedRequest, LoggedRequest, LoggedRequestList, RequestsCsvQuery, RequestsQuery } from '../admin/requests.ts';
import { CatalogModel, CatalogPrices } from '../catalog.ts';
import { createTypeField } from '../shared/descriptions.ts';
import { Multiplier } from '../shared/dollars.ts';
import { Receipt, UsageAttempt } from '../usage.ts';
import { createResponses, defineMetadata } from './answers.ts';

const dimension = z.enum(['model', 'operation', 'code', 'key', 'session', 'end_user', 'tag']);
export const PortalActivityQuery = ActivityQuery.omit({ upstream: true, account_id: true }).extend({
  group_by: dimension.optional().describe('The dimension to group by. Omit to get one series of all calls.'),
  then_by: dimension.optional().describe('Optional. A second dimension; each series is then one pair of values.'),
});
export type PortalActivityQuery = z.infer<typeof PortalActivityQuery>;

export const PortalActivity = Activity.omit({ reconciled: true }).meta({
  id: 'PortalActivity',
  description: "Totals of the account's calls over time.",
});

const foreignFilters = { upstream: true, account_id: true } as const;
export const PortalRequestsQuery = RequestsQuery.omit(foreignFilters);
export const PortalRequestsCsvQuery = RequestsCsvQuery.omit(foreignFilters);

const { error, checks, dropped } = ExplainedRequest.shape;
export const PortalRequest = z
  .object({
    object: createTypeField('portal_request'),
    request_id: z.string().describe('The `x-request-id` of the response.'),
    request: LoggedRequest.nullable().describe("The request in the request log. Null if the log doesn't have it, or no longer has it."),
    error,
    checks,
    attempts: z.array(UsageAttempt).describe('The last eight attempts at upstreams, including successful ones.'),
    dropped,
    receipt: Receipt.nullable().describe('The receipt, as returned by `GET /v1/usage/{request_id}`. Null if nothing was reserved.'),
    entries: z.array(Entry).describe("The account's ledger entries for the request. Empty if nothing was charged."),
  })
  .meta({ id: 'PortalRequest', description: 'A call of the account, with everything that the key owner can see about it.' });
export type PortalRequest = z.infer<typeof PortalRequest>;

const medianMs = z.int().min(0).nullable();
export const ModelMeasures = z
  .object({
    first_ms: medianMs.describe('Median time to first event of streams, in milliseconds. Null if no stream started.'),
    total_ms: medianMs.describe('Median duration of successful calls, in milliseconds. Null if no call succeeded.'),
    success: z.number().min(0).max(1).describe("The share of calls that succeeded, from 0 to 1. Rejected calls (4xx) don't count."),
  })
  .meta({ id: 'ModelMeasures', description: 'How a model did in the calls of all accounts in the last 7 days.' });
export type ModelMeasures = z.infer<typeof ModelMeasures>;

export const PortalModel = CatalogModel.omit({ groups: true })
  .extend({
    multiplier: Multiplier.describe("The price multiplier of the account's group."),
    effective: CatalogPrices.nullable().describe(
      'The prices times the multiplier, each rounded up to a millionth of a dollar. Null when billing is off, or if the model has no price.',
    ),
    measures: ModelMeasures.nullable().describe(
      "Its speed and success in the last 7 days, over all accounts. Null with fewer than 20 calls, so that they reveal no single call, and for models that aren't among the 100 most used.",
    ),
    failing: z
      .boolean()
      .describe('Whether calls to the model fail now, because all its upstreams are cooling down in the process that responds.'),
    callable: z.boolean().describe('Whether the key can call the model, judging by permissions, prices, and the balance.'),
    rule: z
      .string()
      .nullable()
      .describe(
        'The rule that rejects calls: `operation`, `group`, `models`, `no_price`, `spending_cap`, `subscription`, or `balance`. Null if none does.',
      ),
    reason: z.string().nullable().describe('A human-readable explanation of the rule. Null if no rule rejects calls.'),
  })
  .meta({ id: 'PortalModel', description: 'A model, with its prices for the account and whether the key can call it.' });
export type PortalModel = z.infer<typeof PortalModel>;
export const PortalModelList = z
  .object({ object: createTypeField('list'), data: z.array(PortalModel).describe('All models of the catalog, in its order.') })
  .meta({ id: 'PortalModelList', description: 'The catalog as the key owner sees it.' });

export const portalReads = {
  getActivity: {
    method: 'GET',
    path: '/portal/v1/activity',
    query: PortalActivityQuery,
    responses: createResponses('getActivity', PortalActivity),
    summary: 'Get activity',
    description:
      "Returns totals of the account's calls by hour, day, week, or month, grouped by up to two dimensions. By hour, operation, code, or session, the range can be at most 7 days.",
    metadata: defineMetadata({ tag: 'Usage' }),
  },
  listRequests: {
    method: 'GET',
    path: '/portal/v1/requests',
    query: PortalRequestsQuery,
    responses: createResponses('listRequests', LoggedRequestList),
    summary: 'List requests',
    description:
      'Lists the finished calls of the account, newest first, whether they succeeded, failed, or were rejected. The range can be at most 31 days.',
    metadata: defineMetadata({ tag: 'Usage' }),
  },
  exportRequests: {
    method: 'GET',
    path: '/portal/v1/requests.csv',
    query: PortalRequestsCsvQuery,
    responses: createResponses('exportRequests', Csv),
    summary: 'Export requests',
    description: 'Exports the same list as CSV, streamed, with all pages. If the last row is incomplete, the export was interrupted.',
    metadata: defineMetadata({ tag: 'Usage', answers: 'text/csv' }),
  },
  getRequest: {
    method: 'GET',
    path: '/portal/v1/requests/:request_id',
    pathParams: z.object({ request_id: Id.describe('The `x-request-id` of a response to any key of the account.') }),
    responses: createResponses('getRequest', PortalRequest),
    summary: 'Get a request',
    description:
      'Retrieves a call of the account: why it was rejected, or what it cost and how the cost was calculated. Calls of other accounts return 404.',
    metadata: defineMetadata({ tag: 'Usage' }),
  },
  listEntries: {
    method: 'GET',
    path: '/portal/v1/entries',
    query: EntriesQuery,
    responses: createResponses('listEntries', StatementEntryList),
    summary: 'List entries',
    description:
      "Lists the account's statement, newest first: every change of its balance and every charge to its subscriptions, each with the balance after it. Empty when billing is off.",
    metadata: defineMetadata({ tag: 'Usage' }),
  },
  exportEntries: {
    method: 'GET',
    path: '/portal/v1/entries.csv',
    query: EntriesCsvQuery,
    responses: createResponses('exportEntries', Csv),
    summary: 'Export entries',
    description: 'Exports the same list as CSV, streamed, with all pages. If the last row is incomplete, the export was interrupted.',
    metadata: defineMetadata({ tag: 'Usage', answers: 'text/csv' }),
  },
  listModels: {
    method: 'GET',
    path: '/portal/v1/models',
    responses: createResponses('listModels', PortalModelList),
    summary: 'List models',
    description: 'Lists all models with their prices for the account, whether the key can call them, and the rule that prevents it.',
    metadata: defineMetadata({ tag: 'Catalog' }),
  },
} as const;

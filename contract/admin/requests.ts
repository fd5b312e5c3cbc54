/** The result of one request, by its request id: the error that the caller got, and the cost. */
import { z } from 'zod';
import { UsageAttempt } from '../usage.ts';
import { kind } from '../wording.ts';
import { Id, Time } from './fields.ts';
import type { AdminMetadata } from './metadata.ts';
import { Usage } from './usage.ts';

const Refusal = z
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
  .meta({ id: 'Refusal', description: 'Why a request was refused or failed.' });

export const ExplainedRequest = z
  .object({
    object: kind('explained_request'),
    request_id: z.string().describe('The `x-request-id` of the answer.'),
    refusal: Refusal.nullable().describe('The refusal or failure. Null when there was none.'),
    usage: Usage.nullable().describe('What was held and charged for it. Null when nothing was held.'),
  })
  .meta({ id: 'ExplainedRequest', description: 'What is known about one request.' });
export type ExplainedRequest = z.infer<typeof ExplainedRequest>;

const RequestPath = z.object({ request_id: Id.describe('The `x-request-id` of the answer.') });

export const requestRoutes = {
  explainRequest: {
    method: 'GET',
    path: '/requests/:request_id',
    pathParams: RequestPath,
    responses: { 200: ExplainedRequest },
    summary: 'Explain a request',
    description:
      'The result of a request, by its id: why it was refused or failed, and what it cost. Refused and failed requests are kept for `refusals.days` (7), `refusals.most` of them (50,000); paid ones permanently. In a flood of refusals only some are kept. A request that succeeded and cost nothing is not kept.',
    metadata: { tag: 'Usage' } as const satisfies AdminMetadata,
  },
} as const;

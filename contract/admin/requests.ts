/** What became of one request, by the id that its answer carried: what the caller was told, and what it cost. */
import { z } from 'zod';
import { UsageAttempt } from '../usage.ts';
import { kind } from '../wording.ts';
import { Id, Time } from './fields.ts';
import type { AdminMetadata } from './metadata.ts';
import { Usage } from './usage.ts';

const Refusal = z
  .object({
    status: z.int().describe('HTTP status of the answer: 200 of a stream that failed after it had begun.'),
    code: z.string().describe('Code of the error, as the caller read it.'),
    param: z.string().nullable().describe('The field at fault. Null: none was.'),
    message: z.string().describe('Message of the error, as the caller read it, cut after 500 characters.'),
    operation: z.string().nullable().describe('Name of the operation. Null where the address is that of none.'),
    model: z.string().nullable().describe('Id of the model, as it was asked for. Null where none could be read.'),
    account_id: z.string().nullable().describe('The account of the caller. Null where the key was not recognised.'),
    key_id: z.string().nullable().describe('The key that it was called with. Null where the key was not recognised.'),
    attempts: z.array(UsageAttempt).describe('Upstreams that were asked, the last eight.'),
    created_at: Time.describe('When the request came.'),
  })
  .meta({ id: 'Refusal', description: 'How a request was refused or failed.' });

export const ExplainedRequest = z
  .object({
    object: kind('explained_request'),
    request_id: z.string().describe('The `x-request-id` of the answer.'),
    refusal: Refusal.nullable().describe('How it was refused or failed. Null where it was neither.'),
    usage: Usage.nullable().describe('What was held and charged for it. Null where it came to no hold.'),
  })
  .meta({ id: 'ExplainedRequest', description: 'What is known of one request.' });
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
      'What became of a request, by its id: how it was refused or failed, and what it cost. Refused and failed requests are kept for `refusals.days` (7), `refusals.most` of them (50,000); paid ones for good. Of a flood of refusals only a part is kept. A request that was answered and cost nothing leaves nothing.',
    metadata: { tag: 'Usage' } as const satisfies AdminMetadata,
  },
} as const;

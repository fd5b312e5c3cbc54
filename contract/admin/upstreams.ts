/** Upstreams as an operator sees them: what rests and why, and a call that shows whether one works now. */
import { z } from 'zod';
import { errorCodes } from '../errors.ts';
import { kind } from '../shared/descriptions.ts';
import { Dollars } from '../shared/dollars.ts';
import { Id, listOf, ModelName, Time } from './fields.ts';
import type { AdminMetadata } from './metadata.ts';

const count = z.int().min(0);

const UpstreamPlace = z
  .object({
    upstream_model: z.string().describe('Name of the model at the upstream.'),
    models: z.array(z.string()).describe('Models of the configuration that it serves.'),
    state: z
      .enum(['closed', 'open', 'half_open'])
      .describe('State of the circuit breaker, the worst over all accounts: `closed` takes calls, `half_open` takes one to try.'),
    cooldown_ms: count.describe('Milliseconds until it is called again, because it failed or asked for a pause; 0: now.'),
  })
  .meta({ id: 'UpstreamPlace', description: 'A model at an upstream, as one process sees it.' });

const UpstreamKey = z
  .object({
    last_four: z.string().describe('The last four characters of the key; more is never shown.'),
    state: z
      .enum(['ready', 'limited', 'rejected'])
      .describe(
        '`ready`: it is used. `limited`: the vendor asked for a pause. `rejected`: the vendor did not accept it (401, 402 or 403).',
      ),
    cooldown_ms: count.describe('Milliseconds until it is used again for every model; 0: now.'),
  })
  .meta({ id: 'UpstreamKey', description: 'A key of the gateway at a vendor, as one process sees it.' });

const UpstreamFailure = z
  .object({
    at: Time.describe('When the call failed.'),
    status: z.int().nullable().describe('HTTP status of the answer. Null: none came.'),
    code: z.string().nullable().describe("The provider's own code or type of the error, else that of the connection. Null: it said none."),
    message: z
      .string()
      .nullable()
      .describe("The provider's own message without keys, cut after 200 characters. It may quote the request. Null: it said none."),
  })
  .meta({ id: 'UpstreamFailure', description: 'The newest failed call that was not a mistake of its caller.' });

const UpstreamNode = z
  .object({
    node: z.string().describe('Id of the process.'),
    places: z.array(UpstreamPlace).describe('The models that the upstream serves.'),
    keys: z.array(UpstreamKey).describe('Its keys. Empty: it needs none.'),
    running: count.nullable().describe('Requests that run there now. Null for a simulator.'),
    waiting: count.nullable().describe('Requests that wait for a place. Null for a simulator.'),
    most: count.nullable().describe('Requests that may run at once. Null for a simulator.'),
    last_failure: UpstreamFailure.nullable().describe('The newest failure there. Null: none since it was opened.'),
  })
  .meta({ id: 'UpstreamNode', description: 'An upstream, as one process sees it.' });

export const UpstreamReport = z
  .object({
    name: z.string().describe('Name of the upstream in the configuration.'),
    object: kind('upstream'),
    kind: z.string().describe('Kind of the upstream, as in the configuration.'),
    host: z.string().nullable().describe('Host and port that it is called at. Null for a simulator.'),
    requests_24h: count.describe('Calls of the last 24 hours, from the full hour on, whose last attempt was there.'),
    errors_24h: count.describe('Those of them that failed.'),
    nodes: z
      .array(UpstreamNode)
      .describe(
        'One for each process of the gateway, the one that answers first. The others report every five seconds; one that has not for 15 is left out, as is one of an earlier version. Empty: no process reports it.',
      ),
  })
  .meta({ id: 'UpstreamReport', description: 'An upstream, and how it is doing.' });
export type UpstreamReport = z.infer<typeof UpstreamReport>;
export const UpstreamReportList = listOf('UpstreamReportList', 'Upstreams of the configuration.', UpstreamReport);

export const UpstreamTestOrder = z
  .strictObject({
    model: ModelName.optional().describe(
      'Model of the configuration to ask for; a text model. Absent: the first that the upstream serves.',
    ),
  })
  .meta({ id: 'UpstreamTestOrder', description: 'What a test call asks for.', examples: [{ model: 'gpt-5.4' }] });

export const UpstreamTest = z
  .object({
    object: kind('upstream_test'),
    upstream: z.string().describe('Name of the upstream.'),
    model: z.string().describe('Model that was asked for.'),
    ok: z.boolean().describe('Whether it answered with status 200 and an answer that can be read.'),
    status: z.int().nullable().describe('Status of the answer. Null: none came.'),
    code: z.enum(errorCodes).nullable().describe('The error code that a caller would get. Null when it worked.'),
    message: z.string().nullable().describe('The error in a sentence. Null when it worked.'),
    provider_code: z.string().nullable().describe("The provider's own code or type of the error. Null: it said none."),
    provider_message: z
      .string()
      .nullable()
      .describe("The provider's own message without keys, cut after 200 characters. Null: it said none."),
    first_ms: count.nullable().describe('Milliseconds to the head of the answer. Null: none came.'),
    total_ms: count.describe('Milliseconds to the end.'),
    input_tokens: count.nullable().describe('Input tokens that the vendor counted. Null: it said nothing.'),
    output_tokens: count.nullable().describe('Output tokens that the vendor counted. Null: it said nothing.'),
    provider_cost: Dollars.nullable().describe(
      'What the vendor bills for it, by the `cost` of the candidate in the configuration. Null: that is not known.',
    ),
  })
  .meta({ id: 'UpstreamTest', description: 'What a test call showed.' });
export type UpstreamTest = z.infer<typeof UpstreamTest>;

export const UpstreamReset = z
  .object({
    object: kind('upstream_reset'),
    upstream: z.string().describe('Name of the upstream.'),
    places: count.describe('Models at it that rested, and are called again.'),
    keys: count.describe('Keys at it that rested, and are used again.'),
  })
  .meta({ id: 'ResetUpstream', description: 'What was reset, in the process that answers.' });

const UpstreamPath = z.object({ upstream: Id.describe('Name of the upstream in the configuration.') });
const metadata = { tag: 'Upstreams' } as const satisfies AdminMetadata;

export const upstreamRoutes = {
  listUpstreams: {
    method: 'GET',
    path: '/upstreams',
    responses: { 200: UpstreamReportList },
    summary: 'List upstreams',
    description: 'Upstreams of the configuration: which models and keys rest there and for how long, and how many requests run.',
    metadata,
  },
  testUpstream: {
    method: 'POST',
    path: '/upstreams/:upstream/test',
    pathParams: UpstreamPath,
    body: UpstreamTestOrder,
    responses: { 200: UpstreamTest },
    summary: 'Test an upstream',
    description:
      'Makes one real, short call, also where the upstream rests. The vendor bills it to you, and no account is charged. At most one in five seconds for each upstream, else 409; it is in the audit log.',
    metadata,
  },
  resetUpstream: {
    method: 'POST',
    path: '/upstreams/:upstream/reset',
    pathParams: UpstreamPath,
    body: null,
    responses: { 200: UpstreamReset },
    summary: 'Reset an upstream',
    description: 'Forgets its failures and pauses in the process that answers, so that calls go there again at once.',
    metadata,
  },
} as const;

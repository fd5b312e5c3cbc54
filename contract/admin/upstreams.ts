/** Upstreams for operators: which ones are unavailable and why, and a test call that checks one of them. */
import { z } from 'zod';
import { errorCodes } from '../errors.ts';
import { createTypeField } from '../shared/descriptions.ts';
import { Dollars } from '../shared/dollars.ts';
import { createListSchema, Id, ModelName, Time } from './fields.ts';
import type { AdminMetadata } from './metadata.ts';

const count = z.int().min(0);

const UpstreamPlace = z
  .object({
    upstream_model: z.string().describe('The name of the model at the upstream.'),
    models: z.array(z.string()).describe('The configured models that it serves.'),
    state: z
      .enum(['closed', 'open', 'half_open'])
      .describe(
        'The state of the circuit breaker: the worst state of all accounts. `closed`: calls are sent. `half_open`: one call is sent as a probe. `open`: no calls are sent.',
      ),
    cooldown_ms: count.describe(
      'Milliseconds until the model is called again, because it failed or asked for a pause. 0 if calls are sent now.',
    ),
  })
  .meta({ id: 'UpstreamPlace', description: 'A model at an upstream, as seen by one process.' });

const UpstreamKey = z
  .object({
    last_four: z.string().describe('The last four characters of the key. The remainder is never returned.'),
    state: z
      .enum(['ready', 'limited', 'rejected'])
      .describe(
        "`ready`: the key is in use. `limited`: the provider asked for a pause. `rejected`: the provider didn't accept the key (401, 402, or 403).",
      ),
    cooldown_ms: count.describe("Milliseconds until the key is used again for every model. 0 if it's used now."),
  })
  .meta({ id: 'UpstreamKey', description: "One of the gateway's keys at a provider, as seen by one process." });

const UpstreamFailure = z
  .object({
    at: Time.describe('When the call failed.'),
    status: z.int().nullable().describe('The HTTP status of the response. Null if no response arrived.'),
    code: z
      .string()
      .nullable()
      .describe("The provider's own code or type of the error, or else the connection error code. Null if neither is known."),
    message: z
      .string()
      .nullable()
      .describe(
        "The provider's own error message without keys, cut after 200 characters. It may quote the request. Null if the provider sent none.",
      ),
  })
  .meta({
    id: 'UpstreamFailure',
    description: "The latest failed call, except for calls that failed because of the caller's own mistake.",
  });

const UpstreamNode = z
  .object({
    node: z.string().describe('The ID of the process.'),
    places: z.array(UpstreamPlace).describe('The models that the upstream serves.'),
    keys: z.array(UpstreamKey).describe('The keys of the upstream. Empty if it needs none.'),
    running: count.nullable().describe('Number of requests in flight. Null for a simulator.'),
    waiting: count.nullable().describe('Number of requests that are waiting for capacity. Null for a simulator.'),
    max_concurrency: count.nullable().describe('Maximum number of concurrent requests. Null for a simulator.'),
    loaded_at: Time.nullable().describe("When the process loaded the upstream's settings, including its keys. Null for a simulator."),
    last_failure: UpstreamFailure.nullable().describe(
      'The latest failure at the upstream. Null if there was none since the process opened it.',
    ),
  })
  .meta({ id: 'UpstreamNode', description: 'An upstream, as seen by one process.' });

export const OutageImpact = z
  .object({
    failed_calls: count
      .nullable()
      .describe(
        'Number of calls that failed since then: their last attempt was at the upstream, or no upstream was available for their model. Null if the start of the outage is unknown.',
      ),
    models: z.array(z.string()).describe('The configured models without another candidate: all of their candidates are cooling down.'),
  })
  .meta({ id: 'OutageImpact', description: 'The effect of an upstream outage on calls.' });
export type OutageImpact = z.infer<typeof OutageImpact>;

export const UpstreamReport = z
  .object({
    name: z.string().describe('The name of the upstream in the configuration.'),
    object: createTypeField('upstream'),
    kind: z.string().describe('The kind of the upstream, as in the configuration.'),
    host: z.string().nullable().describe('The host and port of the upstream. Null for a simulator.'),
    requests_24h: count.describe(
      'Number of calls whose last attempt was at this upstream, over the last 24 hours, rounded down to the full hour.',
    ),
    errors_24h: count.describe('Number of those calls that failed.'),
    unavailable_since: Time.nullable().describe(
      "Since when at least one of its models has been cooling down without a break, as first seen by a process. Processes check every 5 seconds, and forget it within 20 seconds. Null if no model is, or if that's unknown.",
    ),
    impact: OutageImpact.nullable().describe(
      'What the outage does to calls since `unavailable_since`. Null if no model of the upstream is cooling down.',
    ),
    nodes: z
      .array(UpstreamNode)
      .describe(
        "The state in each gateway process; the process that serves this request comes first. The other processes report every 5 seconds. Processes of an earlier version, and those that haven't reported for 15 seconds, are omitted. Empty if no process reports it.",
      ),
  })
  .meta({ id: 'UpstreamReport', description: 'An upstream, with its health.' });
export type UpstreamReport = z.infer<typeof UpstreamReport>;
export const UpstreamReportList = createListSchema('UpstreamReportList', 'A list of the configured upstreams.', UpstreamReport);

export const UpstreamTestRequest = z
  .strictObject({
    model: ModelName.optional().describe('The configured text model to call. Defaults to the first one that the upstream serves.'),
  })
  .meta({ id: 'UpstreamTestOrder', description: 'Options for a test call.', examples: [{ model: 'gpt-5.4' }] });

export const UpstreamTest = z
  .object({
    object: createTypeField('upstream_test'),
    upstream: z.string().describe('The name of the upstream.'),
    model: z.string().describe('The model that was called.'),
    ok: z.boolean().describe('Whether the upstream returned status 200 and a valid response.'),
    status: z.int().nullable().describe('The HTTP status of the response. Null if no response arrived.'),
    code: z.enum(errorCodes).nullable().describe('The error code that a caller would get. Null if the test succeeded.'),
    message: z.string().nullable().describe('A human-readable description of the error. Null if the test succeeded.'),
    provider_code: z.string().nullable().describe("The provider's own code or type of the error. Null if the provider sent none."),
    provider_message: z
      .string()
      .nullable()
      .describe("The provider's own error message without keys, cut after 200 characters. Null if the provider sent none."),
    headers_ms: count.nullable().describe('Milliseconds until the response headers. Null if no response arrived.'),
    total_ms: count.describe('Milliseconds until the end of the response.'),
    input_tokens: count.nullable().describe('Input tokens, as counted by the provider. Null if it reported none.'),
    output_tokens: count.nullable().describe('Output tokens, as counted by the provider. Null if it reported none.'),
    provider_cost: Dollars.nullable().describe(
      "The provider cost of the call, by the `cost` of the candidate in the configuration. Null if it's unknown.",
    ),
  })
  .meta({ id: 'UpstreamTest', description: 'The result of a test call.' });
export type UpstreamTest = z.infer<typeof UpstreamTest>;

const CheckedKey = z
  .object({
    last_four: z.string().nullable().describe('The last four characters of the key. Null for a fetched token, or without a key.'),
    state: z
      .enum(['ok', 'warning', 'fault', 'skipped'])
      .describe(
        "`ok`: the provider accepted the key. `warning`: the provider's response doesn't show whether it did. `fault`: the provider rejected the key, or didn't respond. `skipped`: the upstream has no model list for its keys.",
      ),
    message: z.string().describe("The provider's response, and its duration."),
    hint: z.string().nullable().describe('How to fix the problem. Null if the key was accepted.'),
  })
  .meta({ id: 'CheckedKey', description: 'A key at a provider, as checked with its model list.' });

export const UpstreamKeyCheck = z
  .object({
    object: createTypeField('upstream_key_check'),
    upstream: z.string().describe('The name of the upstream.'),
    ok: z.boolean().describe('Whether the provider accepted every key.'),
    keys: z.array(CheckedKey).describe('The keys in use, in the order of the configuration.'),
  })
  .meta({ id: 'UpstreamKeyCheck', description: "The result of a check of an upstream's keys." });
export type UpstreamKeyCheck = z.infer<typeof UpstreamKeyCheck>;

export const UpstreamReset = z
  .object({
    object: createTypeField('upstream_reset'),
    upstream: z.string().describe('The name of the upstream.'),
    places: count.describe('Number of models that were cooling down and are called again.'),
    keys: count.describe('Number of keys that were cooling down and are used again.'),
  })
  .meta({ id: 'ResetUpstream', description: 'The upstream that was reset, in the process that served this request.' });

const UpstreamPathParams = z.object({ upstream: Id.describe('The name of the upstream in the configuration.') });
const metadata = { tag: 'Upstreams' } as const satisfies AdminMetadata;

export const upstreamRoutes = {
  listUpstreams: {
    method: 'GET',
    path: '/upstreams',
    responses: { 200: UpstreamReportList },
    summary: 'List upstreams',
    description:
      'Lists the configured upstreams: which models and keys are cooling down and for how long, and how many requests are in flight.',
    metadata,
  },
  testUpstream: {
    method: 'POST',
    path: '/upstreams/:upstream/test',
    pathParams: UpstreamPathParams,
    body: UpstreamTestRequest,
    responses: { 200: UpstreamTest },
    summary: 'Test an upstream',
    description:
      'Makes one short, real request, even if the upstream is cooling down. The provider bills you for it; no account is charged. Each upstream can be tested once every 5 seconds; more often returns 409. The test is recorded in the audit log.',
    metadata,
  },
  checkUpstreamKeys: {
    method: 'POST',
    path: '/upstreams/:upstream/check-keys',
    pathParams: UpstreamPathParams,
    body: null,
    responses: { 200: UpstreamKeyCheck },
    summary: "Check an upstream's keys",
    description:
      "Requests the provider's list of models with each key that the process uses, which is free. A simulator returns 409 `conflict`.",
    metadata,
  },
  resetUpstream: {
    method: 'POST',
    path: '/upstreams/:upstream/reset',
    pathParams: UpstreamPathParams,
    body: null,
    responses: { 200: UpstreamReset },
    summary: 'Reset an upstream',
    description:
      'Clears the recorded failures and pauses of an upstream in the process that serves this request, so that calls are sent to it again immediately.',
    metadata,
  },
} as const;

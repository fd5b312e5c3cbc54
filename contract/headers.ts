/** Headers of this API: their meaning, the responses that have them, and the operations that read or send them. */
import { z } from 'zod';
import type { OperationName } from './operation-errors.ts';

interface HeaderRow {
  readonly description: string;
  readonly schema: z.ZodType;
  readonly example: string | number;
}
interface ResponseHeaderRow extends HeaderRow {
  /** Statuses of the responses that can have the header. */
  readonly on: 'all' | readonly number[];
}

/** Statuses that are possible after authentication, when the key's limits are known. */
const authenticatedStatuses = [200, 400, 403, 404, 409, 413, 415, 429, 500, 502, 503, 504];
/** Statuses that are possible after a request to an upstream. */
const upstreamCallStatuses = [200, 400, 413, 429, 500, 502, 503, 504];
const successStatuses = [200];
const count = z.int().min(0);

export const responseHeaders = {
  'x-request-id': {
    description: 'The ID of this request. Include it when you report a problem, so that the operator can find the log entry.',
    schema: z.string(),
    example: 'req_01k5h2r7c8v9',
    on: 'all',
  },
  'retry-after': {
    description: 'Seconds to wait before the next attempt.',
    schema: z.int().min(1),
    example: 2,
    on: [409, 429, 503],
  },
  'retry-after-ms': { description: 'Milliseconds to wait before the next attempt.', schema: count, example: 1500, on: [429, 503] },
  'www-authenticate': {
    description: 'The authentication scheme that the gateway accepts.',
    schema: z.string(),
    example: 'Bearer',
    on: [401],
  },
  upgrade: { description: 'The protocol that the gateway supports.', schema: z.string(), example: 'HTTP/1.1', on: [426] },
  allow: { description: 'The methods that this URL supports.', schema: z.string(), example: 'POST', on: [405] },
  'x-ratelimit-limit-requests': {
    description: 'The maximum number of requests per minute. Omitted if not limited.',
    schema: count,
    example: 60,
    on: authenticatedStatuses,
  },
  'x-ratelimit-remaining-requests': {
    description: 'The number of requests remaining.',
    schema: count,
    example: 59,
    on: authenticatedStatuses,
  },
  'x-ratelimit-reset-requests': {
    description: 'Time until the request limit is fully restored.',
    schema: z.string(),
    example: '1s',
    on: authenticatedStatuses,
  },
  'x-ratelimit-limit-tokens': {
    description: 'The maximum number of tokens per minute. Omitted if not limited.',
    schema: count,
    example: 100_000,
    on: authenticatedStatuses,
  },
  'x-ratelimit-remaining-tokens': {
    description: 'The number of tokens remaining, minus an estimate for this call.',
    schema: count,
    example: 98_760,
    on: authenticatedStatuses,
  },
  'x-ratelimit-reset-tokens': {
    description: 'Time until the token limit is fully restored.',
    schema: z.string(),
    example: '744ms',
    on: authenticatedStatuses,
  },
  'idempotent-replayed': {
    description: '`true` if this is the response of an earlier request with the same idempotency key.',
    schema: z.string(),
    example: 'true',
    on: successStatuses,
  },
  'x-modelgate-attempts': {
    description:
      'The upstreams that were tried, in order. For each: its name, the status of its response if there was one, the error, and the duration in milliseconds.',
    schema: z.string(),
    example: 'main;status=503;error=upstream_unavailable;ms=12, backup;status=200;ms=340',
    on: upstreamCallStatuses,
  },
  'x-modelgate-protocol': {
    description:
      'The API that the gateway used for the upstream (`responses` or `chat`). Set only if the gateway switched APIs because the provider rejects such calls on yours.',
    schema: z.string(),
    example: 'responses',
    on: upstreamCallStatuses,
  },
  'x-modelgate-cost': {
    description:
      'The amount charged for the response, in US dollars. The charge of a stream is known at its end; retrieve it with `GET /v1/usage/{request_id}`.',
    schema: z.string(),
    example: '0.004760',
    on: upstreamCallStatuses,
  },
  'x-modelgate-output-limit': {
    description: "The output limit in tokens that the gateway set, because the account can't pay for more.",
    schema: count,
    example: 2048,
    on: upstreamCallStatuses,
  },
  'x-modelgate-dropped': {
    description:
      "The fields, items, and tools of the request that the gateway didn't send to the upstream, such as `messages[2].name`: up to 32 paths, then the number of the others (`and-7-more`).",
    schema: z.string(),
    example: 'seed, messages[2].name',
    on: successStatuses,
  },
} as const satisfies Record<string, ResponseHeaderRow>;
export type ResponseHeader = keyof typeof responseHeaders;

export const requestHeaders = {
  authorization: { description: 'Your API key: `Bearer <API_KEY>`.', schema: z.string(), example: 'Bearer <API_KEY>' },
  'content-encoding': {
    description: 'The compression of a JSON body: `gzip`, `deflate`, `br`, or `zstd`.',
    schema: z.string(),
    example: 'gzip',
  },
  'idempotency-key': {
    description:
      "Optional. A key of your choice that identifies this request. Another request with the same key within 24 hours returns the response of the first one and isn't charged; while the first one is in flight, it returns 409.",
    schema: z
      .string()
      .min(1)
      .max(255)
      .regex(/^[!-~]+$/),
    example: '5f1c2a9e-7d0b-4b8e-9a52-3d1f6f0a8c11',
  },
  'x-modelgate-scenario': {
    description:
      'Optional. The scenario that a simulator plays, such as `error 503` or `cut 3`. An unknown scenario returns 400 with a list of all scenarios. If omitted, the prompt can name a scenario. Other upstreams and replays of recorded calls ignore this header.',
    schema: z.string(),
    example: 'error 503',
  },
  traceparent: {
    description: 'The trace that the request belongs to (W3C Trace Context), if the gateway records traces. Omit to start a new trace.',
    schema: z.string(),
    example: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  },
} as const satisfies Record<string, HeaderRow>;
export type RequestHeader = keyof typeof requestHeaders;

interface OperationHeaders {
  readonly reads: readonly RequestHeader[];
  readonly sends: readonly ResponseHeader[];
}

const commonHeaders = ['x-request-id', 'retry-after', 'retry-after-ms', 'upgrade'] as const;
const keyedHeaders = [
  ...commonHeaders,
  'www-authenticate',
  ...(['x-ratelimit-limit-requests', 'x-ratelimit-remaining-requests', 'x-ratelimit-reset-requests'] as const),
  ...(['x-ratelimit-limit-tokens', 'x-ratelimit-remaining-tokens', 'x-ratelimit-reset-tokens'] as const),
] as const;

const readHeaders: OperationHeaders = { reads: ['authorization', 'traceparent'], sends: keyedHeaders };
/** These operations don't count toward rate limits, so their responses have no rate limit headers. */
const ownReadHeaders: OperationHeaders = { reads: ['authorization', 'traceparent'], sends: [...commonHeaders, 'www-authenticate'] };
const callHeaders: OperationHeaders = {
  reads: ['authorization', 'content-encoding', 'idempotency-key', 'x-modelgate-scenario', 'traceparent'],
  sends: [
    ...keyedHeaders,
    ...(['idempotent-replayed', 'x-modelgate-attempts', 'x-modelgate-protocol', 'x-modelgate-cost'] as const),
    ...(['x-modelgate-output-limit', 'x-modelgate-dropped'] as const),
  ],
};

export const operationHeaders = {
  listModels: readHeaders,
  getModel: readHeaders,
  getProtocol: ownReadHeaders,
  getCatalog: { reads: ['traceparent'], sends: commonHeaders },
  createResponse: callHeaders,
  getResponse: readHeaders,
  deleteResponse: { ...readHeaders, reads: ['authorization', 'content-encoding', 'traceparent'] },
  cancelResponse: { ...readHeaders, reads: ['authorization', 'content-encoding', 'traceparent'] },
  compactResponse: callHeaders,
  listInputItems: readHeaders,
  countInputTokens: { ...readHeaders, reads: ['authorization', 'content-encoding', 'traceparent'] },
  createChatCompletion: callHeaders,
  generateImages: callHeaders,
  editImages: callHeaders,
  listUsage: ownReadHeaders,
  getUsage: ownReadHeaders,
  getAccount: ownReadHeaders,
  getKey: ownReadHeaders,
  getUsageSummary: ownReadHeaders,
  listStatement: ownReadHeaders,
} as const satisfies Record<OperationName, OperationHeaders>;

export const adminResponseHeaders = [
  'x-request-id',
  'retry-after',
  'retry-after-ms',
  'www-authenticate',
] as const satisfies readonly ResponseHeader[];

export const portalResponseHeaders = [
  'x-request-id',
  'retry-after',
  'retry-after-ms',
  'upgrade',
] as const satisfies readonly ResponseHeader[];

/** Returns the headers that a response with this status can have. */
export function listHeaders(sends: readonly ResponseHeader[], status: number): ResponseHeader[] {
  return sends.filter((name) => {
    const statuses: ResponseHeaderRow['on'] = responseHeaders[name].on;
    return statuses === 'all' || statuses.includes(status);
  });
}

/** Headers that answers carry, as components and by status (specification parts 7 and 8). */
const text = { type: 'string' };

const count = { type: 'integer', minimum: 0 };

/** Headers of the callers' document alone: of the tightest limit that a call counts towards, and its cost. */
export const callerHeaders = {
  'x-ratelimit-limit-requests': { description: 'Most requests a minute. Absent where nothing limits them.', schema: count, example: 60 },
  'x-ratelimit-remaining-requests': { description: 'Requests that are left now.', schema: count, example: 59 },
  'x-ratelimit-reset-requests': { description: 'Time until all of them are back.', schema: text, example: '1s' },
  'x-ratelimit-limit-tokens': { description: 'Most tokens a minute. Absent where nothing limits them.', schema: count, example: 100_000 },
  'x-ratelimit-remaining-tokens': {
    description: 'Tokens that are left now, this call taken off by a rough count.',
    schema: count,
    example: 98_760,
  },
  'x-ratelimit-reset-tokens': { description: 'Time until all of them are back.', schema: text, example: '744ms' },
  'idempotent-replayed': {
    description: '`true` where this is the answer of an earlier request with the same idempotency key.',
    schema: text,
    example: 'true',
  },
  'x-modelgate-attempts': {
    description:
      'The upstreams that were asked, in order: the name of each, the status of its answer where there was one, the error, and milliseconds.',
    schema: text,
    example: 'main;status=503;error=overloaded;ms=12, backup;status=200;ms=340',
  },
  'x-modelgate-cost': {
    description: 'Dollars that a whole answer was charged. Of a stream nobody knows before its end; `GET /v1/usage/{request_id}` tells it.',
    schema: text,
    example: '0.003130',
  },
};

export const limitHeaders = ['requests', 'tokens'].flatMap((quantity) =>
  ['limit', 'remaining', 'reset'].map((what) => `x-ratelimit-${what}-${quantity}`),
);

export const headers = {
  'x-request-id': {
    description: 'Id of this request. Name it when you report a problem: it leads to the log entry.',
    schema: text,
    example: 'req_01k5h2r7c8v9',
  },
  'retry-after': { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer', minimum: 1 }, example: 2 },
  'retry-after-ms': { description: 'The same wait in milliseconds.', schema: { type: 'integer', minimum: 0 }, example: 1500 },
  'www-authenticate': { description: 'The scheme that the gateway takes.', schema: text, example: 'Bearer' },
  upgrade: { description: 'The protocol that the gateway speaks.', schema: text, example: 'HTTP/1.1' },
  allow: { description: 'The methods that this address takes.', schema: text, example: 'POST' },
};

/** A header that requests with a body may carry. */
export const idempotencyKey = {
  name: 'idempotency-key',
  in: 'header',
  required: false,
  description:
    'A name of your choice for this request. Sent again within 24 hours, it gets the answer of the first and is not charged; while the first runs it gets 409. Absent: each attempt is a request of its own, and is charged.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  example: '5f1c2a9e-7d0b-4b8e-9a52-3d1f6f0a8c11',
};

type HeaderName = keyof typeof headers;

const byStatus: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['www-authenticate'],
  405: ['allow'],
  426: ['upgrade'],
  429: ['retry-after', 'retry-after-ms'],
  503: ['retry-after'],
};

/** References to the headers of an answer with this status, and to those named. */
export function answerHeaders(status: number, more: readonly string[] = []) {
  const names: readonly string[] = ['x-request-id', ...(byStatus[status] ?? []), ...more];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

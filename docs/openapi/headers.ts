/** Headers that answers carry, as components and by status (specification parts 7 and 8). */
const text = { type: 'string' };

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

type HeaderName = keyof typeof headers;

const byStatus: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['www-authenticate'],
  405: ['allow'],
  426: ['upgrade'],
  429: ['retry-after', 'retry-after-ms'],
  503: ['retry-after'],
};

/** References to the headers of an answer with this status. */
export function answerHeaders(status: number) {
  const names: readonly HeaderName[] = ['x-request-id', ...(byStatus[status] ?? [])];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Requests whose body is good and whose address, headers or content type are not what a client library would send. */
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { canary, oddText } from './hostile.ts';
import type { Expectation } from './oracle.ts';
import { type Head, jsonType, operations } from './requests.ts';

export interface HeadCase {
  readonly head: Head;
  readonly body: string;
  readonly expects: Expectation;
}

const chat = operations.chat;
const good = JSON.stringify(chat.plain);

const names = [
  ...['x-a', 'X-Forwarded-For', 'forwarded', 'x-request-id', 'idempotency-key', 'authorization', 'cookie', 'accept', 'user-agent', 'te'],
  ...['expect', 'content-encoding', 'content-language', 'openai-organization', '__proto__', 'constructor', 'x-stainless-retry-count'],
  ...[
    'accept-encoding',
    'connection',
    'proxy-connection',
    'keep-alive',
    'upgrade',
    'http2-settings',
    'range',
    'if-none-match',
    'traceparent',
  ],
  ...[
    'x-http-method-override',
    'x-original-url',
    'x-rewrite-url',
    'host',
    'date',
    'via',
    'max-forwards',
    'trailer',
    'x-ä',
    'x a',
    '',
    ':path',
    'x\u0000',
  ],
];
/** As bytes: what is beyond latin1 comes in UTF-8. */
const bytesOf = (text: string): string => Buffer.from(text).toString('latin1');
const values = fc.oneof(
  oddText.map(bytesOf),
  fc.string({ unit: 'binary-ascii', maxLength: 40 }),
  fc.constantFrom(
    'a\r\nx-injected: 1',
    'a\nx-injected: 1',
    'a\rx-injected: 1',
    'a\u0000b',
    '\u007f',
    '\u0080\u00ff',
    canary,
    'chunked',
    'close',
    'gzip',
    '100-continue',
  ),
  fc.integer({ min: 1, max: 20_000 }).map((length) => 'v'.repeat(length)),
);

/** More than four times of what is taken says nothing new. */
const MAX_HEADER_BYTES = 65_536;
const repeat = (line: string, times: number): string[] =>
  Array.from({ length: Math.min(times, Math.ceil(MAX_HEADER_BYTES / line.length)) }, () => line);

/** One header after the other; what breaks a line breaks it here, too. */
export const headers = (key: string): fc.Arbitrary<HeadCase> =>
  fc
    .tuple(
      fc.array(fc.tuple(fc.constantFrom(...names), values), { minLength: 1, maxLength: 3 }),
      fc.constantFrom(1, 1, 1, 1, 2, 150, 3_000),
    )
    .map(([pairs, times]) => ({
      head: {
        path: chat.path,
        key,
        headers: [jsonType, ...pairs.flatMap(([name, value]) => repeat(`${name}: ${value}`, times))],
      },
      body: good,
      expects: 'any',
    }));

const pieces = [
  ...[
    'v1',
    'v1',
    'models',
    'responses',
    'chat',
    'completions',
    'images',
    'edits',
    'usage',
    'catalog',
    'docs',
    'livez',
    'admin',
    'openapi.json',
    'openapi-3.2.json',
  ],
  ...[
    '..',
    '.',
    '',
    '%2e%2e',
    '%2f',
    '%5c',
    '%00',
    '%0d%0a',
    '%',
    '%zz',
    '%c0%af',
    '%ff',
    'a;b',
    '@',
    '*',
    ':id',
    '{id}',
    '\\',
    '~',
    'resp_1',
  ],
  ...[
    '__proto__',
    'constructor',
    'input_items',
    'é',
    '\u00ff',
    "'",
    '"',
    '<',
    '|',
    'V1',
    'req_0',
    canary,
    'compact',
    'assets',
    'viewer.js',
  ],
];
const queries = [
  '?',
  '?a',
  '?a=1&a=2',
  '?limit=1e400',
  '?limit=-1',
  '?limit=',
  '?__proto__=1',
  '?a[b]=c',
  '?%',
  '?%00',
  '?after=%ff',
  '?#',
  '??',
  '?client_version=0',
];
const methods = ['GET', 'GET', 'GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'TRACE', 'PROPFIND'];

export const addresses = (key: string): fc.Arbitrary<HeadCase> =>
  fc
    .tuple(
      fc.constantFrom(...methods),
      fc.constantFrom('/', '//', '/v1/', '/v1//', '/./', '/v1/responses/', '/v1/usage/', '/v1/../'),
      fc.array(fc.constantFrom(...pieces), { maxLength: 5 }),
      fc.constantFrom('', '', '', '/', ...queries),
      fc.constantFrom(1, 1, 1, 1, 100, 900, 6_000),
    )
    .map(([method, start, parts, query, times]) => ({
      head: {
        method,
        path: bytesOf(start + parts.join('/').repeat(times).slice(0, 20_000) + query).replace(/ /g, '%20'),
        key,
        headers: [jsonType],
      },
      body: method === 'POST' ? '{}' : '',
      expects: 'any',
    }));

const types = [
  ...[
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'multipart/form-data; boundary=x',
    'json',
  ],
  ...[
    'application/json, text/plain',
    'application/jsonx',
    'application',
    '/',
    ';',
    'application/json5',
    'text/json',
    'application/x-ndjson',
    '',
  ],
  ...['application/octet-stream', 'image/png', 'application/json/', '__proto__', 'constructor', 'application//json', 'a'.repeat(2_000)],
];
const readable = [
  'application/json',
  'Application/JSON',
  'application/json;charset=utf-8',
  'application/json; charset=utf-16',
  'application/vnd.api+json',
];
const packers: Readonly<Record<string, (text: string) => Buffer>> = {
  gzip: (text) => gzipSync(text),
  br: (text) => brotliCompressSync(text),
  deflate: (text) => deflateSync(text),
  zstd: (text) => zstdCompressSync(text),
};

export interface PackedCase {
  readonly head: Head;
  readonly body: Buffer;
  readonly expects: Expectation;
}

/** A body of a type that is not taken, or under an encoding that does not fit. */
export const contentTypes: (key: string) => fc.Arbitrary<PackedCase> = (key) =>
  fc.oneof(
    fc.constantFrom(...types).map(
      (type): PackedCase => ({
        head: { path: chat.path, key, headers: [`content-type: ${type}`] },
        body: Buffer.from(good),
        expects: 'rejected',
      }),
    ),
    fc.tuple(fc.constantFrom(...readable), fc.constantFrom(...types)).map(
      ([type, second]): PackedCase => ({
        head: { path: chat.path, key, headers: [`content-type: ${type}`, `content-type: ${second}`] },
        body: Buffer.from(good),
        expects: 'any',
      }),
    ),
    fc
      .tuple(
        fc.constantFrom(...Object.keys(packers)),
        fc.constantFrom(...Object.keys(packers), 'identity', 'gzip, gzip', 'x', 'GZIP', ''),
        fc.nat(),
        fc.integer({ min: -1, max: 255 }),
      )
      .map(([packed, named, place, byte]): PackedCase => {
        const body = Buffer.from(packers[packed]?.(good) ?? good);
        const at = place % body.length;
        // Below zero: the body is whole.
        if (byte >= 0) body[at] = byte;
        return {
          head: { path: chat.path, key, headers: [jsonType, `content-encoding: ${named}`] },
          body: place % 7 === 0 ? body.subarray(0, at) : body,
          expects: 'any',
        };
      }),
  );

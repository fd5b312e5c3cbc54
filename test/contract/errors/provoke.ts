/** Provokes the errors that an API names for its operations: by a state of the gateway, or by mistakes in a valid request until one gets the code. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type ErrorCode, errorTable } from '../../../contract/errors.ts';
import { StorageError } from '../../../server/store/errors.ts';
import { type RawAnswer, talk } from '../../harness/raw.ts';
import { spoil } from './spoil.ts';

type HttpResponse = Response | RawAnswer;
export type Provoke<Name extends string> = (operation: Name) => Promise<HttpResponse>;
export type States<Name extends string> = { readonly [Code in ErrorCode]?: Provoke<Name> };
/** The states of a gateway, each opened when it is first used. */
export type Kind = 'plain' | 'hasty' | 'broken' | 'without store' | 'without billing' | 'guessed' | 'reloading';

interface Route {
  readonly method: string;
  readonly path: string;
  readonly query?: unknown;
  readonly body?: unknown;
  readonly responses: object;
}
type Routes<Name extends string> = Readonly<Record<Name, Route>>;

/** Changes of a valid request. */
export interface Change {
  /** Instead of an unknown id in the path. */
  readonly id?: string;
  readonly query?: string;
  readonly body?: string;
  /** Empty ones are omitted. */
  readonly headers?: Record<string, string>;
}

interface ValidRequest extends Change {
  readonly origin: string;
}

interface Api<Name extends string> {
  readonly contract: Routes<Name>;
  readonly openRequest: (operation: Name, kind: Kind) => Promise<ValidRequest>;
}

/** Opens what each name stands for when it is first used, and closes all of it. */
export function openByName<Key, T extends { close(): Promise<void> }>(start: (name: Key) => Promise<T>) {
  const opened = new Map<Key, Promise<T>>();
  return {
    open(name: Key): Promise<T> {
      const opening = opened.get(name) ?? start(name);
      opened.set(name, opening);
      return opening;
    },
    async close(): Promise<void> {
      for (const one of opened.values()) await (await one).close();
    },
  };
}

/** What a store does in such a gateway: its code throws, or the store is gone. */
export const createFault = (kind: Kind) => (): Promise<never> => {
  if (kind === 'broken') throw new TypeError('an unforeseen fault');
  return Promise.reject(new StorageError('the store is gone'));
};

/** A way to provoke an error; `param`: the field that the error must name. */
interface Way<Name extends string> {
  readonly provoke: Provoke<Name>;
  readonly param?: string | null;
}

/** Tests every error that an operation names: status, code, and body as in the contract. At least one of the ways must get the code. */
export function testErrors<Name extends string>(
  caller: string,
  { contract, errors }: { readonly contract: Routes<Name>; readonly errors: Readonly<Record<Name, readonly ErrorCode[]>> },
  findWays: (operation: Name, code: ErrorCode) => Promise<readonly Way<Name>[]>,
): void {
  // `as`: the keys of an object are those of its type.
  const operations = (Object.keys(errors) as Name[]).map((operation) => ({ operation, codes: [...new Set(errors[operation])] }));
  describe.each(operations)(`${caller} $operation`, ({ operation, codes }) => {
    test.each(codes)('gets %s', async (code) => {
      const found: unknown[] = [];
      for (const { provoke, param } of await findWays(operation, code)) {
        const { status, body } = await read(await provoke(operation));
        found.push(body);
        if (!JSON.stringify(body).includes(`"code":"${code}"`)) continue;
        expect({ status, body }).toMatchObject({
          status: errorTable[code].status,
          body: { error: { code, ...(param !== undefined && { param }) } },
        });
        // `as`: the responses of a route are a literal table; a status that came over the wire is a plain number.
        const schema = (contract[operation].responses as Readonly<Record<number, z.ZodType>>)[status];
        expect(schema?.safeParse(body).error ?? null).toBeNull();
      }
      expect(found).toContainEqual(expect.objectContaining({ error: expect.objectContaining({ code }) }));
    });
  });
}

async function read(response: HttpResponse): Promise<{ readonly status: number; readonly body: unknown }> {
  const text = response instanceof Response ? await response.text() : response.body;
  // An accepted change may get a table.
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
}

/** Changes of the path, the query and the body, for operations with a place for them. */
const changes: { readonly [Code in ErrorCode]?: readonly Change[] } = {
  string_above_max_length: [
    { id: 'x'.repeat(201) },
    ...['after', 'account_id', 'key_id', 'actor'].map((name) => ({ query: `?${name}=${'x'.repeat(201)}` })),
    { query: `?under=${'x'.repeat(301)}` },
    { query: `?q=${'x'.repeat(101)}` },
    { query: `?name=${'x'.repeat(201)}&section=models` },
    { body: JSON.stringify({ name: 'x', ip_ranges: ['1'.repeat(65)] }) },
  ],
  empty_string: [
    { id: '' },
    ...['after', 'account_id', 'key_id', 'actor', 'under', 'q'].map((name) => ({ query: `?${name}=` })),
    { query: '?name=&section=models' },
    { body: JSON.stringify({ name: 'x', ip_ranges: [''] }) },
  ],
  invalid_value: [
    { id: '%00' },
    ...[
      'after=nobody',
      'from=noon',
      'section=nothing&name=m',
      'kind=nothing',
      'range=ever',
      'source=nowhere',
      'scope=nobody',
      'q=ab',
      'state=nowhere',
    ].map(toQuery),
    { body: `{"a":${'['.repeat(501)}${']'.repeat(501)}}` },
  ],
  unknown_parameter: [{ query: '?x_unknown=1&q=abc&section=models&name=m' }],
  invalid_json: [{ body: '[]' }],
  missing_required_parameter: [{ query: '' }],
  invalid_type: ['q=abc&q=def', 'actor=a&actor=b', 'limit=many', 'status=many', 'top=many', 'over=much'].map(toQuery),
  decimal_below_min_value: [{ query: '?over=-0.5' }],
  decimal_above_max_value: [{ query: '?over=1.5' }],
  integer_below_min_value: ['limit=0', 'status=0', 'top=0'].map(toQuery),
  integer_above_max_value: ['limit=100000', 'status=1000', 'top=1000'].map(toQuery),
  not_found: [{ id: 'nobody' }, { query: '?account_id=nobody' }, { body: JSON.stringify({ account: 'nobody', name: 'build server' }) }],
};

function toQuery(text: string): Change {
  return { query: `?${text}` };
}

/** Sends requests to the operations of an API, and knows the states and mistakes that are the same in each. */
export function openProvoker<Name extends string>({ contract, openRequest }: Api<Name>) {
  async function ask(operation: Name, change: Change = {}, kind: Kind = 'plain'): Promise<Response> {
    const valid = await openRequest(operation, kind);
    const { method, path } = contract[operation];
    const { id = 'nobody', query = '', body } = { ...valid, ...change };
    const sent = method === 'GET' ? undefined : body;
    const headers = { ...(sent !== undefined && { 'content-type': 'application/json' }), ...valid.headers, ...change.headers };
    return fetch(`${valid.origin}${path.replace(/:\w+/, id)}${query}`, {
      method,
      headers: Object.entries(headers).filter(([, value]) => value !== ''),
      ...(sent !== undefined && { body: sent }),
    });
  }
  const asking =
    (change: Change): Provoke<Name> =>
    (operation) =>
      ask(operation, change);

  /** The header lines of a valid request and these, and the rest, over a raw connection. */
  async function askRaw(operation: Name, kind: Kind, lines: readonly string[], rest: string): Promise<RawAnswer> {
    const { origin, headers = {} } = await openRequest(operation, kind);
    const { method, path } = contract[operation];
    const own = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    const head = [`${method} ${path.replace(/:\w+/, 'nobody')} HTTP/1.1`, 'host: gateway.test', ...own, ...lines];
    return (await talk(origin, `${head.join('\r\n')}\r\n${rest}`))[0] ?? Promise.reject(new Error('no response'));
  }
  const askingWith =
    (line: string): Provoke<Name> =>
    (operation) =>
      askRaw(operation, 'plain', [line, 'connection: close'], '\r\n');

  const common: States<Name> = {
    malformed_request: askingWith('a line without a colon'),
    headers_too_large: askingWith(`x-note: ${'x'.repeat(20_000)}`),
    upgrade_required: askingWith('upgrade: websocket'),
    // Only the start of a body; without a body, headers without their end.
    request_timeout: (operation) =>
      'body' in contract[operation]
        ? askRaw(operation, 'hasty', ['content-type: application/json', 'content-length: 100'], '\r\n{"name":')
        : askRaw(operation, 'hasty', [], ''),
    internal_error: (operation) => ask(operation, {}, 'broken'),
    overloaded: (operation) => ask(operation, {}, 'without store'),
    invalid_json: asking({ body: '{' }),
    unsupported_media_type: asking({ body: 'x', headers: { 'content-type': 'text/plain' } }),
  };

  /** A state, a mistake in the valid body, and those of the changes that the operation has a place for. */
  async function findWays(states: States<Name>, operation: Name, code: ErrorCode): Promise<Way<Name>[]> {
    const state = states[code] ?? common[code];
    const route = contract[operation];
    const { body: valid = '{}' } = await openRequest(operation, 'plain');
    const spoilt = route.body instanceof z.ZodType ? spoil(route.body, JSON.parse(valid), code) : null;
    const fitting = (changes[code] ?? []).filter(
      ({ id, query, body }) =>
        (id === undefined || route.path.includes(':')) &&
        (query === undefined || route.query !== undefined || code === 'unknown_parameter') &&
        (body === undefined || 'body' in route),
    );
    return [
      ...(state ? [{ provoke: state }] : []),
      ...(spoilt === null ? [] : [{ provoke: asking({ body: JSON.stringify(spoilt.body) }), param: spoilt.param }]),
      ...fitting.map((change) => {
        const field = /:(\w+)/.exec(route.path)?.[1];
        const name = change.id === undefined ? /^\?(\w+)=/.exec(change.query ?? '')?.[1] : field;
        return { provoke: asking(change), ...(name !== undefined && { param: name }) };
      }),
    ];
  }

  return { ask, asking, findWays };
}

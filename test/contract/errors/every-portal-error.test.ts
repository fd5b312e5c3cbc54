/** Every error that the contract names for an operation of the portal can be provoked there, with its status and its body. */
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type ErrorCode, errorTable } from '../../../contract/errors.ts';
import { type PortalOperation, portalErrors } from '../../../contract/portal/errors.ts';
import { portalContract } from '../../../contract/portal/index.ts';
import { StorageError } from '../../../server/store/errors.ts';
import { cookieOf, pageHeaders } from '../../harness/console.ts';
import { startGateway, type TestGateway } from '../../harness/gateway.ts';
import { type RawAnswer, talk } from '../../harness/raw.ts';
import { spoil } from './spoil.ts';

type Answer = Response | RawAnswer;
type Provoke = (operation: PortalOperation) => Promise<Answer>;
type Kind = 'plain' | 'broken' | 'without store' | 'hasty';

const opened = new Map<Kind, Promise<TestGateway>>();
afterAll(async () => {
  for (const gateway of opened.values()) await (await gateway).close();
});

function open(kind: Kind): Promise<TestGateway> {
  const opening = opened.get(kind) ?? start(kind);
  opened.set(kind, opening);
  return opening;
}

async function start(kind: Kind): Promise<TestGateway> {
  const gateway = await startGateway(kind === 'hasty' ? { server: { headersTimeoutMs: 100, requestTimeoutMs: 200 } } : {});
  const { access, sessions } = gateway.gateway;
  const fail = () => {
    throw new TypeError('a part that breaks as nobody foresaw');
  };
  if (kind === 'broken') Object.assign(access.store, { findKey: fail }) && Object.assign(sessions, { find: fail });
  const reject = async () => Promise.reject(new StorageError('the store is gone'));
  if (kind === 'without store') Object.assign(access.store, { findKey: reject }) && Object.assign(sessions, { find: reject });
  return gateway;
}

interface Change {
  readonly body?: string;
  readonly query?: string;
  /** The id in the path. */
  readonly id?: string;
  readonly cookie?: string;
  readonly headers?: Record<string, string>;
}

const SOME_COOKIE = `__Host-modelgate-portal=${'A'.repeat(43)}`;

const goodBody = (operation: PortalOperation): string | undefined =>
  portalContract[operation].path.includes('/keys') || operation === 'estimateCost' ? JSON.stringify(bodies[operation] ?? {}) : undefined;

/** A good call of the operation, but for the change. */
async function ask(gateway: TestGateway, operation: PortalOperation, change: Change = {}): Promise<Response> {
  const { method, path: template } = portalContract[operation];
  const path = template.replace(/:\w+/, encodeURIComponent(change.id ?? 'nobody'));
  const body = change.body ?? (operation === 'createSession' ? JSON.stringify({ key: gateway.key }) : goodBody(operation));
  const cookie = change.cookie ?? (operation === 'createSession' ? '' : await signIn(gateway, gateway.key));
  return fetch(`${gateway.origin}${path}${change.query ?? ''}`, {
    method,
    headers: { ...pageHeaders, cookie, ...change.headers },
    ...(body !== undefined && method !== 'GET' && { body }),
  });
}

/** A call to one of the operations on keys by a holder who may manage them, but for the change. */
const managing =
  (change: Change, selfService = { maxKeys: 10, delegate: false }): Provoke =>
  async (operation) => {
    const gateway = await open('plain');
    const { key, accountId } = await gateway.newKey({
      account: `manager ${++managers}`,
      permissions: { ...anything, manageKeys: true },
    });
    await gateway.withAccess(async ({ store }) => void (await store.editAccount(accountId, { selfService }, noted(accountId))));
    return ask(gateway, operation, { ...change, cookie: await signIn(gateway, key) });
  };
let managers = 0;
const anything = { operations: null, models: null, mayStore: true };
const noted = (target: string) => ({ actor: 'test', action: 'account.edit', target, details: {}, at: Date.now() });

/** More keys than an account may have; a key that was revoked already is rotated. */
const conflict: Provoke = async (operation) => {
  if (operation === 'createKey')
    return managing({ body: JSON.stringify({ name: 'one too many' }) }, { maxKeys: 0, delegate: false })(operation);
  const gateway = await open('plain');
  const { key } = await gateway.newKey({ account: `manager ${++managers}`, permissions: { ...anything, manageKeys: true } });
  const cookie = await signIn(gateway, key);
  const id = Object(await (await ask(gateway, 'createKey', { cookie, body: JSON.stringify({ name: 'gone' }) })).json()).id;
  await ask(gateway, 'revokeKey', { cookie, id });
  return ask(gateway, operation, { cookie, id });
};

async function signIn(gateway: TestGateway, key: string): Promise<string> {
  return cookieOf(await ask(gateway, 'createSession', { body: JSON.stringify({ key }) }));
}

const asking =
  (change: Change): Provoke =>
  async (operation) =>
    ask(await open('plain'), operation, change);

async function sayRaw({ origin }: TestGateway, operation: PortalOperation, lines: readonly string[], rest = '\r\n'): Promise<RawAnswer> {
  const { method, path } = portalContract[operation];
  const head = [`${method} ${path} HTTP/1.1`, 'host: portal.test', ...lines];
  return (await talk(origin, `${head.join('\r\n')}\r\n${rest}`))[0] ?? Promise.reject(new Error('no answer'));
}
const rawly =
  (line: string): Provoke =>
  async (operation) =>
    sayRaw(await open('plain'), operation, [line, 'connection: close']);

/** Sends only the beginning of a body; without a body, headers without their end. */
async function stopHalfway(operation: PortalOperation): Promise<Answer> {
  const gateway = await open('hasty');
  if (!('body' in portalContract[operation])) return sayRaw(gateway, operation, [], '');
  const cookie = operation === 'createSession' ? '' : await signIn(gateway, gateway.key);
  const page = Object.entries(pageHeaders).map(([name, value]) => `${name}: ${value}`);
  return sayRaw(gateway, operation, [...page, `cookie: ${cookie}`, 'content-length: 100'], '\r\n{"key":');
}

/** A key with other address ranges, or a page of another site. */
async function denied(operation: PortalOperation): Promise<Answer> {
  const gateway = await open('plain');
  if (portalContract[operation].method !== 'GET') return ask(gateway, operation, { headers: { 'sec-fetch-site': 'cross-site' } });
  const { key, id } = await gateway.newKey({ account: 'elsewhere' });
  const cookie = await signIn(gateway, key);
  await gateway.editKey(id, { ipRanges: ['192.0.2.0/24'] });
  return ask(gateway, operation, { cookie });
}

async function guess(operation: PortalOperation): Promise<Answer> {
  const gateway = await startGateway();
  const body = JSON.stringify({ key: 'mg-nobody' });
  try {
    for (let tries = 0; tries < 10; tries++) await ask(gateway, operation, { body });
    return await ask(gateway, operation, { body });
  } finally {
    await gateway.close();
  }
}

const states: { readonly [Code in ErrorCode]?: Provoke } = {
  request_timeout: stopHalfway,
  malformed_request: rawly('a line without a colon'),
  headers_too_large: rawly(`x-note: ${'x'.repeat(20_000)}`),
  upgrade_required: rawly('upgrade: websocket'),
  internal_error: async (operation) => ask(await open('broken'), operation, { cookie: SOME_COOKIE }),
  overloaded: async (operation) => ask(await open('without store'), operation, { cookie: SOME_COOKIE }),
  invalid_api_key: asking({ cookie: SOME_COOKIE, body: JSON.stringify({ key: 'mg-nobody' }) }),
  permission_denied: denied,
  rate_limit_exceeded: guess,
  unknown_parameter: asking({ query: '?x=1' }),
  invalid_json: asking({ body: '{' }),
  invalid_value: asking({ body: `{"a":${'['.repeat(501)}${']'.repeat(501)}}` }),
  request_too_large: (operation) =>
    asking({ body: JSON.stringify({ key: 'x'.repeat(operation === 'estimateCost' ? 1_100_000 : 70_000) }) })(operation),
  conflict,
  unsupported_media_type: asking({ body: 'x', headers: { 'content-type': 'text/plain' } }),
};

/** Changes of the path and the query, for operations without a body. */
const elsewhere: { readonly [Code in ErrorCode]?: Change } = {
  string_above_max_length: { id: 'x'.repeat(201), query: `?key_id=${'x'.repeat(201)}` },
  empty_string: { query: '?key_id=' },
  invalid_value: { id: '\0', query: '?from=noon' },
  invalid_type: { query: `?slower_than=many&top=many` },
  integer_below_min_value: { query: '?status=0' },
  integer_above_max_value: { query: '?status=1000' },
  not_found: { id: 'nobody' },
};
/** In an entry of a list. */
const inLists: { readonly [Code in ErrorCode]?: object } = {
  empty_string: { name: 'x', ip_ranges: [''] },
  string_above_max_length: { name: 'x', ip_ranges: ['1'.repeat(65)] },
};
/** Good bodies, of which one field is made wrong. */
const bodies: { readonly [Name in PortalOperation]?: object } = {
  createSession: { key: 'x' },
  createKey: { name: 'x', permissions: { models: ['m'] }, ip_ranges: ['::1'], limits: { concurrency: 1 } },
  rotateKey: { overlap_seconds: 0 },
  estimateCost: { operation: 'createResponse', body: {} },
};
/** Of a list of pages alone. */
const lists: { readonly [Code in ErrorCode]?: string } = {
  string_above_max_length: `?after=${'x'.repeat(201)}`,
  empty_string: '?after=',
  invalid_value: '?after=nobody',
  invalid_type: '?limit=many',
  integer_below_min_value: '?limit=0',
  integer_above_max_value: '?limit=100000',
};
/** The operations of the query without a status have another number. */
const numbers = (name: string, above: number): { readonly [Code in ErrorCode]?: string } => ({
  invalid_type: `?${name}=many`,
  integer_below_min_value: `?${name}=0`,
  integer_above_max_value: `?${name}=${above}`,
});
const tops = numbers('top', 100);
const limits = numbers('limit', 100_000);

function readWrongly(operation: PortalOperation, code: ErrorCode): Promise<Answer> {
  const change = elsewhere[code] ?? expect.fail(`nobody knows how to be answered with ${code}`);
  if (portalContract[operation].path.includes(':')) return asking({ ...change, query: '' })(operation);
  if (operation === 'listKeys') return asking({ query: lists[code] ?? '' })(operation);
  const given = operation === 'getActivity' ? (tops[code] ?? change.query) : change.query?.split('&')[0];
  return asking({ query: (operation === 'listEntries' ? limits[code] : undefined) ?? given ?? '' })(operation);
}

function mistake(operation: PortalOperation, code: ErrorCode): Promise<Answer> {
  const route: { readonly path: string; readonly body?: unknown } = portalContract[operation];
  const spoilt =
    route.body instanceof z.ZodType
      ? (operation === 'createKey' && inLists[code]) || spoil(route.body, bodies[operation] ?? {}, code)
      : null;
  return asking({ body: JSON.stringify(spoilt) })(operation);
}

// The keys of an object are those of its type.
const operations = (Object.keys(portalErrors) as PortalOperation[]).map((operation) => {
  const codes: readonly ErrorCode[] = portalErrors[operation];
  return { operation, codes: [...new Set(codes)] };
});

describe.each(operations)('a page of the portal that calls $operation', ({ operation, codes }) => {
  test.each(codes)('gets %s', async (code) => {
    const isRead = portalContract[operation].method === 'GET';
    const isAboutPath = (code === 'not_found' || code === 'string_above_max_length') && portalContract[operation].path.includes('/keys/');
    const provoke = isAboutPath
      ? managing({ id: code === 'not_found' ? 'nobody' : 'x'.repeat(201) })(operation)
      : isRead && code in elsewhere
        ? readWrongly(operation, code)
        : (states[code]?.(operation) ?? mistake(operation, code));
    const answer = await provoke;
    const text = typeof answer.body === 'string' ? answer.body : await (answer as Response).text();
    const said: unknown = JSON.parse(text);
    expect({ status: answer.status, said }).toMatchObject({ status: errorTable[code].status, said: { error: { code } } });
    // The responses of a route are a literal table; a status that came over the wire is a plain number.
    const schema = (portalContract[operation].responses as unknown as Record<number, z.ZodType>)[answer.status];
    expect(schema?.safeParse(said).error ?? null).toBeNull();
  });
});

/** Every error that the contract names for an operation of the admin API can be provoked there, with its status and its body. */
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type AdminOperation, adminErrors } from '../../../contract/admin/errors.ts';
import { adminContract } from '../../../contract/admin/index.ts';
import { type ErrorCode, errorTable } from '../../../contract/errors.ts';
import { exampleBody } from '../../../docs/generate/openapi/admin-operation.ts';
import type { TestAdmin } from '../../harness/admin.ts';
import { signIn } from '../../harness/console.ts';
import { type RawAnswer, talk } from '../../harness/raw.ts';
import { AdminStage, ask, type Change, lineOf } from './admin-stage.ts';
import { spoil } from './spoil.ts';

type Answer = Response | RawAnswer;
type Provoke = (operation: AdminOperation) => Promise<Answer>;

const stage = new AdminStage();
afterAll(() => stage.close());

const governed = () => stage.open('governed');
const asking =
  (change: Change): Provoke =>
  async (operation) =>
    ask(await governed(), operation, change);

/** Sends a request with these header lines and this rest over a raw connection. */
async function sayRaw(admin: TestAdmin, operation: AdminOperation, { lines, rest }: RawEnd): Promise<RawAnswer> {
  const head = [`${lineOf(operation)} HTTP/1.1`, 'host: admin.test', `authorization: Bearer ${admin.key}`, ...lines];
  return (await talk(admin.origin, `${head.join('\r\n')}\r\n${rest}`))[0] ?? Promise.reject(new Error('no answer'));
}
interface RawEnd {
  readonly lines: readonly string[];
  readonly rest: string;
}
const rawly =
  (line: string): Provoke =>
  async (operation) =>
    sayRaw(await governed(), operation, { lines: [line, 'connection: close'], rest: '\r\n' });

/** Sends only the beginning of a body; without a body, headers without their end. */
async function stopHalfway(operation: AdminOperation): Promise<Answer> {
  const admin = await stage.open('hasty');
  const lines = ['content-type: application/json', 'content-length: 100'];
  return sayRaw(admin, operation, 'body' in adminContract[operation] ? { lines, rest: '\r\n{"name":' } : { lines: [], rest: '' });
}

/** A duplicate account, a revoked key, or an operation on money with billing off. */
async function conflict(operation: AdminOperation): Promise<Answer> {
  // No gateway runs beside these listeners.
  if (operation === 'testUpstream' || operation === 'resetUpstream') return ask(await governed(), operation, { id: 'demo' });
  if (operation === 'testWebhook') return testTwice();
  if (operation === 'acknowledgeAlert') return acknowledgeResolved();
  const admin = await stage.open(isAboutNames(operation) ? 'governed' : 'without billing');
  const name = stage.newName();
  const { body: account } = await admin.call('POST', '/accounts', { name, group: 'default' });
  if (operation === 'createAccount') return ask(admin, operation, { body: JSON.stringify({ name, group: 'default' }) });
  if (operation === 'editAccount') {
    const { body: other } = await admin.call('POST', '/accounts', { name: stage.newName(), group: 'default' });
    return ask(admin, operation, { id: other.id, body: JSON.stringify({ name }) });
  }
  if (operation !== 'rotateKey') return ask(admin, operation, { id: account.id });
  const { body: key } = await admin.call('POST', '/keys', { account: name, name: 'gone' });
  await admin.call('POST', `/keys/${key.id}/revoke`);
  return ask(admin, operation, { id: key.id });
}
/** The second follows too soon. */
async function testTwice(): Promise<Answer> {
  const admin = await governed();
  await ask(admin, 'testWebhook', { id: 'ops' });
  return ask(admin, 'testWebhook', { id: 'ops' });
}
async function acknowledgeResolved(): Promise<Answer> {
  const admin = await governed();
  const about = { kind: 'ledger_mismatch', subject: '', name: null, message: 'over', value: null, threshold: null } as const;
  await admin.alerts.open({ id: 'alert_0', ...about, openedAt: 0 }, []);
  await admin.alerts.resolve('alert_0', 1, []);
  return ask(admin, 'acknowledgeAlert', { id: 'alert_0' });
}
/** A mistyped key, like that of the example, is rejected before the store is asked. */
const askWithTrueKey = (admin: TestAdmin, operation: AdminOperation): Promise<Answer> =>
  ask(admin, operation, operation === 'createSession' ? { body: JSON.stringify({ admin_key: admin.key }) } : {});

/** A call that a page of another site makes the browser of a reader send. */
async function comeFromElsewhere(operation: AdminOperation): Promise<Answer> {
  const admin = await governed();
  const cookie = await signIn(admin);
  const headers = { cookie, 'sec-fetch-site': 'cross-site' };
  return ask(admin, operation, { key: null, headers });
}

const reloadAnother: Provoke = async (operation) =>
  ask(await stage.open('reloading'), operation, { body: JSON.stringify({ digest: 'of another file' }) });

async function failOften(operation: AdminOperation): Promise<Answer> {
  const admin = await stage.open('guessed');
  for (let tries = 0; tries < 10; tries++) await ask(admin, operation);
  return ask(admin, operation);
}

const isAboutNames = (operation: AdminOperation) => ['createAccount', 'editAccount', 'rotateKey'].includes(operation);

const states: { readonly [Code in ErrorCode]?: Provoke } = {
  request_timeout: stopHalfway,
  malformed_request: rawly('a line without a colon'),
  headers_too_large: rawly(`x-note: ${'x'.repeat(20_000)}`),
  request_too_large: asking({ body: JSON.stringify({ a: 'x'.repeat(1_100_000) }) }),
  internal_error: async (operation) => askWithTrueKey(await stage.open('broken'), operation),
  overloaded: async (operation) => askWithTrueKey(await stage.open('without store'), operation),
  invalid_api_key: asking({ key: 'mga-nobody' }),
  unknown_parameter: asking({ query: '?q=abc&x=1' }),
  invalid_json: asking({ body: '{' }),
  unsupported_media_type: asking({ body: 'x', headers: { 'content-type': 'text/plain' } }),
  conflict,
  permission_denied: comeFromElsewhere,
  rate_limit_exceeded: failOften,
  config_changed: reloadAnother,
};

/** Changes of the path and of the query. */
const changes: { readonly [Code in ErrorCode]?: readonly Change[] } = {
  string_above_max_length: [
    { id: 'x'.repeat(201) },
    { query: `?after=${'x'.repeat(201)}` },
    { query: `?account_id=${'x'.repeat(201)}` },
    { query: `?under=${'x'.repeat(301)}` },
    { query: `?actor=${'x'.repeat(201)}` },
    { query: `?q=${'x'.repeat(101)}` },
  ],
  empty_string: [{ id: '' }, { query: '?after=' }, { query: '?account_id=' }, { query: '?under=' }, { query: '?actor=' }, { query: '?q=' }],
  invalid_value: [
    { id: '%00' },
    { query: '?after=nobody' },
    { query: '?from=noon' },
    { query: '?range=ever' },
    { query: '?source=nowhere' },
    { query: '?scope=nobody' },
    { query: '?q=ab' },
    { query: '?state=nowhere' },
    { body: `{"a":${'['.repeat(501)}${']'.repeat(501)}}` },
  ],
  missing_required_parameter: [{ query: '' }],
  invalid_type: [
    { query: '?q=abc&q=def' },
    { query: '?actor=a&actor=b' },
    { query: '?limit=many' },
    { query: '?status=many' },
    { query: '?top=many' },
    { query: '?over=much' },
  ],
  decimal_below_min_value: [{ query: '?over=-0.5' }],
  decimal_above_max_value: [{ query: '?over=1.5' }],
  integer_below_min_value: [{ query: '?limit=0' }, { query: '?status=0' }, { query: '?top=0' }],
  integer_above_max_value: [{ query: '?limit=100000' }, { query: '?status=1000' }, { query: '?top=100' }],
  not_found: [{ id: 'nobody' }, { query: '?account_id=nobody' }, { body: JSON.stringify({ account: 'nobody', name: 'build server' }) }],
};

/** The changes that the operation has a place for. */
function fitting(operation: AdminOperation, code: ErrorCode): Change[] {
  const route: { readonly path: string; readonly query?: unknown; readonly body?: unknown } = adminContract[operation];
  const spoilt = route.body instanceof z.ZodType ? spoil(route.body, exampleBody(operation), code) : null;
  return [
    ...(spoilt === null ? [] : [{ body: JSON.stringify(spoilt) }]),
    ...(changes[code] ?? []).filter(
      ({ id, query, body }) =>
        (id === undefined || route.path.includes(':')) &&
        (query === undefined || route.query !== undefined) &&
        (body === undefined || 'body' in route),
    ),
  ];
}

async function codeOf(answer: Answer): Promise<unknown> {
  const text = typeof answer.body === 'string' ? answer.body : await (answer as Response).text();
  // A change that is no mistake is answered with a table.
  return text.startsWith('{') ? JSON.parse(text) : text;
}

interface Said {
  readonly status: number;
  readonly said: unknown;
}

/** The first answer with the code; if there is none, the last answer. */
async function provoke(operation: AdminOperation, code: ErrorCode): Promise<Said> {
  const state = states[code];
  const ways: (() => Promise<Answer>)[] = state
    ? [() => state(operation)]
    : fitting(operation, code).map((change) => () => asking(change)(operation));
  let last: Said = { status: 0, said: 'nobody knows how to provoke it' };
  for (const way of ways) {
    const answer = await way();
    last = { status: answer.status, said: await codeOf(answer) };
    if (JSON.stringify(last.said).includes(`"code":"${code}"`)) return last;
  }
  return last;
}

// The keys of an object are those of its type.
const operations = (Object.keys(adminErrors) as AdminOperation[]).map((operation) => {
  const codes: readonly ErrorCode[] = adminErrors[operation];
  return { operation, codes: [...new Set(codes)] };
});

describe.each(operations)('an operator who calls $operation', ({ operation, codes }) => {
  test.each(codes)('gets %s', async (code) => {
    const { status, said } = await provoke(operation, code);
    expect({ status, said }).toMatchObject({ status: errorTable[code].status, said: { error: { code } } });
    // The responses of a route are a literal table; a status that came over the wire is a plain number.
    const schema = (adminContract[operation].responses as unknown as Record<number, z.ZodType>)[status];
    expect(schema?.safeParse(said).error ?? null).toBeNull();
  });
});

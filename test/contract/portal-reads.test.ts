/** What the portal shows: the calls, receipts and prices of the account that has signed in, and nothing of another account. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { CallRecord } from '../../server/records/call-record.ts';
import { paidCall, rejectedCall } from '../harness/call-record.ts';
import { signInAtPortal } from '../harness/console.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';

interface Person {
  readonly cookie: string;
  readonly key: string;
  readonly keyId: string;
  readonly accountId: string;
  /** A call that was paid. */
  readonly paid: string;
  /** A call of a model that does not exist. */
  readonly rejected: string;
}

let gateway: TestGateway;
let alice: Person;
let mallory: Person;

const settings = {
  groups: { default: { multiplier: '1' }, vip: { multiplier: '0.8' } },
  models: [
    { id: 'play', kind: 'text', groups: ['default', 'vip'], prices: { input: '1.25', output: '4' } },
    { id: 'club', kind: 'text', groups: ['vip'], prices: { input: '3', output: '9' } },
    { id: 'draw', kind: 'image', groups: ['default', 'vip'], prices: { images: { default: '0.2' } } },
  ],
};

async function settle(account: string, group: string): Promise<Person> {
  const { key, id: keyId, accountId } = await gateway.newKey({ account, group, balance: 2_000_000n, permissions: textOnly });
  const call = async (model: string): Promise<string> => {
    const answer = await gateway.call('/responses', { json: { model, input: 'hi' }, key });
    await answer.text();
    return answer.headers.get('x-request-id') ?? expect.fail('no id');
  };
  const [paid, rejected] = [await call('play'), await call('none')];
  return { cookie: await signInAtPortal(gateway, key), key, keyId, accountId, paid, rejected };
}
const textOnly = { operations: null, models: ['play', 'club'], mayStore: true };

beforeAll(async () => {
  gateway = await startGateway(settings);
  alice = await settle('alice', 'default');
  mallory = await settle('mallory', 'vip');
  const { activity } = gateway.gateway;
  for (const { paid, rejected } of [alice, mallory])
    for (const id of [paid, rejected]) await vi.waitFor(async () => expect(await activity.find(id)).toBeDefined());
  // A flush may be running that began before the last call ended.
  for (let turn = 0; turn < 2; turn++) await activity.flush();
});
afterAll(() => gateway.close());

async function read({ cookie }: { readonly cookie: string }, path: string) {
  const answer = await fetch(`${gateway.origin}/portal/v1${path}`, { headers: { cookie, 'sec-fetch-site': 'same-origin' } });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
  return { status: answer.status, headers: answer.headers, text, body: isJson ? JSON.parse(text) : null };
}
const idsIn = (body: { readonly data: readonly { readonly request_id: string }[] }) => body.data.map(({ request_id: id }) => id);

describe('a session of an account', () => {
  test('lists the calls of its account, newest first, by pages', async () => {
    expect(idsIn((await read(alice, '/requests')).body)).toEqual([alice.rejected, alice.paid]);
    const first = (await read(alice, '/requests?limit=1')).body;
    expect(first).toMatchObject({ has_more: true, last_id: alice.rejected });
    expect(idsIn((await read(alice, `/requests?limit=1&after=${first.last_id}`)).body)).toEqual([alice.paid]);
    expect(idsIn((await read(alice, '/requests?outcome=rejected')).body)).toEqual([alice.rejected]);
    expect((await read(alice, '/requests?sort=charged')).body.error).toMatchObject({ code: 'unknown_parameter', param: 'sort' });
  });

  test('reads the same receipt as GET /v1/usage, and the ledger entry of the account', async () => {
    const { body, headers } = await read(alice, `/requests/${alice.paid}`);
    const own = await (await gateway.call(`/usage/${alice.paid}`, { key: alice.key })).json();
    expect(body.receipt).toEqual(own);
    expect(body.entries).toMatchObject([
      { ledger_account: `account:${alice.accountId}`, kind: 'charge', amount: `-${body.receipt.charged}` },
    ]);
    expect(body).toMatchObject({ object: 'portal_request', error: null, request: { charged: body.receipt.charged } });
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('reads the rule that rejected a call', async () => {
    const { body } = await read(alice, `/requests/${alice.rejected}`);
    expect(body).toMatchObject({ receipt: null, entries: [], error: { code: 'model_not_found', status: 404 } });
    expect(body.checks).toContainEqual(expect.objectContaining({ rule: 'model', result: 'rejected' }));
  });

  test('reads sums of its calls that agree with its receipts', async () => {
    const { body } = await read(alice, '/activity?group_by=model');
    const { receipt } = (await read(alice, `/requests/${alice.paid}`)).body;
    expect(body.total).toMatchObject({ requests: 2, rejected: 1, charged: receipt.charged });
    expect(body).not.toHaveProperty('reconciled');
    const byKey = (await read(alice, '/activity?group_by=key&bucket=day')).body;
    expect(byKey.series).toMatchObject([{ key: alice.keyId, total: { charged: receipt.charged } }]);
  });

  test('reads the statement of the account: what was paid in, and each charge with the balance after it', async () => {
    const { receipt } = (await read(alice, `/requests/${alice.paid}`)).body;
    const { body } = await read(alice, '/entries');
    expect(body.data).toMatchObject([
      { kind: 'charge', amount: `-${receipt.charged}`, request_id: alice.paid, transfer_id: null },
      { kind: 'top_up', amount: '2.000000', balance_after: '2.000000', request_id: null },
    ]);
    const { balance } = (await read(alice, '/session')).body;
    expect(body.data[0].balance_after).toBe(balance.balance);
    const { text } = await read(alice, '/entries.csv?kind=charge');
    expect(text.trim().split('\r\n')[1]).toContain(`,charge,-${receipt.charged},${balance.balance},`);
    const foreign = await read(mallory, `/entries?after=${body.data[0].id}`);
    expect([foreign.status, foreign.body.error.param]).toEqual([400, 'after']);
  });

  test('reads its calls as CSV', async () => {
    const { text, headers } = await read(alice, '/requests.csv');
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(text.trim().split('\r\n')).toHaveLength(3);
    expect(text).not.toContain(mallory.paid);
  });

  test('sees the key that has signed in, without its secret', async () => {
    const { body, text } = await read(alice, '/keys');
    expect(body.data).toMatchObject([{ id: alice.keyId, state: 'active', permissions: { models: ['play', 'club'] } }]);
    expect(text).not.toContain(alice.key.slice(3, -6));
  });

  test("sees each model with the prices of its group, and the rule where it can't call it", async () => {
    const mine = (await read(alice, '/models')).body.data;
    expect(mine).toMatchObject([
      { id: 'play', callable: true, rule: null, multiplier: '1.000000', effective: { input: '1.250000' } },
      { id: 'club', callable: false, rule: 'group' },
      { id: 'draw', callable: false, rule: 'models', effective: { images: { default: '0.200000' } } },
    ]);
    expect((await read(mallory, '/models')).body.data).toMatchObject([
      { id: 'play', callable: true, prices: { input: '1.250000' }, effective: { input: '1.000000', output: '3.200000' } },
      { id: 'club', callable: true, effective: { input: '2.400000' } },
      { id: 'draw', callable: false, rule: 'models' },
    ]);
  });

  test('sees which models fail now, because all their upstreams are cooling down', async () => {
    const { config, health } = gateway.gateway;
    const [play] = config.models.find(({ id }) => id === 'play')?.candidates ?? [];
    health.coolDown(play ?? expect.fail('play has an upstream'), 60_000);
    const { data } = (await read(alice, '/models')).body as { data: readonly { id: string; failing: boolean }[] };
    health.forget(new Set(Object.keys(config.upstreams)));
    expect(data.filter(({ failing }) => failing).map(({ id }) => id)).toEqual(['play']);
  });

  test('sees that the balance is used up, as a call does', async () => {
    const { key } = await gateway.newKey({ account: 'poor', balance: 0n });
    const cookie = await signInAtPortal(gateway, key);
    const rejected = await gateway.call('/responses', { json: { model: 'play', input: 'hi' }, key });
    expect(rejected.status).toBe(403);
    expect((await read({ cookie }, '/models')).body.data[0]).toMatchObject({ callable: false, rule: 'balance' });
  });
});

describe('a session of another account', () => {
  test('gets the same 404 for the calls of an account as for unknown calls', async () => {
    for (const id of [alice.paid, alice.rejected]) {
      const foreign = await read(mallory, `/requests/${id}`);
      const unknown = await read(mallory, '/requests/req_nobody');
      expect(foreign.status).toBe(404);
      expect(foreign.text.replaceAll(id, 'ID')).toBe(unknown.text.replaceAll('req_nobody', 'ID'));
    }
  });

  test('gets the same error for `after` with a foreign call as with an unknown one', async () => {
    const [foreign, unknown] = [await read(mallory, `/requests?after=${alice.paid}`), await read(mallory, '/requests?after=req_nobody')];
    expect([foreign.status, foreign.text]).toEqual([400, unknown.text]);
  });

  test('sees nothing of a foreign key in lists, CSV or sums', async () => {
    const filter = `?key_id=${alice.keyId}`;
    expect((await read(mallory, `/requests${filter}`)).body.data).toEqual([]);
    expect((await read(mallory, `/requests.csv${filter}`)).text.trim().split('\r\n')).toHaveLength(1);
    expect((await read(mallory, `/activity${filter}`)).body.total.requests).toBe(0);
    const everything = [await read(mallory, '/requests'), await read(mallory, '/activity?group_by=key'), await read(mallory, '/keys')];
    for (const { text } of everything) for (const secret of Object.values(alice)) expect(text).not.toContain(secret);
  });

  test.each(['/requests', '/requests.csv', '/activity'])('gets 400 if it names an account at %s', async (path) => {
    const { status, body } = await read(mallory, `${path}?account_id=${alice.accountId}`);
    expect([status, body.error.code]).toEqual([400, 'unknown_parameter']);
  });

  test.each(['account', 'upstream'])('gets 400 if it sums by %s', async (dimension) => {
    expect((await read(mallory, `/activity?group_by=${dimension}`)).status).toBe(400);
  });
});

test('shows the speed and success of a model once it has 20 calls, rejected ones aside', async () => {
  const measured = await startGateway(settings);
  const { key, accountId } = await measured.newKey({ account: 'carol', balance: 1n });
  const cookie = await signInAtPortal(measured, key);
  const own = { account_id: accountId, model: 'play', ended_at: Date.now() };
  const { activity } = measured.gateway;
  const addCalls = async (...calls: readonly CallRecord[]) => {
    for (const call of calls) activity.addCall(call);
    for (let turn = 0; turn < 2; turn++) await activity.flush();
    const answer = await fetch(`${measured.origin}/portal/v1/models`, { headers: { cookie, 'sec-fetch-site': 'same-origin' } });
    return ((await answer.json()) as { data: readonly { measures: unknown }[] }).data[0]?.measures;
  };
  const paid = (count: number, from = 0) =>
    Array.from({ length: count }, (_, call) => paidCall(`req_paid${from + call}`, { ...own, first_ms: 200, total_ms: 900 }));
  expect(await addCalls(...paid(18), rejectedCall('req_no', own), rejectedCall('req_bad', { ...own, outcome: 'failed' }))).toBeNull();
  expect(await addCalls(...paid(1, 18))).toMatchObject({
    success: 0.95,
    first_ms: expect.closeTo(200, -2),
    total_ms: expect.closeTo(900, -3),
  });
  await measured.close();
});

test.each(['/requests', '/requests.csv', '/requests/x', '/activity', '/keys', '/models'])(
  'requires a session at %s and rejects a key',
  async (path) => {
    const answer = await fetch(`${gateway.origin}/portal/v1${path}`, { headers: { authorization: `Bearer ${alice.key}` } });
    expect(answer.status).toBe(401);
  },
);

/** One idempotency key, one upstream call, one charge (F40, F41). */
import { randomUUID } from 'node:crypto';
import { type Dispatcher, Pool } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { json, stream } from '../fakes/delivery.ts';
import { chat, protocols } from '../harness/protocols.ts';
import { expectRefusal } from '../harness/refusal.ts';
import { type BehindVendor, openBehindVendor } from '../harness/vendor.ts';

let vendor: BehindVendor;
beforeAll(async () => {
  vendor = await openBehindVendor();
});
afterAll(() => vendor.close());

/** Ends a test whose answer is never stored; a busy machine is slow. */
const patienceMs = 60_000;

interface Asking {
  readonly path: string;
  readonly body: unknown;
  readonly key: string;
}

const post = ({ path, body, key }: Asking, more: { readonly key?: string; readonly signal?: AbortSignal } = {}) =>
  vendor.gateway.call(path, { json: body, headers: { 'idempotency-key': key }, ...more });

/** The charge of a request. */
async function chargesOf(requestId: string | null) {
  return vendor.gateway.gateway.money?.ledger.findCharge(String(requestId));
}

describe.each(protocols)('$name', ({ path, ask, streamed, frames, whole }) => {
  test.each([
    ['whole', ask, json(whole)],
    ['streamed', { ...ask, ...streamed }, stream(frames)],
  ] as const)('F40: a request that is repeated gets the stored answer, %s, and reaches the vendor once', async (_title, body, script) => {
    const asking = { path, body, key: randomUUID() };
    const before = vendor.fake.requests.length;
    vendor.fake.next(script);
    const first = await post(asking);
    const said = await first.text();
    const second = await post(asking);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(await second.text()).toBe(said);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(vendor.fake.requests.length - before).toBe(1);
    expect(await chargesOf(first.headers.get('x-request-id'))).toMatchObject({ state: 'posted' });
    expect(await chargesOf(second.headers.get('x-request-id'))).toBeUndefined();
  });

  test.each([
    ['whole', ask, json(whole)],
    ['streamed', { ...ask, ...streamed }, stream(frames)],
  ] as const)('F41: a caller who disconnected gets the answer by the same key, %s', async (_title, body, script) => {
    const asking = { path, body, key: randomUUID() };
    const before = vendor.fake.requests.length;
    let release = (): void => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    vendor.fake.next(async () => {
      await gate;
      return script;
    });
    const leaving = new AbortController();
    const cut = post(asking, { signal: leaving.signal }).catch((error: unknown) => error);
    const request = await vendor.fake.arrival(before);
    leaving.abort();
    await cut;
    await expectRefusal(await post(asking), { code: 'idempotency_conflict' });
    release();
    await vendor.gateway.lineOf(String(request.headers['x-request-id']));
    const fetched = await untilAnswered(asking);
    expect(fetched.headers.get('idempotent-replayed')).toBe('true');
    expect((await fetched.text()).length).toBeGreaterThan(10);
    expect(vendor.fake.requests.length - before).toBe(1);
    expect(await chargesOf(String(request.headers['x-request-id']))).toMatchObject({ state: 'posted', outcome: 'completed' });
  });
});

/** Repeats the request while the answer is 409. */
async function untilAnswered(asking: Asking): Promise<Response> {
  let answer = await post(asking);
  for (const signal = AbortSignal.timeout(patienceMs); answer.status === 409; answer = await post(asking)) {
    await answer.arrayBuffer();
    signal.throwIfAborted();
  }
  return answer;
}

test('F40: of a thousand requests at once with one key, one reaches the vendor', async () => {
  const asking = { path: chat.path, body: chat.ask, key: randomUUID() };
  const before = vendor.fake.requests.length;
  vendor.fake.next(json(chat.whole));
  const answers = await postAtOnce(asking, 1_000);
  expect(answers).toHaveLength(1_000);
  const statuses = new Set(answers.map(({ statusCode }) => statusCode));
  expect([...statuses].filter((status) => status !== 200 && status !== 409)).toEqual([]);
  expect(vendor.fake.requests.length - before).toBe(1);
  const fresh = answers.filter(({ statusCode, headers }) => statusCode === 200 && headers['idempotent-replayed'] === undefined);
  expect(fresh).toHaveLength(1);
});

/** Each on its own connection; on a busy machine the last one takes a while to open. */
async function postAtOnce({ path, body, key }: Asking, count: number): Promise<Dispatcher.ResponseData[]> {
  const { origin, key: authorization } = vendor.gateway;
  const pool = new Pool(origin, { connections: count, pipelining: 1, connectTimeout: patienceMs });
  const headers = { authorization: `Bearer ${authorization}`, 'content-type': 'application/json', 'idempotency-key': key };
  const asking = { method: 'POST', path: `/v1${path}`, headers, body: JSON.stringify(body) } as const;
  const post = async () => {
    const answer = await pool.request(asking);
    await answer.body.dump();
    return answer;
  };
  const answers = await Promise.all(Array.from({ length: count }, post));
  await pool.close();
  return answers;
}

test('a key that was used for another request is refused', async () => {
  const asking = { path: chat.path, body: chat.ask, key: randomUUID() };
  vendor.fake.next(json(chat.whole));
  await (await post(asking)).arrayBuffer();
  const other = await post({ ...asking, body: { ...chat.ask, temperature: 0.5 } });
  await expectRefusal(other, { code: 'invalid_value', says: 'another request' });
});

test('accounts do not share idempotency keys', async () => {
  const asking = { path: chat.path, body: chat.ask, key: randomUUID() };
  const { key } = await vendor.gateway.newKey({ account: 'neighbour' });
  const before = vendor.fake.requests.length;
  for (const more of [{}, { key }]) {
    vendor.fake.next(json(chat.whole));
    expect((await post(asking, more)).headers.get('idempotent-replayed')).toBeNull();
  }
  expect(vendor.fake.requests.length - before).toBe(2);
});

test('after a failure that was not charged, a request with the same key is sent to the vendor', async () => {
  const asking = { path: chat.path, body: chat.ask, key: randomUUID() };
  vendor.fake.next(json({ error: { message: 'out of order' } }, { status: 500 }));
  await expectRefusal(await post(asking), { code: 'upstream_error' });
  vendor.fake.next(json(chat.whole));
  expect((await post(asking)).status).toBe(200);
});

test.each(['', 'with blank', 'ü', 'x'.repeat(256)])('the idempotency key %j is refused', async (key) => {
  const answer = await vendor.gateway.call(chat.path, {
    json: chat.ask,
    headers: { 'idempotency-key': Buffer.from(key).toString('latin1') },
  });
  await expectRefusal(answer, { code: 'invalid_value', says: 'idempotency-key' });
});

test('F40: an API key that may not call the model does not get the stored answer of its account', async () => {
  const { path, ask, whole } = chat;
  const asking = { path, body: ask, key: randomUUID() };
  vendor.fake.next(json(whole));
  expect((await post(asking)).status).toBe(200);
  const permissions = { operations: null, models: ['another-model'], mayStore: true };
  const narrow = await vendor.gateway.newKey({ permissions });
  await expectRefusal(await post(asking, { key: narrow.key }), { code: 'permission_denied', param: 'model' });
  const same = await vendor.gateway.newKey();
  expect((await post(asking, { key: same.key })).headers.get('idempotent-replayed')).toBe('true');
});

/** Spending caps that are set while a key is in use: charges of their periods count from the start. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chatCompletion, chatFrames } from '../fakes/chat.ts';
import { json, stream } from '../fakes/delivery.ts';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';

let vendor: Fake;
let gateway: TestGateway;
beforeAll(async () => {
  vendor = await openFake();
  gateway = await startGateway({
    upstreams: { vendor: { kind: 'openai', baseUrl: vendor.url, apiKey: 'sk-vendor' } },
    models: [{ id: 'text', kind: 'text', maxOutputTokens: 100, prices: { input: '1000', output: '1000' } }],
  });
  vendor.always(() => json(chatCompletion()));
});
afterAll(async () => {
  await gateway.close();
  await vendor.close();
});

/** What a call of 18 tokens costs. */
const price = 18_000n;
const ask = { model: 'text', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 20 };
const call = (key: string, fields = {}): Promise<Response> =>
  gateway.call('/chat/completions', { method: 'POST', key, json: { ...ask, ...fields } });

async function callTimes(key: string, times: number): Promise<void> {
  for (let count = 0; count < times; count++) expect((await call(key)).status).toBe(200);
}

/** Calls until the new settings are in use: a key in use is read again once a second. */
const expectRejected = (key: string) =>
  expect
    .poll(async () => {
      const answer = await call(key);
      const body = Object(await answer.json());
      return answer.status === 403 ? body.error.code : answer.status;
    })
    .toBe('insufficient_balance');

const readUsed = async (owner: string) => await gateway.gateway.money?.ledger.getAllowance(`key:${owner}`, 'month', Date.now());
const setCap = (id: string, micros: bigint | null, period: 'day' | 'month' = 'month') =>
  gateway.editKey(id, { caps: micros === null ? [] : [{ micros, period }] });

async function expectConsistent(): Promise<void> {
  const found = await gateway.gateway.money?.ledger.reconcile({ isFull: true });
  expect(found).toMatchObject({ differences: [], unbalanced: [], contradictions: [] });
}

test('rejects the next call when a key has spent its new cap already', async () => {
  const { key, id } = await gateway.newKey({ account: 'runaway' });
  await callTimes(key, 5);
  await setCap(id, 4n * price);
  expect(await readUsed(id)).toEqual({ used: 5n * price, held: 0n });
  await expectRejected(key);
  await expectConsistent();
});

test('counts the charges of a key that a rotation replaced, and none of other keys', async () => {
  const { key, id, accountId } = await gateway.newKey({ account: 'rotated' });
  const other = await gateway.newKey({ account: 'rotated' });
  await callTimes(key, 2);
  await callTimes(other.key, 3);
  const successor = { id: 'key_successor', hash: Buffer.alloc(32, 7), lastFour: 'abcd', createdAt: Date.now(), expiresAt: null };
  const audit = { actor: 'test', action: 'key.rotate', target: id, details: {}, at: Date.now() };
  await gateway.withAccess(async ({ store }) => void (await store.rotateKey({ id, until: Date.now() + 60_000, successor }, audit)));
  await setCap('key_successor', 10n * price);
  expect(await readUsed(id)).toEqual({ used: 2n * price, held: 0n });
  expect(accountId).toBe(other.accountId);
  await expectConsistent();
});

test('counts each charge once when a cap is removed, set again, and changed to another period', async () => {
  const { key, id } = await gateway.newKey({ account: 'changing' });
  await setCap(id, 100n * price);
  await callTimes(key, 2);
  await setCap(id, null);
  await callTimes(key, 3);
  await setCap(id, 100n * price, 'day');
  expect(await gateway.gateway.money?.ledger.getAllowance(`key:${id}`, 'day', Date.now())).toEqual({ used: 5n * price, held: 0n });
  await setCap(id, 100n * price);
  await setCap(id, 50n * price);
  expect(await readUsed(id)).toEqual({ used: 5n * price, held: 0n });
  await expectConsistent();
});

test('counts a stream that was in flight when the cap was set', async () => {
  const { key, id } = await gateway.newKey({ account: 'streaming' });
  const { promise: gate, resolve: release } = Promise.withResolvers<void>();
  const frames = chatFrames({ includeUsage: true });
  vendor.clear();
  vendor.next(stream([...frames.slice(0, 3), { until: gate }, ...frames.slice(3)]));
  const open = await call(key, { stream: true });
  expect(open.status).toBe(200);
  await setCap(id, 100n * price);
  const { used, held } = (await readUsed(id)) ?? {};
  expect([used, (held ?? 0n) > price]).toEqual([0n, true]);
  await setCap(id, 100n * price, 'day');
  await setCap(id, 100n * price);
  release();
  await open.text();
  await expect.poll(() => readUsed(id)).toEqual({ used: price, held: 0n });
  await expectConsistent();
});

test('counts toward several caps of a key, and rejects by the one with the least left', async () => {
  const { key, id } = await gateway.newKey({ account: 'windows' });
  await callTimes(key, 2);
  const caps = (['day', 'week', 'month', 'never'] as const).map((period, index) => ({ period, micros: BigInt(3 + index) * price }));
  await gateway.editKey(id, { caps });
  await expectRejected(key);
  const rejected = Object(await (await call(key)).json());
  expect(rejected.error.message).toMatch(/^The key's spending cap of \S+ per day is too low/);
  const ledger = gateway.gateway.money?.ledger;
  const used = await Promise.all(caps.map(({ period }) => ledger?.getAllowance(`key:${id}`, period, Date.now())));
  expect(used.map((one) => one?.used)).toEqual(Array(4).fill(used[0]?.used));
  await expectConsistent();
});

test('counts the calls of all keys toward the cap of their account, also those in flight and from before', async () => {
  const [one, other] = [await gateway.newKey({ account: 'shared' }), await gateway.newKey({ account: 'shared' })];
  await callTimes(one.key, 2);
  const { promise: gate, resolve: release } = Promise.withResolvers<void>();
  const frames = chatFrames({ includeUsage: true });
  vendor.next(stream([...frames.slice(0, 3), { until: gate }, ...frames.slice(3)]));
  const open = await call(other.key, { stream: true });
  const audit = { actor: 'test', action: 'account.edit', target: one.accountId, details: {}, at: Date.now() };
  await gateway.withAccess(async ({ store }) => {
    await store.editAccount(one.accountId, { caps: [{ micros: 4n * price, period: 'month' }] }, audit);
  });
  release();
  await open.text();
  const readAccountUse = () => gateway.gateway.money?.ledger.getAllowance(`account:${one.accountId}`, 'month', Date.now());
  await expect.poll(readAccountUse).toEqual({ used: 3n * price, held: 0n });
  for (const { key } of [one, other]) await expectRejected(key);
  await expectConsistent();
});

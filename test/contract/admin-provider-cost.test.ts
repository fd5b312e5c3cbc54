/** Provider cost as operators see it: beside the charges, based on the calls with a known cost, and never 0 if it's unknown. */
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { OperatorActivity } from '../../contract/admin/activity.ts';
import { ConfiguredModelList } from '../../contract/admin/models.ts';
import { PortalActivity } from '../../contract/portal/reads.ts';
import { openAdminApp } from '../../server/api/admin/app.ts';
import { chatCompletion } from '../fakes/chat.ts';
import { json } from '../fakes/delivery.ts';
import { failure } from '../fakes/faults.ts';
import { hangLimitMs } from '../harness/hang-limit.ts';
import { type BehindVendor, openBehindVendor } from '../harness/vendor.ts';

let vendor: BehindVendor;
let admin: FastifyInstance;
beforeAll(async () => {
  const prices = { input: '2000', output: '8000' };
  const models = [
    { id: 'play', kind: 'text', prices, candidates: [{ upstream: 'vendor', cost: { input: '1000', output: '3000' } }] },
    { id: 'other', kind: 'text', prices },
  ];
  vendor = await openBehindVendor({ settings: { models, routing: { maxAttempts: 1 } } });
  const { gateway, newKey } = vendor.gateway;
  const { access, money, limits, limitUse, activity, sessions, alerts, config } = gateway;
  const ledger = money?.ledger ?? null;
  admin = await openAdminApp(
    { access, ledger, limits, limitUse, activity, sessions, alerts, prices: null, config, now: Date.now },
    { identify: async () => ({ actor: 'test', session: null, role: 'viewer' }), checkAnswers: true },
  );
  const { key } = await newKey({ account: 'research', balance: 100_000_000n });
  const call = async (model: string) => {
    const answer = await vendor.gateway.call('/chat/completions', { json: { model, messages: [{ role: 'user', content: 'x' }] }, key });
    await answer.text();
    const id = answer.headers.get('x-request-id') ?? expect.fail('no id');
    await vi.waitFor(async () => expect(await activity.find(id)).toBeDefined(), hangLimitMs);
    return id;
  };
  const usage = { prompt_tokens: 7, completion_tokens: 1, total_tokens: 8 };
  for (const model of ['play', 'play', 'other']) {
    vendor.fake.next(json({ ...chatCompletion(), usage }));
    await call(model);
  }
  vendor.fake.next(failure(500));
  await call('play');
  // One may be under way that began before the last call ended.
  for (let turn = 0; turn < 2; turn++) await activity.flush();
});
afterAll(async () => {
  await admin.close();
  await vendor.close();
});

const read = async (path: string): Promise<unknown> => JSON.parse((await admin.inject({ url: `/admin/v1${path}` })).payload);

test('shows cost and margin of the calls with a known cost per series, and null for others', async () => {
  const { series, provider: told, total } = OperatorActivity.parse(await read('/activity?group_by=model'));
  const byModel = Object.fromEntries(series.map(({ key }, index) => [key, told?.series[index]]));
  // 7 x $1000 + 1 x $3000 per million is a cent; the caller paid 2.2 cents.
  expect(byModel).toEqual({
    play: { requests: 2, cost: '0.020000', margin: '0.024000' },
    other: { requests: 0, cost: null, margin: null },
  });
  expect(told?.total).toEqual({ requests: 2, cost: '0.020000', margin: '0.024000' });
  expect(total.charged).toBe('0.066000');
});

test("shows null in the days of accounts, which don't count it", async () => {
  expect(OperatorActivity.parse(await read('/activity?group_by=account&bucket=day')).provider).toBeNull();
});

test('shows the cost of each candidate of a model, and that of its last 30 days', async () => {
  const { data } = ConfiguredModelList.parse(await read('/models'));
  expect(data.map(({ candidates, provider_30d: sums }) => [candidates[0]?.cost, sums])).toEqual([
    [
      { input: '1000', output: '3000' },
      { requests: 2, cost: '0.020000', margin: '0.024000' },
    ],
    [null, { requests: 0, cost: null, margin: null }],
  ]);
});

test('hides it from key owners', () => {
  expect(Object.keys(PortalActivity.shape)).not.toContain('provider');
});

/** What an operator reads of limits in use over the admin API, after true calls: how near they are, and whom they rejected. */
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LimitInUseList } from '../../contract/admin/limits.ts';
import { openAdminApp } from '../../server/api/admin/app.ts';
import { chatCompletion } from '../fakes/chat.ts';
import { json } from '../fakes/delivery.ts';
import { type BehindVendor, openBehindVendor } from '../harness/vendor.ts';

let vendor: BehindVendor;
let admin: FastifyInstance;
beforeEach(async () => {
  const settings = { groups: { vip: { limits: { requestsPerMinute: { limit: 2, mode: 'observe' } } } } };
  vendor = await openBehindVendor({ settings });
  vendor.fake.always(json(chatCompletion({ text: 'hi' })));
  const { access, money, limits, limitUse, activity, sessions, alerts, config } = vendor.gateway.gateway;
  const operations = {
    access,
    ledger: money?.ledger ?? null,
    limits,
    limitUse,
    activity,
    sessions,
    alerts,
    prices: null,
    config,
    now: Date.now,
  };
  admin = await openAdminApp(operations, { identify: async () => ({ actor: 'test', session: null, role: 'viewer' }), checkAnswers: true });
});
afterEach(async () => {
  await admin.close();
  await vendor.close();
});

const read = async (query = '') => {
  const { payload } = await admin.inject({ url: `/admin/v1/limits/in-use${query}` });
  return LimitInUseList.parse(JSON.parse(payload)).data;
};

test('lists limits after calls by name, with rejected calls and those that would have been', async () => {
  expect(await read('?over=0')).toEqual([]);
  const one = await vendor.gateway.newKey({
    account: 'research',
    group: 'vip',
    name: 'ci',
    limits: { requestsPerMinute: { limit: 4, mode: 'enforce' }, tokensPerMinute: null, concurrency: null },
  });
  const call = async () => {
    const answer = await vendor.gateway.call('/chat/completions', {
      key: one.key,
      json: { model: 'gpt-5.4', messages: [{ role: 'user', content: 'x' }] },
    });
    await answer.text();
    return answer.status;
  };
  const statuses: number[] = [];
  for (let turn = 0; turn < 6; turn++) statuses.push(await call());
  expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
  const found = await read();
  const ofKey = found.find(({ scope }) => scope === 'key');
  expect(ofKey).toMatchObject({
    name: 'research / ci',
    quantity: 'requests',
    limit: 4,
    mode: 'enforce',
    remaining: 0,
    used: 1,
    rejected_1h: 2,
  });
  expect(ofKey?.reset_ms).toBeGreaterThan(0);
  expect(found.find(({ scope }) => scope === 'group')).toMatchObject({
    subject: 'vip',
    name: 'vip',
    mode: 'observe',
    remaining: 0,
    rejected_1h: 2,
    rejected_accounts: [{ name: 'research', calls: 2 }],
  });
  expect(await read('?scope=model&over=1')).toEqual([]);
  expect((await read('?over=0.95&scope=key')).map(({ used }) => used)).toEqual([1]);
  expect((await read('?scope=group')).map(({ scope }) => scope)).toEqual(['group']);
});

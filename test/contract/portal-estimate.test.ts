/** What a call would cost, before it is made: the hold of the same call to the micro-dollar, its refusals in the same words, and nothing of it happens. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pageHeaders, signInAtPortal } from '../harness/console.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({
    groups: { default: { multiplier: '1' }, vip: { multiplier: '0.8' } },
    models: [
      { id: 'play', kind: 'text', groups: ['default', 'vip'], prices: { input: '1.25', output: '4' } },
      { id: 'club', kind: 'text', groups: ['vip'], prices: { input: '3', output: '9' } },
      { id: 'draw', kind: 'image', groups: ['default', 'vip'], prices: { images: { default: '0.2', '1024x1024/low': '0.02' } } },
      { id: 'gift', kind: 'text', groups: ['default', 'vip'], prices: 'free' },
    ],
  });
});
afterAll(() => gateway.close());

type Order = NonNullable<Parameters<TestGateway['newKey']>[0]>;

async function enter(order: Order) {
  const made = await gateway.newKey(order);
  return { ...made, cookie: await signInAtPortal(gateway, made.key) };
}

async function weigh(cookie: string, operation: string, body: object, headers: Record<string, string> = pageHeaders) {
  const answer = await fetch(`${gateway.origin}/portal/v1/playground/estimate`, {
    method: 'POST',
    headers: { ...headers, cookie },
    body: JSON.stringify({ operation, body }),
  });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}

const paths: Readonly<Record<string, string>> = {
  createResponse: '/responses',
  createChatCompletion: '/chat/completions',
  generateImages: '/images/generations',
};
const hello = [{ role: 'user', content: 'Say hello to everybody in the room.' }];
const cases: readonly (readonly [string, object])[] = [
  ['createResponse', { model: 'play', input: 'Why is the sky blue?', max_output_tokens: 300 }],
  ['createResponse', { model: 'play', input: 'Why is the sky blue?' }],
  ['createChatCompletion', { model: 'play', messages: hello, max_completion_tokens: 77, n: 2 }],
  ['generateImages', { model: 'draw', prompt: 'x', size: '1024x1024', quality: 'low', n: 3 }],
  ['generateImages', { model: 'draw', prompt: 'x' }],
];

test.each(cases)('shows for %s %j the amounts that the receipt of the call has', async (operation, body) => {
  const { cookie, key } = await enter({ account: `payer ${JSON.stringify(body).length}`, group: 'vip', balance: 90_000_000n });
  const { status, body: told } = await weigh(cookie, operation, body);
  expect({ status, error: told.error }).toEqual({ status: 200, error: null });
  const answer = await gateway.call(paths[operation] ?? '', { json: body, key });
  expect(answer.status).toBe(200);
  await answer.text();
  const requestId = answer.headers.get('x-request-id');
  const receipt = JSON.parse(await (await gateway.call(`/usage/${requestId}`, { key })).text());
  expect([told.max_cost, told.available]).toEqual([receipt.held, '90.000000']);
  expect(Number(receipt.charged)).toBeLessThanOrEqual(Number(told.max_cost));
  expect(String(told.output_limit)).toBe(answer.headers.get('x-modelgate-output-limit') ?? 'null');
});

test('changes nothing: no hold, no charge, no row, no counter, no stored response', async () => {
  const limits = { requestsPerMinute: { limit: 3, mode: 'enforce' }, tokensPerMinute: null, concurrency: null } as const;
  const { cookie, key, accountId } = await enter({ account: 'looker', balance: 5_000_000n, limits });
  const balance = await gateway.gateway.money?.ledger.getBalance(accountId);
  for (let times = 0; times < 5; times++) {
    const { body } = await weigh(cookie, 'createResponse', { model: 'play', input: 'hi', store: true });
    expect(body.requests).toMatchObject({ limit: 3, remaining: 3 });
  }
  expect(await gateway.gateway.money?.ledger.getBalance(accountId)).toEqual(balance);
  expect(JSON.parse(await (await gateway.call('/usage', { key })).text()).data).toEqual([]);
  for (let turn = 0; turn < 2; turn++) await gateway.gateway.activity.flush();
  const rows = await fetch(`${gateway.origin}/portal/v1/requests`, { headers: { cookie } });
  expect(JSON.parse(await rows.text()).data.filter(({ model }: { model: string | null }) => model === 'play')).toEqual([]);
  await (await gateway.call('/responses', { json: { model: 'play', input: 'hi' }, key })).text();
  // The call alone: reading one's own usage is not counted.
  expect((await weigh(cookie, 'createResponse', { model: 'play', input: 'hi' })).body.requests).toMatchObject({ limit: 3, remaining: 2 });
});

describe('a caller who estimates a call', () => {
  const refusals: readonly (readonly [string, Order, object])[] = [
    ['a model of another group', {}, { model: 'club', input: 'hi' }],
    ['a model that there is not', {}, { model: 'none', input: 'hi' }],
    ['a body that is wrong', {}, { model: 'play', input: 'hi', temperature: 9 }],
    ['a balance that is too low', { account: 'poor', balance: 10n }, { model: 'play', input: 'hi', max_output_tokens: 500 }],
    [
      'a cap that is too low',
      { account: 'capped', caps: [{ micros: 5n, period: 'month' }] },
      { model: 'play', input: 'hi', max_output_tokens: 500 },
    ],
  ];
  test.each(refusals)('gets the error of the call for %s', async (_, order, body) => {
    const { cookie, key } = await enter(order);
    const { status, body: told } = await weigh(cookie, 'createResponse', body);
    const { error } = JSON.parse(await (await gateway.call('/responses', { json: body, key })).text());
    expect({ status, max_cost: told.max_cost, error: told.error }).toEqual({ status: 200, max_cost: null, error });
  });
});

test('costs nothing for a model without a price', async () => {
  const { cookie } = await enter({});
  const { body } = await weigh(cookie, 'createResponse', { model: 'gift', input: 'hi' });
  expect(body).toMatchObject({ max_cost: '0.000000', error: null });
});

test('rejects another site, and a caller without a session', async () => {
  const { cookie } = await enter({});
  const body = { model: 'play', input: 'hi' };
  expect((await weigh(cookie, 'createResponse', body, { ...pageHeaders, 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  expect((await weigh('', 'createResponse', body)).status).toBe(401);
});

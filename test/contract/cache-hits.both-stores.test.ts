/** How much of the input came from a cache, by session and by model, and what the rest cost: for operators, and for holders of keys about their own account. */
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Activity, OperatorActivity } from '../../contract/admin/activity.ts';
import { type LoggedRequest, LoggedRequestList } from '../../contract/admin/requests.ts';
import { PortalActivity } from '../../contract/portal/reads.ts';
import { openAdminApp } from '../../server/api/admin/app.ts';
import { chatCompletion } from '../fakes/chat.ts';
import { json } from '../fakes/delivery.ts';
import { signInAtPortal } from '../harness/console.ts';
import { hangLimitMs } from '../harness/hang-limit.ts';
import { type BehindVendor, openBehindVendor } from '../harness/vendor.ts';

const prices = { input: '3', cachedInput: '0.3', cacheWrite: '3.75', output: '15' };
const models = [
  { id: 'play', kind: 'text', prices },
  { id: 'plain', kind: 'text', prices: { input: '3', output: '15' } },
];
const question = { role: 'user', content: 'a secret question' };
const named = { messages: [question], prompt_cache_key: 'a-secret-name' };
const begun = { messages: [{ role: 'system', content: 'You know the handbook.' }, question] };

/** Tokens of a call, as the vendor reports them; input has all of it. */
interface Told {
  readonly input: number;
  readonly cached?: number;
  readonly written?: number;
}
const calls: Readonly<Record<string, readonly [body: object, told: Told]>> = {
  first: [
    { model: 'play', ...named },
    { input: 1_000, written: 900 },
  ],
  second: [
    { model: 'play', ...named },
    { input: 1_100, cached: 900 },
  ],
  plain: [
    { model: 'plain', ...named },
    { input: 300, cached: 100 },
  ],
  begun: [{ model: 'play', ...begun }, { input: 501 }],
  single: [{ model: 'play', messages: [question] }, { input: 400 }],
};

let vendor: BehindVendor;
let admin: FastifyInstance;
const own = { accountId: '', key: '' };
const rows: Record<string, LoggedRequest> = {};

const read = async (path: string): Promise<unknown> => JSON.parse((await admin.inject({ url: `/admin/v1${path}` })).payload);

async function call(key: string, [body, { input, cached = 0, written = 0 }]: readonly [object, Told]): Promise<string> {
  const prompt_tokens_details = { cached_tokens: cached, cache_write_tokens: written };
  const usage = { prompt_tokens: input, completion_tokens: 1, total_tokens: input + 1, prompt_tokens_details };
  vendor.fake.next(json({ ...chatCompletion(), usage }));
  const answer = await vendor.gateway.call('/chat/completions', { json: body, key });
  expect(answer.status, await answer.text()).toBe(200);
  return answer.headers.get('x-request-id') ?? expect.fail('no id');
}

beforeAll(async () => {
  vendor = await openBehindVendor({ settings: { models, groups: { default: { multiplier: '0.8' } } } });
  const { access, money, limits, limitUse, activity, sessions, alerts, config } = vendor.gateway.gateway;
  admin = await openAdminApp(
    { access, ledger: money?.ledger ?? null, limits, limitUse, activity, sessions, alerts, prices: null, config, now: Date.now },
    { identify: async () => ({ actor: 'test', session: null, role: 'viewer' }), checkAnswers: true },
  );
  const other = await vendor.gateway.newKey({ account: 'other', balance: 100_000_000n });
  Object.assign(own, await vendor.gateway.newKey({ account: 'research', balance: 100_000_000n }));
  const ids: Record<string, string> = {};
  for (const [name, one] of Object.entries(calls)) ids[name] = await call(own.key, one);
  ids.foreign = await call(other.key, [{ model: 'play', ...named }, { input: 700 }]);
  for (const id of Object.values(ids)) await vi.waitFor(async () => expect(await activity.find(id)).toBeDefined(), hangLimitMs);
  // One may be under way that began before the last call ended.
  for (let turn = 0; turn < 2; turn++) await activity.flush();
  const { data } = LoggedRequestList.parse(await read('/requests'));
  for (const [name, id] of Object.entries(ids)) rows[name] = data.find((row) => row.request_id === id) ?? expect.fail(`no row of ${name}`);
});
afterAll(async () => {
  await admin.close();
  await vendor.close();
});

/** Of each series: its key, its input by class, and what was missed. */
const figuresOf = ({ series }: Pick<Activity, 'series'>) =>
  Object.fromEntries(
    series.map(({ key, total: { tokens, cache_miss_cost: missed } }) => [
      key,
      [tokens.input, tokens.cached_input, tokens.cache_write, missed],
    ]),
  );
const sessionOf = (name: string): string => rows[name]?.session ?? expect.fail(`${name} has no session`);

test('names the session of its calls, hides cache key and prompt, and differs between accounts', () => {
  expect([rows.second?.session, rows.plain?.session]).toEqual([sessionOf('first'), sessionOf('first')]);
  expect(rows.single?.session).toBeNull();
  const all = ['first', 'begun', 'foreign'].map(sessionOf);
  expect(new Set(all).size).toBe(3);
  for (const name of all) expect(name).toMatch(/^[\w-]{16}$/);
  expect(JSON.stringify(rows)).not.toMatch(/secret/);
});

test('shows operators hits and the cost of misses by session and model, to the micro-dollar', async () => {
  const bySession = OperatorActivity.parse(await read(`/activity?group_by=session&account_id=${own.accountId}`));
  // (100 x 2.7 + 900 x 3.45) x 0.8 and 200 x 2.7 x 0.8; 501 x 2.7 x 0.8, rounded up. The plain model has no price of reading.
  expect(figuresOf(bySession)).toEqual({
    [sessionOf('first')]: [500, 1_000, 900, '0.003132'],
    [sessionOf('begun')]: [501, 0, 0, '0.001083'],
    '': [400, 0, 0, '0.000000'],
  });
  const byModel = { play: [1_201, 900, 900, '0.004215'], plain: [200, 100, 0, '0.000000'] };
  for (const bucket of ['hour', 'day'])
    expect(figuresOf(OperatorActivity.parse(await read(`/activity?group_by=model&account_id=${own.accountId}&bucket=${bucket}`)))).toEqual(
      byModel,
    );
  const ofAll = OperatorActivity.parse(await read('/activity?group_by=session&then_by=model'));
  expect(ofAll.series.map(({ key, then_key, total }) => [key, then_key, total.cache_miss_cost])).toContainEqual([
    sessionOf('foreign'),
    'play',
    '0.001512',
  ]);
  expect(OperatorActivity.parse(await read('/activity')).total.cache_miss_cost).toBe('0.005727');
});

test('filters calls and totals by a session', async () => {
  const { data } = LoggedRequestList.parse(await read(`/requests?session=${sessionOf('first')}`));
  expect(data.map(({ request_id: id }) => id)).toEqual([rows.plain, rows.second, rows.first].map((row) => row?.request_id));
  const sums = OperatorActivity.parse(await read(`/activity?group_by=model&session=${sessionOf('first')}`));
  expect(figuresOf(sums)).toEqual({ play: [300, 900, 900, '0.003132'], plain: [200, 100, 0, '0.000000'] });
});

test('rejects sessions of all accounts over more than a day with the field', async () => {
  const { error } = (await read('/activity?group_by=session&from=2030-01-01T00:00:00Z&to=2030-01-03T00:00:00Z')) as { error: object };
  expect(error).toMatchObject({ code: 'invalid_value', param: 'from', message: expect.stringContaining('7 days of one account or key') });
});

test('shows the same to a key owner about the own account only', async () => {
  const cookie = await signInAtPortal(vendor.gateway, own.key);
  const ask = async (by: string) =>
    PortalActivity.parse(
      await (
        await fetch(`${vendor.gateway.origin}/portal/v1/activity?${by}`, { headers: { cookie, 'sec-fetch-site': 'same-origin' } })
      ).json(),
    );
  expect(figuresOf(await ask('group_by=session'))).toMatchObject({ [sessionOf('first')]: [500, 1_000, 900, '0.003132'] });
  expect((await ask('group_by=model')).total.cache_miss_cost).toBe('0.004215');
  expect((await ask(`session=${sessionOf('foreign')}`)).total.requests).toBe(0);
});

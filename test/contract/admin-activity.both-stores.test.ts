/** The request log over the admin API and on the command line: rows, sums, one call in full, and the same as CSV. */
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openAdminApp } from '../../server/api/admin/app.ts';
import { chatCompletion } from '../fakes/chat.ts';
import { json } from '../fakes/delivery.ts';
import { failure } from '../fakes/faults.ts';
import { modelgate } from '../harness/command-line.ts';
import { hangLimitMs } from '../harness/hang-limit.ts';
import { type BehindVendor, openBehindVendor } from '../harness/vendor.ts';

let vendor: BehindVendor;
let admin: FastifyInstance;
let accountId: string;
let keyId: string;
const ids: Record<'paid' | 'rejected' | 'failed' | 'limited', string> = { paid: '', rejected: '', failed: '', limited: '' };

const ask = { model: 'play', messages: [{ role: 'user', content: 'a secret prompt' }] };

const limits = { requestsPerMinute: { limit: 2, mode: 'enforce' }, tokensPerMinute: null, concurrency: null } as const;

beforeAll(async () => {
  const models = [{ id: 'play', kind: 'text', prices: { input: '1', output: '4' } }];
  vendor = await openBehindVendor({ settings: { models, activity: { tagHeader: 'X-App' } } });
  const { access, money, activity, sessions, alerts, config, ...gateway } = vendor.gateway.gateway;
  const operations = {
    access,
    ledger: money?.ledger ?? null,
    limits: gateway.limits,
    limitUse: gateway.limitUse,
    activity,
    sessions,
    alerts,
    prices: null,
    config,
    now: Date.now,
  };
  admin = await openAdminApp(operations, { identify: async () => ({ actor: 'test', session: null, role: 'admin' }), checkAnswers: true });
  const made = await vendor.gateway.newKey({ account: '=cmd', balance: 1_000_000n, limits });
  ({ accountId, id: keyId } = made);
  const call = async (body: object, key = made.key, headers: Record<string, string> = {}): Promise<string> => {
    const answer = await vendor.gateway.call('/chat/completions', { json: body, key, headers });
    await answer.text();
    return answer.headers.get('x-request-id') ?? expect.fail('no id');
  };
  vendor.fake.next(json(chatCompletion()));
  ids.paid = await call({ ...ask, safety_identifier: 'user_1', user: 'user_2' }, made.key, { 'x-app': 'search' });
  ids.rejected = await call({ ...ask, model: 'none' }, made.key, { 'x-app': 'search' });
  vendor.fake.next(failure(500));
  ids.failed = await call({ ...ask, user: `${'u'.repeat(150)}` });
  ids.limited = await call(ask);
  for (const id of [...Object.values(ids), await call(ask, 'mg-unknown')])
    await vi.waitFor(async () => expect(await activity.find(id)).toBeDefined(), { timeout: hangLimitMs });
  // One may be under way that began before the last call ended.
  for (let turn = 0; turn < 2; turn++) await activity.flush();
});
afterAll(async () => {
  await admin.close();
  await vendor.close();
});

async function read(path: string) {
  const { statusCode, payload, headers } = await admin.inject({ method: 'GET', url: `/admin/v1${path}` });
  return { status: statusCode, type: headers['content-type'], text: payload };
}
const readJson = async (path: string) => JSON.parse((await read(path)).text);
const listed = async (query: string) =>
  (await readJson(`/requests?account_id=${accountId}&${query}`)).data.map(({ request_id: id }: { request_id: string }) => id);

test('lists every call, newest first, and each filter finds its own', async () => {
  expect(await listed('')).toEqual([ids.limited, ids.failed, ids.rejected, ids.paid]);
  expect(await listed('outcome=rejected')).toEqual([ids.limited, ids.rejected]);
  expect(await listed('status=429')).toEqual([ids.limited]);
  expect(await listed(`key_id=${keyId}&outcome=failed`)).toEqual([ids.failed]);
  expect(await listed('costs_over=0')).toEqual([ids.paid]);
  expect(await listed(`limit=1&after=${ids.failed}`)).toEqual([ids.rejected]);
  const [row] = (await readJson(`/requests?account_id=${accountId}&limit=1&after=${ids.rejected}`)).data;
  expect(row).toMatchObject({
    account_name: '=cmd',
    key_name: 'test',
    status: 200,
    model: 'play',
    operation: 'createChatCompletion',
    upstream: 'vendor',
    outcome: 'completed',
    attempts: 1,
  });
  expect(Number(row.charged)).toBeGreaterThan(0);
});

test('sorts the list by charge or duration, in pages, and rejects a cursor of another order', async () => {
  expect((await listed('sort=charged'))[0]).toBe(ids.paid);
  expect(await listed('sort=time&order=asc')).toEqual([ids.paid, ids.rejected, ids.failed, ids.limited]);
  const rows = (await readJson(`/requests?account_id=${accountId}&sort=duration`)).data.map(({ total_ms: ms }: { total_ms: number }) => ms);
  expect(rows).toEqual(rows.toSorted((one: number, other: number) => other - one));
  const { last_id: after } = await readJson(`/requests?account_id=${accountId}&sort=charged&limit=1`);
  expect((await listed(`sort=charged&after=${after}`)).toSorted()).toEqual([ids.limited, ids.failed, ids.rejected].toSorted());
  for (const other of [
    `sort=duration&after=${after}`,
    `sort=charged&order=asc&after=${after}`,
    `after=${after}`,
    `sort=charged&after=${ids.paid}`,
  ]) {
    const { status, text } = await read(`/requests?${other}`);
    expect([status, JSON.parse(text).error]).toEqual([
      400,
      expect.objectContaining({ code: 'invalid_value', param: 'after', message: expect.stringContaining("same 'sort' and 'order'") }),
    ]);
  }
});

test('rejects a list over too long a range with the field, sorted ones of all accounts earlier', async () => {
  const answerTo = async (query: string) => {
    const { status, text } = await read(`/requests?${query}`);
    const { code, param } = JSON.parse(text).error ?? {};
    return [status, code, param];
  };
  const rejected = [400, 'invalid_value', 'from'];
  const range = (to: string) => `from=2027-01-01T00:00:00Z&to=${to}T00:00:00Z`;
  expect(await answerTo('from=2020-01-01T00:00:00Z')).toEqual(rejected);
  expect(await answerTo(range('2027-01-20'))).toEqual([200, undefined, undefined]);
  expect(await answerTo(`${range('2027-01-20')}&sort=charged`)).toEqual(rejected);
  expect(await answerTo(`${range('2027-01-08')}&sort=charged`)).toEqual([200, undefined, undefined]);
  expect(await answerTo(`${range('2027-01-20')}&sort=charged&account_id=${accountId}`)).toEqual([200, undefined, undefined]);
});

test('shows one call with its row, its rules, its attempts, its receipt and ledger entries that add up', async () => {
  const paid = await readJson(`/requests/${ids.paid}`);
  expect(paid).toMatchObject({
    error: null,
    request: { charged: paid.receipt.charged },
    attempts: [{ upstream: 'vendor', status: 200, code: null }],
  });
  expect(paid.checks.every(({ result }: { result: string }) => result === 'passed')).toBe(true);
  expect(paid.entries.map(({ ledger_account: book, amount }: Record<'ledger_account' | 'amount', string>) => [book, amount])).toEqual([
    [`account:${accountId}`, `-${paid.receipt.charged}`],
    ['revenue', paid.receipt.charged],
  ]);
  const failed = await readJson(`/requests/${ids.failed}`);
  expect(failed).toMatchObject({ entries: [], receipt: { state: 'voided' }, attempts: [{ status: 500, code: 'upstream_error' }] });
});

test('names the rule that rejected a call, with the figures of that moment', async () => {
  const { checks } = await readJson(`/requests/${ids.limited}`);
  expect(checks[1]).toEqual({ rule: 'requests', result: 'rejected', scope: 'key', limit: 2, remaining: 0 });
  expect(checks.slice(2).every(({ result }: { result: string }) => result === 'not_reached')).toBe(true);
  const unknown = await readJson(`/requests/${ids.rejected}`);
  expect(unknown.checks.find(({ result }: { result: string }) => result === 'rejected')).toMatchObject({ rule: 'model' });
});

test.each([
  ['spending_cap', { account: 'tight', caps: [{ micros: 1n, period: 'day' }] }],
  ['balance', { account: 'poor', balance: 1n }],
] as const)('names what a call exceeded: %s', async (rule, settings) => {
  const { key } = await vendor.gateway.newKey(settings);
  const answer = await vendor.gateway.call('/chat/completions', { json: { ...ask, max_tokens: 5_000 }, key });
  await answer.text();
  const requestId = answer.headers.get('x-request-id');
  await vi.waitFor(async () => expect((await readJson(`/requests/${requestId}`)).request).not.toBeNull(), { timeout: hangLimitMs });
  const { checks } = await readJson(`/requests/${requestId}`);
  expect(checks.find(({ result }: { result: string }) => result === 'rejected').rule).toBe(rule);
});

test('returns sums by key and by code that agree with the rows, and times of the whole gateway', async () => {
  const { series, total } = await readJson(`/activity?group_by=key&account_id=${accountId}&bucket=day`);
  expect(series).toMatchObject([{ key: keyId, is_other: false, total: { requests: 4, rejected: 2, errors: 1 } }]);
  expect(total.charged).toBe((await readJson(`/requests/${ids.paid}`)).receipt.charged);
  const byCode = await readJson(`/activity?group_by=code&account_id=${accountId}`);
  expect(byCode.bucket).toBe('hour');
  expect(byCode.series.map(({ key }: { key: string }) => key).sort()).toEqual([
    '',
    'model_not_found',
    'rate_limit_exceeded',
    'upstream_error',
  ]);
  const all = await readJson('/activity');
  expect(all.total.total_ms).toMatchObject({ p50: expect.any(Number), p95: expect.any(Number) });
  expect(Date.parse(all.complete_until)).toBeLessThanOrEqual(Date.now());
});

test('returns the requested range from a full hour on, and a total for every grouping', async () => {
  const at = Date.now();
  const [from, to] = [new Date(at - 30 * 3_600_000).toISOString(), new Date(at + 60_000).toISOString()];
  const groupings = ['', '&group_by=model', '&group_by=key', '&group_by=account', '&group_by=account&bucket=week', '&group_by=upstream'];
  const answers = await Promise.all(groupings.map((by) => readJson(`/activity?from=${from}&to=${to}${by}`)));
  const [whole] = answers;
  for (const answer of answers) {
    expect([answer.from, answer.to]).toEqual([`${from.slice(0, 13)}:00:00.000Z`, to]);
    expect([answer.total.requests, answer.total.rejected, answer.total.charged]).toEqual([
      whole.total.requests,
      whole.total.rejected,
      whole.total.charged,
    ]);
  }
  // A request without a key is no call of an account, and has no name there.
  const byAccount = answers[3].series.map(({ key, total }: { key: string; total: { requests: number } }) => [key, total.requests]);
  expect(byAccount).toContainEqual(['', 1]);
});

test('omits calls that ended after the range', async () => {
  const paid = await readJson(`/requests/${ids.paid}`);
  const to = paid.request.at;
  for (const by of ['', '&group_by=key', '&group_by=account', '&group_by=model'])
    expect((await readJson(`/activity?to=${to}${by}`)).total.charged, by).toBe('0.000000');
});

test.each([
  ['group_by=account&bucket=hour&from=2030-01-01T00:00:00Z&to=2030-01-09T00:00:00Z', 'bucket'],
  ['group_by=key&from=2020-01-01T10:00:00Z&to=2020-03-02T00:00:00Z', 'from'],
  ['group_by=model&from=2020-01-01T10:00:00Z&to=2020-03-01T10:30:00Z', 'to'],
  ['group_by=account&then_by=upstream&bucket=day', 'then_by'],
  ['then_by=model', 'then_by'],
  ['group_by=model&then_by=model', 'then_by'],
  ['from=2020-01-01T00:00:00Z&bucket=hour', 'bucket'],
  ['from=2030-01-01T00:00:00Z&to=2029-01-01T00:00:00Z&bucket=day', 'to'],
])('rejects a query that no table covers with the field: %s', async (query, param) => {
  const { status, text } = await read(`/activity?${query}`);
  expect([status, JSON.parse(text).error]).toEqual([400, expect.objectContaining({ code: 'invalid_value', param })]);
});

test('returns the same rows as CSV, with exact amounts', async () => {
  const { type, text } = await read(`/requests.csv?account_id=${accountId}`);
  expect(type).toBe('text/csv; charset=utf-8');
  const [headings, ...lines] = text.split('\r\n');
  expect(headings).toMatch(/^request_id,at,account_id,/);
  expect(lines.map((line) => line.split(',')[0])).toEqual([ids.limited, ids.failed, ids.rejected, ids.paid, '']);
  const sums = await read(`/activity.csv?group_by=model&account_id=${accountId}&bucket=day`);
  expect(sums.text).toContain((await readJson(`/requests/${ids.paid}`)).receipt.charged);
});

test('prints the same on the command line beside the gateway', async () => {
  const place = ['--config', join(vendor.gateway.folder, 'modelgate.yaml')];
  const list = await modelgate(['usage', 'list', '--account', accountId, '--outcome', 'rejected', ...place]);
  expect(list).toMatchObject({ code: 0, stderr: '' });
  expect(list.stdout).toMatch(new RegExp(`^REQUEST[^\\n]*\\n${ids.limited} [^\\n]* rate_limit_exceeded\\n${ids.rejected} `));
  const one = await modelgate(['usage', 'show', ids.limited, ...place]);
  expect(one.stdout).toMatch(/\nRejected by: +requests, per key, limit 2\n/);
  const table = await modelgate(['usage', 'list', '--account', accountId, '--csv', ...place]);
  expect(table.stdout).toBe((await read(`/requests.csv?account_id=${accountId}`)).text);
  const sums = await modelgate(['usage', '--by', 'model', '--account', accountId, ...place]);
  expect(sums.stdout).toMatch(/^NAME +REQUESTS[^\n]*\nplay +\d+ /);
  const usage = await modelgate(['usage', '--by', 'model', '--account', accountId, '--csv', ...place]);
  expect(usage.stdout).toMatch(/^at,key,[^\n]*\n[^\n]*,play,/);
  const byAccount = await modelgate(['usage', '--by', 'account', ...place]);
  expect(byAccount.stdout).toMatch(new RegExp(`^NAME +ID +REQUESTS[^]*\\n=cmd +${accountId} +\\d`));
  const byKey = await readJson(`/activity?group_by=key&account_id=${accountId}`);
  expect(byKey.series.map(({ label }: { label: string }) => label)).toEqual(['=cmd / test']);
  expect(await modelgate(['usage', 'rebuild', ...place])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Rebuilt the totals of \d+ days?/),
  });
  expect((await readJson(`/activity?group_by=key&account_id=${accountId}&bucket=day`)).total.requests).toBe(4);
});

test('prints totals by session of the longest range allowed, and rejects a longer one with its option and limit', async () => {
  const place = ['--config', join(vendor.gateway.folder, 'modelgate.yaml')];
  const countFullDays = async (...words: string[]) => {
    const { from, to } = JSON.parse((await modelgate(['usage', ...words, '--json', ...place])).stdout);
    return Math.floor((Date.parse(to) - Date.parse(from)) / 86_400_000);
  };
  expect(await countFullDays('--by', 'model')).toBe(29);
  expect(await countFullDays('--by', 'session', '--account', accountId)).toBe(6);
  expect(await countFullDays('--by', 'session')).toBe(1);
  expect(await modelgate(['usage', '--by', 'session', '--from', '2020-01-01', ...place])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^modelgate: --from: Totals by session can span at most 1 day, or 7 days of one account or key\./),
  });
});

test('shows the last call and spend of a key, the used part of its cap, and the spend of an account', async () => {
  const { receipt } = await readJson(`/requests/${ids.paid}`);
  const [last] = (await readJson(`/requests?key_id=${keyId}`)).data;
  const { use } = await readJson(`/keys/${keyId}`);
  expect(use).toEqual({ last_used_at: last.at, charged_30d: receipt.charged, spending_caps: [] });
  const [listed] = (await readJson(`/keys?account_id=${accountId}`)).data;
  expect(listed.use).toEqual(use);
  expect((await readJson(`/accounts/${accountId}`)).charged_30d).toBe(receipt.charged);

  const capped = await vendor.gateway.newKey({ account: 'capped', caps: [{ micros: 1_000_000n, period: 'day' }] });
  const unused = { last_used_at: null, charged_30d: '0.000000', spending_caps: [{ amount: '1.000000', period: 'day', used: '0.000000' }] };
  expect(await readJson(`/keys/${capped.id}`)).toMatchObject({ use: unused });
  expect(await readJson('/accounts/capped')).toMatchObject({ charged_30d: '0.000000' });
  vendor.fake.next(json(chatCompletion()));
  const answer = await vendor.gateway.call('/chat/completions', { json: ask, key: capped.key });
  expect(answer.status).toBe(200);
  await answer.text();
  await vi.waitFor(async () => expect((await readJson(`/keys/${capped.id}`)).use.spending_caps[0].used).toBe(receipt.charged), {
    timeout: hangLimitMs,
  });
});

test('groups calls by end user and by the configured header, and finds those of one', async () => {
  const countsBy = async (dimension: string) => {
    const { series } = await readJson(`/activity?account_id=${accountId}&group_by=${dimension}`);
    return Object.fromEntries(series.map(({ key, total }: { key: string; total: { requests: number } }) => [key, total.requests]));
  };
  expect(await countsBy('end_user')).toEqual({ user_1: 1, [`${'u'.repeat(127)}…`]: 1, '': 2 });
  expect(await countsBy('tag')).toEqual({ search: 2, '': 2 });
  expect(await listed('end_user=user_1')).toEqual([ids.paid]);
  expect(await listed('tag=search')).toEqual([ids.rejected, ids.paid]);
  const { request } = await readJson(`/requests/${ids.paid}`);
  expect(request).toMatchObject({ end_user: 'user_1', tag: 'search' });
});

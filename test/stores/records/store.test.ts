/** The request log on each engine: rows are stored unchanged, sums equal the sums of the rows, and no row is kept past its retention. */
import { test as base, describe, expect } from 'vitest';
import type { LogRow } from '../../../server/records/call-record.ts';
import { findRequest, listRequests } from '../../../server/records/list-requests.ts';
import type { RecordsQuery } from '../../../server/records/store.ts';
import { paidCall, rejectedCall, rowsOf } from '../../harness/call-record.ts';
import { engines } from './engines.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const noon = Date.UTC(2027, 0, 10, 12);
const all = { from: 0, to: Number.MAX_SAFE_INTEGER, limit: 1_000 };
const idsOf = (rows: readonly LogRow[] | undefined) => rows?.map(({ request_id: id }) => id);
const many = (count: number, at: number, account: string | null = 'ada') =>
  rowsOf(
    ...Array.from({ length: count }, (_, index) => rejectedCall(`req_${account}_${at}_${index}`, { ended_at: at, account_id: account })),
  );

const tables = ['activity_hours', 'account_days', 'key_days', 'key_hours', 'end_user_hours', 'end_user_days'];

async function totals(ask: RecordsQuery, table: string): Promise<readonly number[]> {
  const names = ['requests', 'errors', 'rejected', 'input', 'output', 'charged'];
  const [row] = await ask(
    `SELECT ${names.map((name) => `CAST(coalesce(sum(${name}), 0) AS BIGINT) AS ${name}`).join(', ')} FROM ${table}`,
    [],
  );
  return names.map((name) => Number(row?.[name]));
}

describe.each(engines)('$title', ({ isMissing, use }) => {
  const test = base.skipIf(isMissing);
  const open = use();

  test('C2: returns a call to every process as it was written, even if most of its fields are unknown', async () => {
    const { here, there } = await open();
    const bare = { account_id: null, key_id: null, model: null, operation: null, details: { message: "It's late: 🦉 \\ {} NULL" } };
    const rows = rowsOf(paidCall('req_paid', { end_user: 'user_1', tag: 'search' }), rejectedCall('req_bare', bare));
    await here.add(rows);
    expect([await findRequest(there.ask, 'req_paid'), await findRequest(there.ask, 'req_bare')]).toEqual(rows);
    expect([await findRequest(there.ask, 'req_none'), await findRequest(there.ask, 'zero \0')]).toEqual([undefined, undefined]);
  });

  test('stores and counts a call that is written twice once, as it was written first', async () => {
    const { here } = await open();
    await here.add(rowsOf(paidCall('req_1')));
    await here.add(rowsOf(paidCall('req_1', { charged: 9 }), paidCall('req_2')));
    expect((await findRequest(here.ask, 'req_1'))?.charged).toBe(1_500);
    for (const table of tables) expect(await totals(here.ask, table)).toEqual([2, 0, 0, 200, 80, 3_000]);
  });

  test('counts exactly when processes write at the same time, including each repeated rejection', async () => {
    const { here, there } = await open();
    const batch = (name: string) =>
      Array.from({ length: 50 }, (_, at) =>
        paidCall(`req_${name}_${at}`, { ended_at: noon + (at % 3) * HOUR_MS, key_id: `key_${at % 4}`, model: `m${at % 2}` }),
      );
    const failed = paidCall('req_failed', { outcome: 'failed', code: 'upstream_error', charged: null, input: 0, output: 0 });
    const flood = rowsOf(rejectedCall('req_flood')).map((row) => ({ ...row, repeats: 9 }));
    await Promise.all([here.add(rowsOf(...batch('a'))), there.add(rowsOf(...batch('b'), failed)), here.add(flood)]);
    const expected = [111, 1, 10, 10_000, 4_000, 150_000];
    for (const table of tables) expect(await totals(here.ask, table)).toEqual(expected);
    const [day] = await here.ask('SELECT min(day) AS day, max(day) AS last FROM account_days', []);
    expect([Number(day?.day), Number(day?.last)]).toEqual([0, noon - (noon % DAY_MS)]);
  });

  test('includes calls without a known key in every sum', async () => {
    const { here } = await open();
    await here.add(rowsOf(rejectedCall('req_1', { account_id: null, key_id: null, status: 401, code: 'invalid_api_key' })));
    for (const table of tables) expect((await totals(here.ask, table))[0]).toBe(1);
  });

  test("lists newest first, in pages without gaps, and each filter excludes rows that don't match", async () => {
    const { here } = await open();
    const paid = Array.from({ length: 7 }, (_, at) =>
      paidCall(`req_${at}`, { ended_at: noon + Math.floor(at / 3), total_ms: at * 100, charged: at, end_user: `user_${at}`, tag: 'app' }),
    );
    await here.add(rowsOf(...paid, rejectedCall('req_no', { ended_at: noon + 10, account_id: 'bob', key_id: 'key_2', model: null })));
    expect(idsOf(await listRequests(here.ask, all))).toEqual(['req_no', 'req_6', 'req_5', 'req_4', 'req_3', 'req_2', 'req_1', 'req_0']);
    const pages: (readonly string[] | undefined)[] = [];
    for (let after: string | undefined; pages.length < 4; after = pages.at(-1)?.at(-1))
      pages.push(idsOf(await listRequests(here.ask, { ...all, limit: 3, after })));
    expect(pages).toEqual([['req_no', 'req_6', 'req_5'], ['req_4', 'req_3', 'req_2'], ['req_1', 'req_0'], []]);
    expect(await listRequests(here.ask, { ...all, after: 'req_none' })).toBeUndefined();
    const found = async (filter: object) => idsOf(await listRequests(here.ask, { ...all, ...filter }));
    for (const filter of [
      { account_id: 'bob' },
      { key_id: 'key_2' },
      { status: 429 },
      { code: 'rate_limit_exceeded' },
      { outcome: 'rejected' },
    ])
      expect(await found(filter)).toEqual(['req_no']);
    expect(await found({ model: 'play', upstream: 'east', operation: 'createResponse', from: noon + 2 })).toEqual(['req_6']);
    expect(await found({ end_user: 'user_5' })).toEqual(['req_5']);
    expect(await found({ tag: 'app', end_user: 'user_6' })).toEqual(['req_6']);
    expect(await found({ slowerThanMs: 400, to: noon + 2 })).toEqual(['req_5']);
    expect(await found({ costsOver: 5n })).toEqual(['req_6']);
  });

  test('deletes rows after their retention, those of unknown callers by separate bounds, and keeps the sums', async () => {
    const { here } = await open();
    await here.add([...many(600, 1_000), ...many(3, 5_000), ...many(5, 4_000, null), ...many(5, 4_500, null)]);
    const bounds = { before: 2_000, unknownBefore: 4_200, maxUnknown: 2, hoursBefore: 0 };
    const steps: number[] = [];
    while (steps.at(-1) !== 0) steps.push(await here.sweep(bounds));
    expect(steps.slice(0, -3).reduce((sum, rows) => sum + rows)).toBe(600);
    expect(Math.max(...steps)).toBeLessThanOrEqual(100);
    expect(steps.slice(-3)).toEqual([5, 3, 0]);
    const left = await listRequests(here.ask, all);
    expect(left?.map(({ ended_at: at, account_id: account }) => [at, account])).toEqual([
      ...Array.from({ length: 3 }, () => [5_000, 'ada']),
      ...Array.from({ length: 2 }, () => [4_500, null]),
    ]);
    expect((await totals(here.ask, 'activity_hours'))[0]).toBe(613);
    while ((await here.sweep({ ...bounds, hoursBefore: HOUR_MS })) > 0);
    const kept = await Promise.all(['key_hours', 'end_user_hours', 'end_user_days', 'key_days'].map((table) => totals(here.ask, table)));
    expect(kept.map(([requests]) => requests)).toEqual([0, 0, 0, 613]);
  });

  test('sums a day that is over once, by any process, and adds a call that is written later', async () => {
    const { here, there } = await open();
    const day = noon - (noon % DAY_MS);
    const at = (name: string, endedAt: number) => rowsOf(paidCall(name, { ended_at: endedAt }));
    await here.add([...at('req_1', noon), ...at('req_2', noon + HOUR_MS), ...at('req_3', noon + DAY_MS)]);
    expect(await here.closeDay(day + DAY_MS - 1)).toBe(false);
    expect(await Promise.all([here.closeDay(day + DAY_MS), there.closeDay(day + DAY_MS)])).toContain(true);
    expect(await there.closeDay(day + DAY_MS)).toBe(false);
    expect(await totals(here.ask, 'activity_days')).toEqual([2, 0, 0, 200, 80, 3_000]);
    await there.add([...at('req_4', noon + 2 * HOUR_MS), ...at('req_5', noon + DAY_MS)]);
    expect(await totals(here.ask, 'activity_days')).toEqual([3, 0, 0, 300, 120, 4_500]);
    expect((await totals(here.ask, 'activity_hours'))[0]).toBe(5);
    await here.recount(day, day + DAY_MS);
    while (await here.closeDay(day + DAY_MS));
    expect(await totals(here.ask, 'activity_days')).toEqual([3, 0, 0, 300, 120, 4_500]);
  });

  test('computes the sums of a day again from its rows', async () => {
    const { here } = await open();
    await here.add(rowsOf(paidCall('req_1', { ended_at: noon }), paidCall('req_2', { ended_at: noon - DAY_MS })));
    const begin = noon - (noon % DAY_MS);
    await here.add(rowsOf(paidCall('req_3', { ended_at: noon })));
    await here.recount(begin, begin + DAY_MS);
    for (const table of tables) expect(await totals(here.ask, table)).toEqual([3, 0, 0, 300, 120, 4_500]);
  });
});

/** Sums over time equal the sums of the rows for every supported query; each query reads the smallest table that suffices, and never scans a whole table. */
import { test as base, describe, expect } from 'vitest';
import type { CallRecord } from '../../../server/records/call-record.ts';
import { listLedgerEntries } from '../../../server/records/ledger-entries.ts';
import { buildRequestsSql, buildSortedSql } from '../../../server/records/list-requests.ts';
import { computePercentiles } from '../../../server/records/percentiles.ts';
import { readChecks } from '../../../server/records/reconcile-hours.ts';
import { chooseSource, type Dimension, type RollupQuery, type RollupSource, splitRange } from '../../../server/records/rollup-query.ts';
import { CHARGES_SQL, PAYMENTS_SQL, readStatement } from '../../../server/records/statement.ts';
import type { RecordsQuery } from '../../../server/records/store.ts';
import { buildPointsSql, buildTopSql, readTimeline, type Series, sumTotals } from '../../../server/records/totals.ts';
import { paidCall, rejectedCall, rowsOf } from '../../harness/call-record.ts';
import { engines, type Stage } from './engines.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * HOUR_MS;
const monday = Date.UTC(2027, 0, 4);

const calls: readonly CallRecord[] = Array.from({ length: 240 }, (_, at) => {
  const place = {
    ended_at: monday + at * 5 * HOUR_MS + (at % 2) * 40 * MINUTE_MS,
    account_id: `acct_${at % 3}`,
    key_id: `key_${at % 6}`,
    model: `m${at % 4}`,
    session: at % 7 === 0 ? null : `s${at % 5}`,
    end_user: at % 3 === 0 ? null : `u${at % 11}`,
    tag: at % 4 === 0 ? null : `t${at % 2}`,
  };
  if (at % 10 === 0) return rejectedCall(`req_${at}`, { ...place, model: null });
  if (at % 10 === 5) return rejectedCall(`req_${at}`, { ...place, account_id: null, key_id: null, model: null });
  return paidCall(`req_${at}`, { ...place, upstream: at % 2 === 0 ? 'east' : 'west', charged: at * 10, total_ms: at * 20 });
});

function sourceOf(question: RollupQuery): RollupSource {
  const source = chooseSource(question);
  return 'param' in source ? expect.fail(source.message) : source;
}
const question = (changes: Partial<RollupQuery> = {}): RollupQuery => ({
  from: monday,
  to: monday + 60 * DAY_MS,
  bucket: 'day',
  by: [],
  filters: {},
  top: 20,
  isOpen: false,
  rowsFrom: () => 0,
  keyHoursFrom: 0,
  ...changes,
});
const read = (ask: RecordsQuery, asked: RollupQuery): Promise<readonly Series[]> => readTimeline(ask, asked, sourceOf(asked));
const chargedOf = (series: readonly Series[]) => series.map(({ keys, points }) => [keys.join(), sumTotals([...points.values()]).charged]);

const columns = {
  model: 'model',
  upstream: 'upstream',
  operation: 'operation',
  code: 'code',
  account: 'account_id',
  key: 'key_id',
  session: 'session',
  end_user: 'end_user',
  tag: 'tag',
} as const;
/** The same sums, computed from the calls themselves. */
function counted(by: readonly Dimension[], { from, to, filters }: RollupQuery): Map<string, number> {
  const sums = new Map<string, number>();
  for (const call of calls) {
    const isOut = Object.entries(filters).some(([name, value]) => call[columns[name as Dimension]] !== value);
    if (isOut || call.ended_at < from || call.ended_at >= to) continue;
    const key = by.map((one) => call[columns[one]] ?? '').join();
    sums.set(key, (sums.get(key) ?? 0) + (call.charged ?? 0));
  }
  return sums;
}

/** A map has no JSON of its own. */
const pointsAsLists = (_name: string, value: unknown): unknown => (value instanceof Map ? [...value] : value);

const answerable: readonly Partial<RollupQuery>[] = [
  {},
  { by: ['model'] },
  { by: ['upstream', 'model'] },
  { by: ['code'], bucket: 'week' },
  { by: ['operation'], filters: { model: 'm1' }, bucket: 'month' },
  { by: ['account'] },
  { by: ['account', 'model'], bucket: 'week' },
  { by: ['key'] },
  { by: ['model', 'key'], filters: { account: 'acct_1' } },
  { by: ['upstream', 'code'], filters: { key: 'key_2' }, bucket: 'hour', to: monday + 5 * DAY_MS },
  { by: ['session', 'model'], filters: { account: 'acct_1' }, to: monday + 6 * DAY_MS },
  { by: ['session', 'account'], to: monday + DAY_MS },
  { by: ['model'], bucket: 'hour', to: monday + 20 * DAY_MS },
  { by: ['key'], bucket: 'hour', to: monday + 5 * DAY_MS },
  { by: ['end_user'] },
  { by: ['end_user', 'tag'], filters: { account: 'acct_1', model: 'm1' }, bucket: 'week' },
  { by: ['tag', 'model'], filters: { account: 'acct_1' } },
  { by: ['model'], filters: { end_user: 'u1' } },
  { by: ['end_user'], bucket: 'hour', to: monday + 5 * DAY_MS },
  { by: ['tag'], filters: { key: 'key_2' }, bucket: 'hour', to: monday + 5 * DAY_MS },
];

/** From an afternoon until 09:20 of another day; a call ended at 09:40. */
const uneven = { from: monday + 2 * DAY_MS + 14 * HOUR_MS, to: monday + 29 * DAY_MS + 9 * HOUR_MS + 20 * MINUTE_MS };
const unevenly: readonly Partial<RollupQuery>[] = [
  ...([['model'], ['account'], ['key', 'model'], ['upstream', 'code'], ['end_user']] as const).map((by) => ({ ...uneven, by })),
  { ...uneven, by: ['model'], filters: { account: 'acct_1' } },
  { ...uneven, by: ['account'], filters: { key: 'key_2' } },
];

describe.each(engines)('$title', ({ isMissing, use }) => {
  const test = base.skipIf(isMissing);
  const open = use();
  const openFilled = async (): Promise<Stage> => {
    const stage = await open();
    await stage.here.add(rowsOf(...calls));
    return stage;
  };

  test.each(answerable)('sums the calls themselves for %o', async (changes) => {
    const { here } = await openFilled();
    const asked = question(changes);
    const series = await read(here.ask, asked);
    expect(new Map(chargedOf(series) as [string, number][])).toEqual(counted(asked.by, asked));
  });

  test.each(answerable)('sums the same for %o when the first 30 days come from the sums by day', async (changes) => {
    const { here } = await openFilled();
    const before = JSON.stringify(await read(here.ask, question(changes)), pointsAsLists);
    while (await here.closeDay(monday + 30 * DAY_MS + HOUR_MS));
    const [closed] = await here.ask('SELECT count(*) AS rows, min(day) AS first, max(day) AS last FROM activity_days', []);
    expect([Number(closed?.rows) > 100, Number(closed?.first), Number(closed?.last)]).toEqual([true, monday, monday + 29 * DAY_MS]);
    expect(JSON.stringify(await read(here.ask, question(changes)), pointsAsLists)).toBe(before);
  });

  test('returns the calls of a range that begins and ends within a day, whatever they are grouped by', async () => {
    const { here } = await openFilled();
    for (const closed of [monday, monday + 20 * DAY_MS]) {
      while (await here.closeDay(closed));
      for (const changes of unevenly) {
        const asked = question(changes);
        expect(new Map(chargedOf(await read(here.ask, asked)) as [string, number][])).toEqual(counted(asked.by, asked));
      }
    }
  });

  test('includes the calls of today in a range that reaches the present, by day and by the running hour', async () => {
    const { here } = await openFilled();
    const now = monday + 49 * DAY_MS + 20 * HOUR_MS + 50 * MINUTE_MS;
    for (const by of [['model'], ['account'], ['key'], ['end_user']] as const) {
      const asked = question({ from: now - 24 * HOUR_MS - 50 * MINUTE_MS, to: now, by, isOpen: true });
      expect(new Map(chargedOf(await read(here.ask, asked)) as [string, number][])).toEqual(counted(asked.by, asked));
    }
  });

  test('rejects a range whose edge is kept only in longer sums, with the field', () => {
    const kept = { rowsFrom: () => monday + 40 * DAY_MS, keyHoursFrom: monday + 20 * DAY_MS };
    const paramOf = (changes: Partial<RollupQuery>) => {
      const source = chooseSource(question({ ...uneven, ...kept, ...changes }));
      return 'param' in source ? source.param : source.table;
    };
    expect(paramOf({ by: ['model'] })).toBe('to');
    const to = monday + 29 * DAY_MS + 9 * HOUR_MS;
    expect(paramOf({ by: ['model'], to })).toBe('activity_hours');
    expect(paramOf({ by: ['key'], to })).toBe('from');
    expect(paramOf({ by: ['key'], to, from: monday })).toBe('key_hours');
    expect(paramOf({ by: ['account'], from: monday, to: monday + 4 * DAY_MS, bucket: 'hour' })).toBe('bucket');
    expect(paramOf({ by: ['end_user'], from: monday, to })).toBe('from');
    expect(paramOf({ by: ['end_user'], from: monday + 20 * DAY_MS, to })).toBe('end_user_hours');
    expect(paramOf({ by: ['tag', 'code'], from: monday + 20 * DAY_MS, to })).toBe('then_by');
  });

  test('reads a sum by day, and not its hours', async () => {
    const { here } = await openFilled();
    while (await here.closeDay(monday + 30 * DAY_MS));
    const asked: string[] = [];
    const listening: RecordsQuery = (sql, values) => {
      asked.push(`${sql} ${values.join()}`);
      return here.ask(sql, values);
    };
    await read(listening, question({ to: monday + 40 * DAY_MS, by: ['model'] }));
    const last = asked.at(-1);
    expect(last).toMatch(/activity_days WHERE day >= .* UNION ALL .* activity_hours WHERE hour >= /);
    expect(last).toContain(`${monday},${monday + 30 * DAY_MS},${monday + 30 * DAY_MS},${monday + 40 * DAY_MS}`);
  });

  test('adds all series beyond the largest ones up in one series, and no call is missing', async () => {
    const { here } = await openFilled();
    const series = await read(here.ask, question({ by: ['key', 'model'], top: 2 }));
    expect(series.map(({ isOther }) => isOther)).toEqual([false, false, true]);
    const all = sumTotals(series.flatMap(({ points }) => [...points.values()]));
    expect([all.requests, all.rejected, all.charged]).toEqual([240, 48, calls.reduce((sum, { charged }) => sum + (charged ?? 0), 0)]);
  });

  test('buckets begin at the start of a day, a week (Monday) or a month, in UTC', async () => {
    const { here } = await openFilled();
    const begins = async (bucket: RollupQuery['bucket']) => [...((await read(here.ask, question({ bucket })))[0]?.points.keys() ?? [])];
    expect((await begins('week')).every((at) => (at - monday) % (7 * DAY_MS) === 0)).toBe(true);
    expect(await begins('month')).toEqual([Date.UTC(2027, 0, 1), Date.UTC(2027, 1, 1)]);
    expect(await begins('day')).toEqual(Array.from({ length: 50 }, (_, day) => monday + day * DAY_MS));
  });

  test('percentiles of durations are estimated from histograms, within a few percent', async () => {
    const { here } = await openFilled();
    const [all] = await read(here.ask, question());
    const times = calls.flatMap(({ outcome, total_ms: ms }) => (outcome === 'completed' ? ms : [])).sort((one, other) => one - other);
    const found = computePercentiles(sumTotals([...(all?.points.values() ?? [])]).total);
    const [half, slow] = [times[Math.ceil(times.length / 2) - 1] ?? 0, times[Math.ceil(times.length * 0.95) - 1] ?? 0];
    expect(Math.abs((found?.p50 ?? 0) / half - 1)).toBeLessThan(0.04);
    expect(Math.abs((found?.p95 ?? 0) / slow - 1)).toBeLessThan(0.04);
    const [ofAccounts] = await read(here.ask, question({ by: ['account'] }));
    expect(computePercentiles(sumTotals([...(ofAccounts?.points.values() ?? [])]).total)).toBeNull();
  });

  test('scans no whole table: each query has a bound that an index serves', async () => {
    const { here, plan, scan } = await openFilled();
    const statements = [
      ...[...answerable, ...unevenly].flatMap((changes) => {
        const asked = question(changes);
        const parts = splitRange(asked, sourceOf(asked), monday + 20 * DAY_MS);
        return asked.by.length === 0
          ? [buildPointsSql(asked, parts, [])]
          : [buildTopSql(asked, parts), buildPointsSql(asked, parts, [asked.by.map(() => 'x')])];
      }),
      ...[{}, { account_id: 'a' }, { key_id: 'k' }, { code: 'c', slowerThanMs: 1 }].flatMap((filters) =>
        [null, { endedAt: 5, id: 5 }].map((place) => buildRequestsSql({ from: 1, to: 9, limit: 5, ...filters }, place)),
      ),
      ...(['time', 'charged', 'duration'] as const).flatMap((sort) =>
        [null, { value: 5, endedAt: 5, requestId: 'r' }].map((place) =>
          buildSortedSql({ from: 1, to: 9, limit: 5, sort, order: 'asc' }, place),
        ),
      ),
    ];
    const listening: RecordsQuery = (sql, values) => {
      statements.push({ sql, values });
      return here.ask(sql, values);
    };
    await listLedgerEntries(listening, 'req_1', monday);
    await readChecks(listening, 1, 9);
    await readStatement(listening, { accountId: 'acct_1', from: 1, to: 9, limit: 5 });
    await readStatement(listening, { accountId: 'acct_1', from: 1, to: 9, limit: 5, after: 'req_1' });
    statements.push(...[CHARGES_SQL, PAYMENTS_SQL].map((sql) => ({ sql, values: ['acct_1', 1, 9, 'req_1', 5] })));
    for (const { sql, values } of statements) {
      const steps = await plan(sql, values);
      expect(steps, sql).toMatch(/SEARCH|Index/);
      expect(steps, sql).not.toMatch(scan);
    }
    expect(statements.length).toBeGreaterThan(30);
  });

  test('finds requests with a code by the index of codes, so a rare one reads only its own rows', async () => {
    const { plan } = await openFilled();
    for (const place of [null, { endedAt: 5, id: 5 }]) {
      const { sql, values } = buildRequestsSql({ from: 1, to: 9, limit: 5, code: 'c' }, place);
      expect(await plan(sql, values)).toMatch(/requests_by_code/);
    }
  });
});

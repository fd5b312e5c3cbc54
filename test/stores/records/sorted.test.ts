/** Lists of requests that are sorted by charge, duration or time: their pages have no gaps and no repeats, with ties and with calls that nothing was charged for. */
import { test as base, describe, expect } from 'vitest';
import { formatCursor, listSortedRequests, type RowOrder } from '../../../server/records/list-requests.ts';
import { paidCall, rejectedCall, rowsOf } from '../../harness/call-record.ts';
import { engines } from './engines.ts';

const all = { from: 0, to: Number.MAX_SAFE_INTEGER };
const noon = Date.UTC(2027, 0, 10, 12);
/** Name, end, charge in micro-dollars (null: nothing was charged), duration. */
const calls = [
  ['a', 0, 5, 30],
  ['b', 1, null, 30],
  ['c', 2, 9, 10],
  ['d', 2, 5, 30],
  ['e', 3, null, 20],
  ['f', 4, 0, 10],
] as const;
const orders = [
  ['time', 'desc', 'fedcba'],
  ['time', 'asc', 'abdcef'],
  ['charged', 'desc', 'cdafeb'],
  ['charged', 'asc', 'febdac'],
  ['duration', 'desc', 'dbaefc'],
  ['duration', 'asc', 'fcedba'],
] as const;

describe.each(engines)('$title', ({ isMissing, use }) => {
  const test = base.skipIf(isMissing);
  const open = use();

  async function openFilled() {
    const stage = await open();
    const rows = calls.map(([name, after, charged, total_ms]) => {
      const record = charged === null ? rejectedCall : paidCall;
      return record(`req_${name}`, { ended_at: noon + after, charged, total_ms });
    });
    await stage.here.add(rowsOf(...rows));
    return stage;
  }

  test.for(orders)(
    'sorts by %s, %s: ties newest first, calls without a charge as free ones, in pages of any length',
    async ([sort, order, expected], { expect }) => {
      const { here } = await openFilled();
      const by: RowOrder = { sort, order };
      for (const limit of [1, 2, 4, 10]) {
        let found = '';
        for (let after: string | undefined, isOver = false; !isOver; ) {
          const rows = (await listSortedRequests(here.ask, { ...all, ...by, limit, after })) ?? expect.fail('not a cursor');
          found += rows.map(({ request_id: id }) => id.slice(-1)).join('');
          const last = rows.at(-1);
          isOver = rows.length < limit || last === undefined;
          after = last && formatCursor(last, by);
        }
        expect(found, `pages of ${limit}`).toBe(expected);
      }
    },
  );

  test('continues a page after a row that was deleted in between', async () => {
    const { here } = await openFilled();
    const by = { sort: 'charged', order: 'desc' } as const;
    const [, second] = (await listSortedRequests(here.ask, { ...all, ...by, limit: 2 })) ?? [];
    const after = second && formatCursor(second, by);
    while ((await here.sweep({ before: noon + 3, unknownBefore: 0, maxUnknown: 100, hoursBefore: 0 })) > 0);
    const rows = await listSortedRequests(here.ask, { ...all, ...by, limit: 9, after });
    expect(rows?.map(({ request_id: id }) => id)).toEqual(['req_f', 'req_e']);
  });

  test('filters and the range hold in every order, and a cursor is only good for its own', async () => {
    const { here } = await openFilled();
    const by = { sort: 'duration', order: 'asc' } as const;
    const rows = (await listSortedRequests(here.ask, { from: noon + 1, to: noon + 4, outcome: 'completed', ...by, limit: 9 })) ?? [];
    expect(rows.map(({ request_id: id }) => id)).toEqual(['req_c', 'req_d']);
    const after = rows[0] && formatCursor(rows[0], by);
    for (const other of [
      { ...by, order: 'desc' },
      { ...by, sort: 'charged' },
      { sort: 'time', order: 'desc' },
    ] as const)
      expect(await listSortedRequests(here.ask, { ...all, ...other, limit: 9, after })).toBeUndefined();
    for (const forged of ['req_c', 'duration.asc', 'duration.asc..5.req_c', 'duration.asc.1.x.req_c'])
      expect(await listSortedRequests(here.ask, { ...all, ...by, limit: 9, after: forged })).toBeUndefined();
  });
});

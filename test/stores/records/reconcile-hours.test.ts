/** Reconciliation of past hours with the ledger: matching hours are reported as such, rows lost in a crash are restored from the charges, and nothing is counted twice. */
import { test as base, describe, expect } from 'vitest';
import { listLedgerEntries } from '../../../server/records/ledger-entries.ts';
import { findRequest, listRequests } from '../../../server/records/list-requests.ts';
import { rebuildRollups } from '../../../server/records/rebuild-rollups.ts';
import { readChecks, reconcileHours } from '../../../server/records/reconcile-hours.ts';
import { paidCall, rowsOf } from '../../harness/call-record.ts';
import { order, posting, topUp } from '../../unit/money/open.ts';
import { engines, type Stage } from './engines.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const noon = Date.UTC(2027, 0, 10, 12);
const days = 30;

async function charge({ ledger, accountId }: Stage, requestId: string, at: number, cost = 700n): Promise<void> {
  await ledger.reserve({ ...order({ requestId, accountId, amount: 1_000n }), at: at - 2_000 });
  await ledger.post({ ...posting(requestId, cost), accountId, at });
}

describe.each(engines)('$title', ({ isMissing, use }) => {
  const test = base.skipIf(isMissing);
  const open = use();
  async function openFilled({ lost = false } = {}): Promise<Stage> {
    const stage = await open();
    await topUp(stage.ledger, stage.accountId, 1_000_000n);
    if (lost) await charge(stage, 'req_lost', noon + 1_000, 500n);
    for (let at = 0; at < 20; at++) await charge(stage, `req_${at}`, noon + at * 10 * 60_000);
    await stage.here.add(
      rowsOf(...Array.from({ length: 20 }, (_, at) => paidCall(`req_${at}`, { ended_at: noon + at * 10 * 60_000, charged: 700 }))),
    );
    return stage;
  }

  test('finds that past hours agree with the ledger entries, skips the current hour, and compares each hour once', async () => {
    const { here } = await openFilled();
    const now = noon + 3 * HOUR_MS + 10 * 60_000;
    const checks = await reconcileHours({ store: here, now, days });
    expect(checks.map(({ hour, posted, summed }) => [hour, posted, summed])).toEqual(
      [0, 1, 2].map((at) => [noon + at * HOUR_MS, 4_200, 4_200]),
    );
    expect(await reconcileHours({ store: here, now, days })).toEqual([]);
    expect(await readChecks(here.ask, noon, now)).toEqual({ until: noon + 3 * HOUR_MS, difference: 0 });
    expect(await readChecks(here.ask, now, now + HOUR_MS)).toBeNull();
  });

  test("restores a charge's lost row with its tokens and cost, only once", async () => {
    const stage = await openFilled();
    for (let at = 0; at < 3; at++) await charge(stage, `req_lost_${at}`, noon + HOUR_MS + at * 1_000);
    const now = noon + 4 * HOUR_MS + 10 * 60_000;
    const checks = await reconcileHours({ store: stage.here, now, days });
    expect(checks.map(({ posted, summed }) => posted - summed)).toEqual([0, 0, 0, 0]);
    expect(await findRequest(stage.here.ask, 'req_lost_1')).toMatchObject({
      charged: 700,
      total_ms: 2_000,
      outcome: 'completed',
      ended_at: noon + HOUR_MS + 1_000,
    });
    await reconcileHours({ store: stage.there, now: now + HOUR_MS, days });
    expect((await listRequests(stage.here.ask, { from: 0, to: now, limit: 100 }))?.length).toBe(23);
  });

  test('compares an hour again after an outbox posts a late charge, until both sides agree', async () => {
    const stage = await openFilled();
    await stage.here.add(rowsOf(paidCall('req_late', { ended_at: noon + 5_000, charged: 700 })));
    const now = noon + 3 * HOUR_MS + 10 * 60_000;
    const before = await reconcileHours({ store: stage.here, now, days });
    expect(before.map(({ posted, summed }) => posted - summed)).toEqual([-700, 0, 0]);
    await charge(stage, 'req_late', noon + 5_000);
    const [again, ...others] = await reconcileHours({ store: stage.here, now, days });
    expect([again?.hour, again?.posted, again?.summed, others]).toEqual([noon, 4_900, 4_900, []]);
  });

  test('restores no rows that were deleted because of their age, and reports the difference', async () => {
    const stage = await openFilled({ lost: true });
    await stage.here.sweep({ before: noon + HOUR_MS, unknownBefore: 0, maxUnknown: 10, hoursBefore: 0 });
    const now = noon + days * DAY_MS;
    const [first] = await reconcileHours({ store: stage.here, now, days });
    expect([first?.posted, first?.summed]).toEqual([4_700, 4_200]);
    expect(await readChecks(stage.here.ask, noon, noon + HOUR_MS)).toMatchObject({ difference: 500 });
  });

  test('finds the entries of one charge among all entries, including those that an outbox posted later', async () => {
    const stage = await openFilled();
    await charge(stage, 'req_late', noon);
    for (const [id, at] of [
      ['req_7', noon + 70 * 60_000],
      ['req_late', noon],
    ] as const) {
      const lines = await listLedgerEntries(stage.here.ask, id, at);
      expect(lines.map(({ book, amount }) => [book, amount])).toEqual([
        [`account:${stage.accountId}`, -700n],
        ['revenue', 700n],
      ]);
    }
    expect(await listLedgerEntries(stage.here.ask, 'req_none', noon)).toEqual([]);
  });

  test('computes lost sums again from the rows, except for days whose rows were deleted', async () => {
    const { here } = await openFilled();
    await here.add(
      rowsOf(paidCall('req_old', { ended_at: noon - 3 * DAY_MS }), paidCall('req_older', { ended_at: noon - 3 * DAY_MS - 2 * HOUR_MS })),
    );
    await here.sweep({ before: noon - 3 * DAY_MS, unknownBefore: 0, maxUnknown: 10, hoursBefore: 0 });
    const begin = noon - (noon % DAY_MS);
    expect(await rebuildRollups(here, 0, noon)).toEqual({ from: begin - 2 * DAY_MS, days: 3 });
    const [row] = await here.ask('SELECT CAST(sum(requests) AS BIGINT) AS requests FROM activity_hours', []);
    expect(row?.requests).toBe(22n);
  });
});

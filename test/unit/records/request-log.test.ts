/** How calls are written to the request log: in batches, again after an outage of the store, and without delay for calls. */
import { expect, onTestFinished, test } from 'vitest';
import type { LogRow } from '../../../server/records/call-record.ts';
import { RequestLog } from '../../../server/records/request-log.ts';
import type { ActivityStore } from '../../../server/records/store.ts';
import { StorageError } from '../../../server/store/errors.ts';
import { openLog } from '../../../server/telemetry/log.ts';
import { paidCall, rejectedCall, rowsOf } from '../../harness/call-record.ts';

/** A store in memory that can be made to fail. */
function openStage({ days = 30, maxUnknown = 10 } = {}) {
  const batches: string[][] = [];
  const rows: LogRow[] = [];
  const lines: string[] = [];
  const swept: Parameters<ActivityStore['sweep']>[0][] = [];
  const stage = { batches, rows, lines, swept, fault: null as Error | null };
  const store: ActivityStore = {
    async add(added) {
      if (stage.fault) throw stage.fault;
      rows.push(...added);
      batches.push(added.map(({ request_id: id }) => id));
    },
    ask: async () => [],
    async sweep(bounds) {
      swept.push(bounds);
      return 0;
    },
    recount: async () => undefined,
    closeDay: async () => false,
    noteCheck: async () => undefined,
    close: async () => undefined,
  };
  const log = openLog({ log: { level: 'info' } }, { write: (line) => void lines.push(line) });
  const activity = new RequestLog({ store, bounds: { days, unknownDays: 7, maxUnknown }, log, hasLedger: true });
  onTestFinished(() => activity.close());
  const setFault = (fault: Error | null): void => {
    stage.fault = fault;
  };
  return { ...stage, activity, setFault };
}

test('C2: writes calls in one batch, and finds them before that', async () => {
  const { activity, batches } = openStage();
  for (const id of ['one', 'two']) activity.addCall(rejectedCall(id));
  activity.addCall(paidCall('three'));
  expect(await activity.find('two')).toEqual(rowsOf(rejectedCall('two'))[0]);
  expect(await activity.find('three')).toEqual(rowsOf(paidCall('three'))[0]);
  expect(activity.getCompleteUntil()).toBe(1_000);
  await activity.flush();
  expect(batches).toEqual([['one', 'two', 'three']]);
  expect(activity.getCompleteUntil()).toBeGreaterThan(1_000);
});

test('C2: writes calls from an outage of the store once after it, and logs nothing', async () => {
  const { activity, batches, lines, setFault } = openStage();
  setFault(new StorageError('down'));
  activity.addCall(paidCall('one'));
  await activity.flush();
  activity.addCall(paidCall('two'));
  await activity.flush();
  expect(await activity.find('one')).toBeDefined();
  setFault(null);
  await activity.flush();
  await activity.flush();
  expect({ batches, lines }).toEqual({ batches: [['one'], ['two']], lines: [] });
});

test('C2: drops, counts, and logs a row that the store rejects, and writes later rows', async () => {
  const { activity, batches, lines, setFault } = openStage();
  setFault(new TypeError('no such column'));
  activity.addCall(rejectedCall('one'));
  await activity.flush();
  setFault(null);
  activity.addCall(rejectedCall('two'));
  await activity.flush();
  await activity.close();
  expect(batches).toEqual([['two']]);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 'error' }, { level: 'warn', dropped: 1 }]);
});

test('C2: writes calls in batches of 200; beyond 10,000, adds free ones to a row of their kind and drops charged ones', async () => {
  const { activity, rows, lines } = openStage();
  const failed = { charged: null, outcome: 'failed', code: 'upstream_error', cache_write: 3, images: 1, vendor_cost: 2 } as const;
  for (let at = 0; at < 10_000; at++) activity.addCall(paidCall(`req_${at}`, failed));
  for (let at = 0; at < 300; at++) activity.addCall(paidCall(`more_${at}`, at % 3 === 0 ? {} : failed));
  await activity.flush();
  expect(rows).toHaveLength(10_000);
  expect(rows.at(-1)).toMatchObject({
    request_id: 'req_9999',
    repeats: 200,
    input: 201 * 100,
    cached_input: 201 * 20,
    cache_write: 201 * 3,
    output: 201 * 40,
    images: 201,
    vendor_cost: 201 * 2,
  });
  await activity.close();
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 'warn', dropped: 100 }]);
});

test('C2: keeps no call with days 0, and none of unknown callers with maxUnknown 0', async () => {
  const none = openStage({ days: 0 });
  none.activity.addCall(paidCall('one'));
  await none.activity.flush();
  const known = openStage({ maxUnknown: 0 });
  known.activity.addCall(rejectedCall('stranger', { account_id: null }));
  known.activity.addCall(rejectedCall('friend'));
  await known.activity.flush();
  expect([none.batches, known.batches]).toEqual([[], [['friend']]]);
});

test('C2: writes queued calls on close, and logs the dropped count if the store is down', async () => {
  const { activity, batches, lines, setFault } = openStage();
  for (let at = 0; at < 100; at++) activity.addCall(rejectedCall(`req_${at}`, { key_id: `key_${at}` }));
  await activity.flush();
  for (let at = 100; at < 150; at++) activity.addCall(rejectedCall(`req_${at}`, { key_id: `key_${at}` }));
  await activity.close();
  expect(batches.map(({ length }) => length)).toEqual([100, 50]);
  setFault(new StorageError('down'));
  activity.addCall(rejectedCall('late'));
  await activity.close();
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ dropped: 1 }]);
});

test('deletes rows by their age in days, with a separate bound for unknown callers', async () => {
  const { activity, swept } = openStage({ days: 30 });
  const dayMs = 86_400_000;
  const begunAt = Date.now();
  await activity.sweep();
  const [bounds] = swept;
  const getDays = (at = 0): number => Math.round((begunAt - at) / dayMs);
  expect([getDays(bounds?.before), getDays(bounds?.unknownBefore), bounds?.maxUnknown]).toEqual([30, 7, 10]);
});

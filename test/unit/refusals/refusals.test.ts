/** How refusals get to their store: gathered, tried again while it is down, and never felt by a call. */
import { expect, onTestFinished, test } from 'vitest';
import { openRefusals } from '../../../server/refusals/refusals.ts';
import type { Refusal, RefusalStore } from '../../../server/refusals/store.ts';
import { StorageError } from '../../../server/storage/errors.ts';
import { openLog } from '../../../server/telemetry/log.ts';

const refusal = (requestId: string): Refusal => ({
  requestId,
  createdAt: 1,
  accountId: 'ada',
  keyId: 'key_1',
  operation: null,
  model: null,
  status: 400,
  code: 'invalid_value',
  param: null,
  message: 'No.',
  attempts: [],
});

/** A store in memory that can be down, or refuse. */
function openStage({ most = 10 } = {}) {
  const batches: string[][] = [];
  const lines: string[] = [];
  const stage = { batches, lines, fault: null as Error | null };
  const store: RefusalStore = {
    async add(refusals) {
      if (stage.fault) throw stage.fault;
      batches.push(refusals.map(({ requestId }) => requestId));
    },
    find: async () => undefined,
    sweep: async () => undefined,
  };
  const log = openLog({ log: { level: 'info' } }, { write: (line) => void lines.push(line) });
  const refusals = openRefusals({ store, bounds: () => ({ days: 7, most }), log });
  onTestFinished(() => refusals.close());
  const setFault = (fault: Error | null): void => {
    stage.fault = fault;
  };
  return { ...stage, refusals, setFault };
}

test('C2: refusals of a moment are written together, and are found before they are', async () => {
  const { refusals, batches } = openStage();
  for (const id of ['one', 'two', 'three']) refusals.keep(refusal(id));
  expect(await refusals.find('two')).toEqual(refusal('two'));
  await refusals.flush();
  expect(batches).toEqual([['one', 'two', 'three']]);
});

test('C2: while the store is down nothing fails and nothing is said; then what waited is written, once', async () => {
  const { refusals, batches, lines, setFault } = openStage();
  setFault(new StorageError('down'));
  refusals.keep(refusal('one'));
  await refusals.flush();
  refusals.keep(refusal('two'));
  await refusals.flush();
  expect(await refusals.find('one')).toEqual(refusal('one'));
  setFault(null);
  await refusals.flush();
  await refusals.flush();
  expect({ batches, lines }).toEqual({ batches: [['one'], ['two']], lines: [] });
});

test('C2: what the store will not have is dropped, counted and logged, and keeps nothing back', async () => {
  const { refusals, batches, lines, setFault } = openStage();
  setFault(new TypeError('no such column'));
  refusals.keep(refusal('one'));
  await refusals.flush();
  setFault(null);
  refusals.keep(refusal('two'));
  await refusals.flush();
  await refusals.close();
  expect(batches).toEqual([['two']]);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 'error' }, { level: 'warn', dropped: 1 }]);
});

test('C2: a flood is told in one line with its count, and where none are to be kept none are', async () => {
  const { refusals, lines } = openStage();
  for (let at = 0; at < 1_000; at++) refusals.keep(refusal(`req_${at}`));
  await refusals.flush();
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 'warn', dropped: 900 }]);
  const none = openStage({ most: 0 });
  none.refusals.keep(refusal('one'));
  await none.refusals.flush();
  expect(none.batches).toEqual([]);
});

test('C2: at the stop all that waits is written; a store that is down holds nobody up', async () => {
  const { refusals, batches, lines, setFault } = openStage();
  for (let at = 0; at < 100; at++) refusals.keep(refusal(`req_${at}`));
  await refusals.flush();
  for (let at = 100; at < 150; at++) refusals.keep(refusal(`req_${at}`));
  await refusals.close();
  expect(batches.map(({ length }) => length)).toEqual([100, 50]);
  setFault(new StorageError('down'));
  refusals.keep(refusal('late'));
  await refusals.close();
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ dropped: 1 }]);
});

/** Recovery of holds after an outage: a live process keeps its holds, and each hold that could not be settled is settled once (G1, G2, F30). */
import { Writable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { type KeeperParts, openKeeper } from '../../../server/billing/recovery.ts';
import { StorageError } from '../../../server/storage/errors.ts';
import { openOutbox } from '../../../server/storage/outbox/outbox.ts';
import { openLog } from '../../../server/telemetry/log.ts';
import { temporaryFolder } from '../../harness/folder.ts';
import { noon, openMemory, order, posting, topUp } from '../ledger/open.ts';

const secondMs = 1_000;
const silent = openLog({ log: { level: 'silent' } }, new Writable());

/** Two processes on one ledger and one clock. */
async function openTwo() {
  const memory = openMemory('ada');
  const { ledger } = memory;
  await topUp(ledger, 'ada', 100n);
  let time = noon;
  let isDown = false;
  const up = async <T>(step: () => Promise<T>): Promise<T> => {
    if (isDown) throw new StorageError('the store is down');
    return step();
  };
  const reached: KeeperParts['ledger'] = {
    post: (one) => up(() => ledger.post(one)),
    void: (...one) => up(() => ledger.void(...one)),
    // Both processes read the same clock, as they would read the clock of the store.
    heartbeat: (node) => up(() => ledger.heartbeat(node, time)),
    sweep: ledger.sweep,
    leave: ledger.leave,
  };
  const open = (node: string) => {
    const outbox = openOutbox({ folder: temporaryFolder() });
    onTestFinished(() => outbox.close());
    return { outbox, ...openKeeper({ ledger: reached, outbox, node, log: silent, now: () => time, waitMs: 1_000, isShared: true }) };
  };
  const [one, two] = [open('node_1'), open('node_2')];
  await one.beat();
  await two.beat();
  return {
    ledger,
    one,
    two,
    open,
    pass: (ms: number) => {
      time += ms;
    },
    setDown: (down: boolean) => {
      isDown = down;
    },
    stateOf: async (id: string) => (await ledger.findCharge(id))?.state,
  };
}

test('G2: the first process to return after an outage does not expire the holds of those that return a moment later', async () => {
  const { ledger, one, two, pass, setDown, stateOf } = await openTwo();
  await ledger.reserve(order({ requestId: 'r1', amount: 8n, node: 'node_1', at: noon }));
  setDown(true);
  for (let silence = 0; silence < 12; silence++) {
    pass(5 * secondMs);
    await expect(one.beat()).rejects.toThrow(StorageError);
    await expect(two.beat()).rejects.toThrow(StorageError);
  }
  setDown(false);
  await two.beat();
  expect(await stateOf('r1')).toBe('held');
  await one.beat();
  pass(5 * secondMs);
  await two.beat();
  expect(await stateOf('r1')).toBe('held');
});

test('G2: a process that starts at the end of an outage expires the holds of another process only after that process is silent for over fifteen seconds', async () => {
  const { ledger, one, open, pass, stateOf } = await openTwo();
  await ledger.reserve(order({ requestId: 'r1', amount: 8n, node: 'node_1', at: noon }));
  pass(60 * secondMs);
  const third = open('node_3');
  await third.beat();
  pass(4 * secondMs);
  await third.beat();
  expect(await stateOf('r1')).toBe('held');
  await one.beat();
  for (let beat = 0; beat < 3; beat++) {
    pass(5 * secondMs);
    await third.beat();
  }
  expect(await stateOf('r1')).toBe('held');
  pass(5 * secondMs);
  await third.beat();
  expect(await stateOf('r1')).toBe('expired');
});

test('G2: the holds of a process expire if it sends no heartbeat for over fifteen seconds while another process does', async () => {
  const { ledger, two, pass, stateOf } = await openTwo();
  await ledger.reserve(order({ requestId: 'r1', amount: 8n, node: 'node_1', at: noon }));
  for (let beat = 0; beat < 3; beat++) {
    pass(5 * secondMs);
    await two.beat();
    expect(await stateOf('r1')).toBe('held');
  }
  pass(5 * secondMs);
  await two.beat();
  expect(await stateOf('r1')).toBe('expired');
  expect(await ledger.balance('ada')).toEqual({ balance: 100n, held: 0n });
});

test('G2: a hold that could not be voided during an outage is voided, with its attempts, when the store answers', async () => {
  const { ledger, one, setDown, stateOf } = await openTwo();
  for (const requestId of ['r1', 'r2']) await ledger.reserve(order({ requestId, amount: 8n, node: 'node_1', at: noon }));
  setDown(true);
  const attempts = [{ upstream: 'main', status: 503, code: 'overloaded', ms: 7 }];
  for (const requestId of ['r1', 'never held']) await one.giveBack({ requestId, at: noon, outcome: 'refused', attempts });
  await expect(one.beat()).rejects.toThrow(StorageError);
  setDown(false);
  await one.beat();
  await one.beat();
  expect([await stateOf('r1'), await stateOf('r2')]).toEqual(['voided', 'held']);
  expect(await ledger.listAttempts('r1')).toEqual(attempts);
});

test('G1, G2: charges in the outbox are posted before holds expire; a charge that is already posted changes nothing', async () => {
  const { ledger, two, pass, stateOf } = await openTwo();
  for (const requestId of ['r1', 'r2']) await ledger.reserve(order({ requestId, amount: 8n, node: 'node_1', at: noon }));
  // Posted late, after it went into the outbox.
  await ledger.post(posting('r2', 5n));
  for (const requestId of ['r1', 'r2', 'never held']) await two.outbox.append(posting(requestId, 5n));
  pass(60 * secondMs);
  await two.beat();
  expect(two.outbox.size).toBe(0);
  expect([await stateOf('r1'), await stateOf('r2')]).toEqual(['posted', 'posted']);
  expect(await ledger.balance('ada')).toEqual({ balance: 90n, held: 0n });
});

test('a charge that the ledger refuses stays in the outbox, and its process still counts as alive', async () => {
  const { ledger, one, two, pass, stateOf } = await openTwo();
  await ledger.reserve(order({ requestId: 'r1', amount: 8n, node: 'node_1', at: noon }));
  await one.outbox.append({ ...posting('r1', 5n), at: 0.5 });
  for (let beat = 0; beat < 5; beat++) {
    pass(5 * secondMs);
    await one.beat();
    await two.beat();
  }
  expect(one.outbox.size).toBe(1);
  expect(await stateOf('r1')).toBe('held');
});

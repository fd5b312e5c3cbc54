/** Recovery of holds after an outage: a live process keeps its holds, and each hold that could not be settled is settled once (G1, G2, F30). */
import { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  createHeartbeatReporter,
  logSettlement,
  openRecovery,
  type RecoveryOptions,
  startHeartbeat,
} from '../../../server/money/recovery.ts';
import type { SettleResult } from '../../../server/money/store.ts';
import { StorageError } from '../../../server/store/errors.ts';
import { openOutbox } from '../../../server/store/outbox/outbox.ts';
import { openLog } from '../../../server/telemetry/log.ts';
import { temporaryFolder } from '../../harness/folder.ts';
import { holdIntervals, until } from '../../harness/held-clock.ts';
import { openLines } from '../settings.ts';
import { noon, openMemory, order, posting, topUp } from './open.ts';

const secondMs = 1_000;
const silent = openLog({ log: { level: 'silent' } }, new Writable());

/** Two processes on one ledger and one clock. */
async function openTwo() {
  const memory = openMemory('ada');
  const { ledger } = memory;
  await topUp(ledger, 'ada', 100n);
  let time = noon;
  let isDown: boolean | 'post' = false;
  const seen = { beats: 0, voids: [] as string[], together: 0, maxTogether: 0 };
  const up = async <T>(step: () => Promise<T>): Promise<T> => {
    if (isDown === true) throw new StorageError('the store is down');
    return step();
  };
  const reached: RecoveryOptions['ledger'] = {
    post: (one) =>
      up(() => {
        if (isDown === 'post') throw new StorageError('the store is down');
        return ledger.post(one);
      }),
    void: (...one) =>
      up(() => {
        seen.voids.push(one[0]);
        seen.maxTogether = Math.max(seen.maxTogether, ++seen.together);
        return ledger.void(...one).finally(() => seen.together--);
      }),
    // Both processes read the same clock, as they would read the clock of the store.
    heartbeat: (node) =>
      up(() => {
        seen.beats++;
        return ledger.heartbeat(node, time);
      }),
    sweep: ledger.sweep,
    removeNode: ledger.removeNode,
  };
  const open = (node: string) => {
    const outbox = openOutbox({ folder: temporaryFolder() });
    onTestFinished(() => outbox.close());
    return { outbox, ...openRecovery({ ledger: reached, outbox, node, log: silent, now: () => time, waitMs: 1_000, isShared: true }) };
  };
  const [one, two] = [open('node_1'), open('node_2')];
  await one.tick();
  await two.tick();
  return {
    ledger,
    seen,
    one,
    two,
    open,
    pass: (ms: number) => {
      time += ms;
    },
    setDown: (down: boolean | 'post') => {
      isDown = down;
    },
    /** Of the first process. */
    hold: async (...ids: readonly string[]) => {
      for (const requestId of ids) await ledger.reserve(order({ requestId, amount: 8n, node: 'node_1', at: noon }));
    },
    stateOf: async (id: string) => (await ledger.findCharge(id))?.state,
  };
}

test('G2: keeps holds after an outage if their process returns a moment after the first one', async () => {
  const { one, two, pass, setDown, stateOf, hold } = await openTwo();
  await hold('r1');
  setDown(true);
  for (let silence = 0; silence < 12; silence++) {
    pass(5 * secondMs);
    await expect(one.tick()).rejects.toThrow(StorageError);
    await expect(two.tick()).rejects.toThrow(StorageError);
  }
  setDown(false);
  await two.tick();
  expect(await stateOf('r1')).toBe('held');
  await one.tick();
  pass(5 * secondMs);
  await two.tick();
  expect(await stateOf('r1')).toBe('held');
});

test("G2: waits at the start after an outage for fifteen silent seconds before it expires another's holds", async () => {
  const { one, open, pass, stateOf, hold } = await openTwo();
  await hold('r1');
  pass(60 * secondMs);
  const third = open('node_3');
  await third.tick();
  pass(4 * secondMs);
  await third.tick();
  expect(await stateOf('r1')).toBe('held');
  await one.tick();
  for (let beat = 0; beat < 3; beat++) {
    pass(5 * secondMs);
    await third.tick();
  }
  expect(await stateOf('r1')).toBe('held');
  pass(5 * secondMs);
  await third.tick();
  expect(await stateOf('r1')).toBe('expired');
});

test('G2: expires holds if their process sends no heartbeat for over fifteen seconds while another does', async () => {
  const { ledger, two, pass, stateOf, hold } = await openTwo();
  await hold('r1');
  for (let beat = 0; beat < 3; beat++) {
    pass(5 * secondMs);
    await two.tick();
    expect(await stateOf('r1')).toBe('held');
  }
  pass(5 * secondMs);
  await two.tick();
  expect(await stateOf('r1')).toBe('expired');
  expect(await ledger.getBalance('ada')).toEqual({ balance: 100n, held: 0n });
});

test("G2: voids a hold that couldn't be voided during an outage, with its attempts, when the store responds", async () => {
  const { ledger, one, setDown, stateOf, hold } = await openTwo();
  await hold('r1', 'r2');
  setDown(true);
  const attempts = [{ upstream: 'main', status: 503, code: 'overloaded', ms: 7 }];
  for (const requestId of ['r1', 'never held']) await one.voidHold({ requestId, at: noon, outcome: 'rejected', attempts });
  await expect(one.tick()).rejects.toThrow(StorageError);
  setDown(false);
  await one.tick();
  await one.tick();
  expect([await stateOf('r1'), await stateOf('r2')]).toEqual(['voided', 'held']);
  expect(await ledger.listAttempts('r1')).toEqual(attempts);
});

test('G1, G2: charges in the outbox are posted before holds expire; a charge that is already posted changes nothing', async () => {
  const { ledger, two, pass, stateOf, hold } = await openTwo();
  await hold('r1', 'r2');
  // Posted late, after it went into the outbox.
  await ledger.post(posting('r2', 5n));
  for (const requestId of ['r1', 'r2', 'never held']) await two.outbox.append(posting(requestId, 5n));
  pass(60 * secondMs);
  await two.tick();
  expect(two.outbox.size).toBe(0);
  expect([await stateOf('r1'), await stateOf('r2')]).toEqual(['posted', 'posted']);
  expect(await ledger.getBalance('ada')).toEqual({ balance: 90n, held: 0n });
});

test('keeps a charge that the ledger rejects in the outbox, and its process alive', async () => {
  const { one, two, pass, stateOf, hold } = await openTwo();
  await hold('r1');
  await one.outbox.append({ ...posting('r1', 5n), at: 0.5 });
  for (let beat = 0; beat < 5; beat++) {
    pass(5 * secondMs);
    await one.tick();
    await two.tick();
  }
  expect(one.outbox.size).toBe(1);
  expect(await stateOf('r1')).toBe('held');
});

test('G2: watches other processes for fifteen seconds after its own silence before it expires their holds', async () => {
  const { two, pass, stateOf, hold } = await openTwo();
  await hold('r1');
  pass(15 * secondMs);
  await two.tick();
  pass(15 * secondMs - 1);
  await two.tick();
  expect(await stateOf('r1')).toBe('held');
  pass(1);
  await two.tick();
  expect(await stateOf('r1')).toBe('expired');
});

test('runs concurrent rounds of recovery as one, and a later one separately', async () => {
  const { one, seen } = await openTwo();
  const before = seen.beats;
  await Promise.all([one.tick(), one.tick()]);
  await one.tick();
  expect(seen.beats).toBe(before + 2);
});

test('G1: keeps the charges of the outbox, and all holds, while a store is down', async () => {
  const { seen, two, pass, setDown, stateOf, hold } = await openTwo();
  await hold('r1');
  await two.outbox.append(posting('r1', 5n));
  pass(15 * secondMs);
  setDown('post');
  const before = seen.beats;
  await expect(two.tick()).rejects.toThrow(StorageError);
  expect([seen.beats - before, two.outbox.size, await stateOf('r1')]).toEqual([0, 1, 'held']);
});

test("voids a single hold later if it couldn't be voided, and many by the hundred", async () => {
  const { one, seen, setDown } = await openTwo();
  const giveBack = async (ids: readonly string[]) => {
    setDown(true);
    for (const requestId of ids) await one.voidHold({ requestId, at: noon, outcome: 'rejected' });
    setDown(false);
  };
  await giveBack(['alone']);
  await one.tick();
  expect(seen.voids).toEqual(['alone']);
  await giveBack(Array.from({ length: 101 }, (_, index) => `r${index}`));
  await one.tick();
  expect([seen.voids.length, seen.maxTogether]).toEqual([102, 100]);
});

test('catches up at the end of a process, and releases its holds immediately', async () => {
  const { one, setDown, stateOf, hold } = await openTwo();
  await hold('r1', 'r2', 'r3');
  await one.outbox.append(posting('r1', 5n));
  setDown(true);
  await one.voidHold({ requestId: 'r2', at: noon, outcome: 'rejected' });
  setDown(false);
  await one.stop();
  expect([await stateOf('r1'), await stateOf('r2'), await stateOf('r3')]).toEqual(['posted', 'voided', 'expired']);
});

test('writes a heartbeat every five seconds for a process without billing, and none after its end', async () => {
  holdIntervals();
  const { ledger } = openMemory('ada');
  const seen = { beats: 0, left: 0, isDown: false };
  const { log, lines } = openLines();
  const counted: RecoveryOptions['ledger'] = {
    ...ledger,
    async heartbeat(node) {
      seen.beats++;
      if (seen.isDown) throw new Error('the store is down');
      return await ledger.heartbeat(node, noon);
    },
    removeNode(node, at) {
      seen.left++;
      return ledger.removeNode(node, at);
    },
  };
  const pulse = await startHeartbeat({ ledger: counted, node: 'node_1', log, isShared: true });
  expect(seen.beats).toBe(1);
  vi.advanceTimersByTime(4_999);
  await nextTurn();
  expect(seen.beats).toBe(1);
  seen.isDown = true;
  vi.advanceTimersByTime(1);
  await until(() => lines.length > 0);
  expect(seen.beats).toBe(2);
  await pulse.close();
  expect([seen.left, vi.getTimerCount()]).toEqual([1, 0]);
});

describe('the log', () => {
  const settled = (overrun: bigint, isLate?: true): SettleResult => ({ kind: 'settled', charged: 5n, overrun, ...(isLate && { isLate }) });
  test.each([
    ['nothing for a charge within its hold', settled(0n), []],
    ['the overrun of a charge over its hold', settled(1n), [{ level: 'warn', overrun: '0.000001' }]],
    ['a late charge and its overrun', settled(2n, true), [{ level: 'warn', charged: '0.000005', overrun: '0.000002' }]],
    ['a late charge, even without an overrun', settled(0n, true), [{ level: 'warn', charged: '0.000005', overrun: '0.000000' }]],
    ['nothing for a charge that was posted before', { kind: 'earlier', state: 'posted' }, []],
    ['the loss from a voided hold', { kind: 'earlier', state: 'voided' }, [{ level: 'error', state: 'voided', cost: '0.000009' }]],
    ['the loss without a hold', { kind: 'unknown' }, [{ level: 'error', cost: '0.000009' }]],
  ] as const)('reports %s', (_what, result, expected) => {
    const { log, lines } = openLines();
    logSettlement(posting('r1', 9n), result, log);
    expect(lines).toEqual(expected.map((line) => expect.objectContaining({ id: 'r1', ...line })));
  });

  test("reports the process's own status, unless that fails", () => {
    const { log, lines } = openLines();
    const reporting = createHeartbeatReporter(log);
    expect(reporting.logFailure()).toBeUndefined();
    reporting.setWriter(() => 'well');
    expect(reporting.logFailure()).toBe('well');
    reporting.setWriter(() => {
      throw new Error('not well');
    });
    expect([reporting.logFailure(), lines.length]).toEqual([undefined, 1]);
  });
});

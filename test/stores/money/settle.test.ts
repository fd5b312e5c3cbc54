/** Each paid request is settled once: posted, voided or expired. */
import { test as base, describe, expect } from 'vitest';
import { beat, leave, noon, order, posting, topUp } from '../../unit/money/open.ts';
import { type EngineLedger, engines } from './engines.ts';

const entriesOf = (rows: EngineLedger['rows'], transfer: string) =>
  rows(`SELECT kind, book, amount FROM entries WHERE transfer = '${transfer}' ORDER BY id`);

describe.for(engines)('$title', ({ isMissing, use }) => {
  const test = base.skipIf(isMissing);
  const open = use();

  test('charges the used amount, frees the remainder of the hold, and records both in the charge', async () => {
    const { ledger, rows } = await open('ada');
    await topUp(ledger, 'ada', 10n);
    await ledger.reserve(order({ requestId: 'r1', amount: 8n }));
    expect(await ledger.post({ ...posting('r1', 5n, noon + 9), isEstimated: true })).toEqual({ kind: 'settled', charged: 5n, overrun: 0n });
    expect(await ledger.getBalance('ada')).toEqual({ balance: 5n, held: 0n });
    expect(await entriesOf(rows, 'r1')).toEqual([
      ['charge', 'account:ada', -5n],
      ['charge', 'revenue', 5n],
    ]);
    expect(await ledger.findCharge('r1')).toEqual({
      requestId: 'r1',
      accountId: 'ada',
      keyId: 'key_1',
      model: 'm',
      operation: 'chat',
      priceVersion: 1,
      multiplier: 1_000_000,
      state: 'posted',
      source: 'balance',
      held: 8n,
      charged: 5n,
      overrun: 0n,
      metered: posting('r1', 0n).metered,
      isEstimated: true,
      outcome: 'completed',
      createdAt: noon,
      settledAt: noon + 9,
    });
  });

  test("keeps only the first settlement's attempts, whether posted or voided", async () => {
    const { ledger, rows } = await open('ada');
    await topUp(ledger, 'ada', 10n);
    for (const requestId of ['r1', 'r2', 'r3']) await ledger.reserve(order({ requestId, amount: 3n }));
    const failed = { upstream: 'main', status: 503, code: 'overloaded', ms: 12.5 };
    const silent = { upstream: 'main', status: null, code: 'upstream_timeout', ms: 900 };
    const good = { upstream: 'backup', status: 200, code: null, ms: 340 };
    await Promise.all([
      ledger.post({ ...posting('r1', 2n), attempts: [failed, good] }),
      ledger.void('r2', noon, 'failed', [silent]),
      ledger.post(posting('r3', 1n)),
    ]);
    expect(await ledger.post({ ...posting('r1', 2n), attempts: [silent] })).toEqual({ kind: 'earlier', state: 'posted' });
    expect(await ledger.void('never held', noon, 'failed', [silent])).toEqual({ kind: 'unknown' });
    expect(await ledger.listAttempts('r1')).toEqual([failed, good]);
    expect(await ledger.listAttempts('r2')).toEqual([silent]);
    expect(await ledger.listAttempts('r3')).toEqual([]);
    expect(await rows('SELECT request_id FROM attempts ORDER BY request_id')).toEqual([['r1'], ['r2']]);
    expect(await ledger.getBalance('ada')).toEqual({ balance: 7n, held: 0n });
    await ledger.reserve(order({ requestId: 'alone', amount: 3n }));
    await ledger.post({ ...posting('alone', 0n), attempts: [failed, good] });
    expect(await ledger.listAttempts('alone')).toEqual([failed, good]);
  });

  test('lists a process with its last report until it leaves or is dead', async () => {
    const { ledger, rows } = await open('ada');
    const known = () => rows('SELECT id, report FROM nodes ORDER BY id');
    await ledger.heartbeat('node_1', noon, 'well');
    await ledger.heartbeat('node_1', noon + 1);
    await ledger.heartbeat('node_2', noon + 1);
    expect(await known()).toEqual([
      ['node_1', 'well'],
      ['node_2', null],
    ]);
    await beat(ledger, 'node_2', noon + 3, noon + 2);
    expect(await known()).toEqual([['node_2', null]]);
    await leave(ledger, 'node_2', noon + 4);
    expect(await known()).toEqual([]);
  });

  test('expires each of 201 holds of a dead process', async () => {
    const { ledger } = await open('ada');
    await Promise.all(Array.from({ length: 201 }, (_, index) => ledger.reserve(order({ requestId: `r${index}`, amount: 0n }))));
    const sizes: number[] = [];
    for await (const { length } of ledger.removeNode('node_1', noon)) sizes.push(length);
    expect(sizes).toEqual([200, 1]);
    const empty: number[] = [];
    for await (const { length } of ledger.removeNode('node_1', noon)) empty.push(length);
    expect(empty).toEqual([]);
  });
});

/** A charge that comes after its hold has expired is posted once, from the amount that is left, and the ledger is balanced (promises G2 to G4). */
import { describe, expect, test } from 'vitest';
import { beat, dayMs, noon, order, posting, topUp } from '../../unit/money/open.ts';
import { type EngineLedger, engines } from './engines.ts';

describe.each(engines)('$title', ({ use, isMissing }) => {
  describe.skipIf(isMissing)('A9: a charge that comes late', () => {
    const open = use();

    async function expectSound({ ledger }: EngineLedger, overrun: bigint): Promise<void> {
      expect(await ledger.reconcile()).toMatchObject({ differences: [], unbalanced: [], contradictions: [], overrun });
    }
    async function expire({ ledger }: EngineLedger, requestIds: readonly string[]): Promise<void> {
      await beat(ledger, 'node_1', noon, 0);
      const orphans = await beat(ledger, 'node_2', noon + 20_000, noon + 15_000);
      expect(orphans.map(({ requestId }) => requestId)).toEqual(requestIds);
    }

    test('takes from the available balance, without the amounts held for other requests', async () => {
      const engine = await open('ada');
      const { ledger } = engine;
      await topUp(ledger, 'ada', 100n);
      for (const requestId of ['r1', 'r2', 'r3']) await ledger.reserve(order({ requestId, amount: 30n }));
      await expire(engine, ['r1', 'r2', 'r3']);
      await ledger.reserve(order({ requestId: 'r4', amount: 60n, node: 'node_2' }));
      const late = (charged: bigint, overrun: bigint) => ({ kind: 'settled', charged, overrun, isLate: true });
      // Those that come together too.
      const [one, other] = await Promise.all([ledger.post(posting('r1', 25n)), ledger.post(posting('r2', 50n))]);
      expect([one, other]).toEqual([late(25n, 0n), late(15n, 35n)]);
      expect(await ledger.post(posting('r3', 7n))).toEqual(late(0n, 7n));
      expect(await ledger.post(posting('r3', 7n))).toEqual({ kind: 'earlier', state: 'posted' });
      expect(await ledger.findCharge('r3')).toMatchObject({ state: 'posted', isEstimated: false });
      expect(await ledger.getBalance('ada')).toEqual({ balance: 60n, held: 60n });
      await expectSound(engine, 42n);
    });

    test('posts entries for a single micro-dollar, and for the overrun', async () => {
      const engine = await open('ada');
      const { ledger } = engine;
      await topUp(ledger, 'ada', 2n);
      await ledger.reserve(order({ requestId: 'r1', amount: 2n }));
      await expire(engine, ['r1']);
      await ledger.reserve(order({ requestId: 'r2', amount: 1n, node: 'node_2' }));
      expect(await ledger.post({ ...posting('r1', 2n), isEstimated: true })).toEqual({
        kind: 'settled',
        charged: 1n,
        overrun: 1n,
        isLate: true,
      });
      expect(await ledger.findCharge('r1')).toMatchObject({ isEstimated: true });
      await expectSound(engine, 1n);
    });

    test('posts nothing once another request took the idempotency key over, and posts if the call still has it', async () => {
      const engine = await open('ada');
      const { ledger, exec } = engine;
      await topUp(ledger, 'ada', 100n);
      for (const requestId of ['r1', 'r2']) await ledger.reserve(order({ requestId, amount: 30n }));
      await exec(`INSERT INTO nodes (id, seen_at) VALUES ('node_9', ${noon + 10 * dayMs})`);
      await exec(`INSERT INTO idempotency (account_id, idempotency_key, fingerprint, request_id, node, created_at)
        VALUES ('ada', 'k1', 'f', 'r9', 'node_9', 0), ('ada', 'k2', 'f', 'r2', 'node_1', 0)`);
      await expire(engine, ['r1', 'r2']);
      expect(await ledger.post({ ...posting('r1', 5n), key: 'k1' })).toEqual({ kind: 'earlier', state: 'expired' });
      expect(await ledger.post({ ...posting('r2', 7n), key: 'k2' })).toMatchObject({ kind: 'settled', charged: 7n, isLate: true });
      expect(await ledger.getBalance('ada')).toEqual({ balance: 93n, held: 0n });
      await expectSound(engine, 0n);
    });

    test('claims an idempotency key with a hold, frees it for any request if that is voided, and for the same request if it expired', async () => {
      const engine = await open('ada', 'bob');
      const { ledger, rows } = engine;
      for (const account of ['ada', 'bob']) await topUp(ledger, account, 1_000n);
      const claim = { key: 'k', fingerprint: 'f' };
      const reserve = (requestId: string, changes = {}) => ledger.reserve(order({ requestId, amount: 10n, claim, ...changes }));
      const taken = { kind: 'rejected', by: 'key', available: 0n };
      const both = await Promise.all(['r1', 'r2'].map((id) => reserve(id)));
      expect(both.map(({ kind }) => kind)).toEqual(['held', 'rejected']);
      expect(await reserve('r3')).toEqual(taken);
      expect(await reserve('r4', { accountId: 'bob', node: 'node_2' })).toMatchObject({ kind: 'held' });
      await ledger.void('r1', noon, 'failed');
      const other = { claim: { key: 'k', fingerprint: 'other' } };
      expect(await reserve('r5', other)).toMatchObject({ kind: 'held' });
      expect(await reserve('r6')).toEqual(taken);
      await ledger.void('r5', noon, 'failed');
      expect(await reserve('r6')).toMatchObject({ kind: 'held' });
      await expire(engine, ['r6']);
      // Its charge may still come.
      expect(await reserve('r7', { ...other, node: 'node_2' })).toEqual(taken);
      expect(await reserve('r7', { node: 'node_2' })).toMatchObject({ kind: 'held' });
      const bytes = Buffer.from([0, 255, 123]);
      await ledger.post({
        ...posting('r7', 5n),
        accountId: 'ada',
        key: 'k',
        keep: { contentType: 'application/json', bytes },
      });
      expect(await reserve('r8')).toEqual(taken);
      const [kept] = await rows("SELECT request_id, content_type, answer FROM idempotency WHERE account_id = 'ada'");
      expect([kept?.[0], kept?.[1], Buffer.from(kept?.[2] as Uint8Array)]).toEqual(['r7', 'application/json', bytes]);
      expect(await ledger.post({ ...posting('r6', 5n), key: 'k' })).toEqual({ kind: 'earlier', state: 'expired' });
    });

    test('posts when the call that took its key over came to nothing, and has its key again', async () => {
      const engine = await open('ada');
      const { ledger } = engine;
      await topUp(ledger, 'ada', 100n);
      const claim = { key: 'k', fingerprint: 'f' };
      await ledger.reserve(order({ requestId: 'r1', amount: 30n, claim }));
      await expire(engine, ['r1']);
      expect(await ledger.reserve(order({ requestId: 'r2', amount: 30n, claim, node: 'node_2' }))).toMatchObject({ kind: 'held' });
      await ledger.void('r2', noon, 'failed');
      expect(await ledger.post({ ...posting('r1', 5n), accountId: 'ada', key: 'k' })).toMatchObject({ kind: 'settled', isLate: true });
      expect(await ledger.reserve(order({ requestId: 'r3', amount: 30n, claim }))).toMatchObject({ kind: 'rejected', by: 'key' });
      expect(await ledger.getBalance('ada')).toEqual({ balance: 95n, held: 0n });
      await expectSound(engine, 0n);
    });
  });
});

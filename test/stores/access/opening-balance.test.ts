/** Opening an account with a balance is one transaction over accounts and ledger, on both engines. */
import { test as base, describe, expect } from 'vitest';
import { engines } from './gate.ts';

const noLimits = { requestsPerMinute: null, tokensPerMinute: null, concurrency: null };

describe.each(engines)('$title', ({ isMissing, use }) => {
  const test = base.skipIf(isMissing);
  const openGate = use();

  test('opens an account with its balance and its audit entry, or not at all', async () => {
    const gate = await openGate();
    const { store } = gate.access;
    const record = { id: 'acct_new', name: 'new', group: 'vip', limits: noLimits, createdAt: 1, suspendedAt: null };
    const opening = { accountId: 'acct_new', transfer: 'opening', kind: 'top_up', amount: 5n, note: null, at: 1 } as const;
    const audit = gate.audit('account.create', 'acct_new');
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    await expect(store.addAccount(record, { ...audit, details: circular }, opening)).rejects.toThrow(/circular/i);
    await expect(store.addAccount(record, audit, { ...opening, amount: 2n ** 62n })).rejects.toThrow('opening balance');
    expect([await store.listAccounts(), await store.listAudit({ limit: 9 })]).toEqual([[], []]);
    expect(await store.addAccount(record, audit, opening)).toBe(true);
    expect(await store.addAccount({ ...record, id: 'acct_other' }, audit, { ...opening, transfer: 'other' })).toBe(false);
    // No more than the balance can be held.
    await gate.exec('UPDATE balances SET held = 5');
    await expect(gate.exec('UPDATE balances SET held = 6')).rejects.toThrow();
    expect(await store.listAudit({ limit: 9 })).toHaveLength(1);
  });
});

/** Changes of money by an operator, each in one step with the line of the audit about it, on both engines. */
import { test as base, describe, expect } from 'vitest';
import type { LedgerStore, NewPrice } from '../../../server/money/store.ts';
import type { AuditEntry } from '../../../server/store/audit.ts';
import { noon, subscription } from '../../unit/money/open.ts';
import { engines } from './engines.ts';

const price: NewPrice = { priceList: 'standard', model: 'm', source: 'admin', prices: '{"input":"1"}', createdAt: noon };
const transfer = { accountId: 'ada', transfer: 'invoice', kind: 'top_up', amount: 5n, note: null, at: noon } as const;
const tableNames = ['entries', 'balances', 'subscriptions', 'price_versions', 'audit'];

const changes: readonly { name: string; make: (ledger: LedgerStore, audit: AuditEntry) => Promise<unknown> }[] = [
  { name: 'a transfer', make: (ledger, audit) => ledger.adjust(transfer, audit) },
  { name: 'a subscription', make: (ledger, audit) => ledger.addSubscription(subscription(), audit) },
  { name: 'a price', make: (ledger, audit) => ledger.addPrice(price, audit) },
  { name: 'a cancellation', make: (ledger, audit) => ledger.cancelSubscription('old', noon, audit) },
];
const audit: AuditEntry = { actor: 'alice', action: 'change', target: 'ada', details: { why: 'asked' }, at: noon };
/** Of a kind that no text can be made of. */
const untold = (): AuditEntry => {
  const details: Record<string, unknown> = {};
  details.self = details;
  return { ...audit, details };
};

describe.for(engines)('$title', ({ isMissing, use }) => {
  const test = base.skipIf(isMissing);
  const open = use();
  const openWithOld = async () => {
    const opened = await open('ada');
    await opened.ledger.addSubscription(subscription({ id: 'old', startsAt: noon - 10, endsAt: noon + 10, accountId: 'ada' }));
    return opened;
  };
  const openFor = (name: string) => (name === 'a cancellation' ? openWithOld() : open('ada'));

  test.for(changes)('makes $name with its audit entry, or not at all', async ({ name, make }) => {
    const { ledger, rows } = await openFor(name);
    const look = () => Promise.all(tableNames.map((table) => rows(`SELECT * FROM ${table}`)));
    const before = await look();
    await expect(make(ledger, untold())).rejects.toThrow(/circular/i);
    expect(await look()).toEqual(before);
    await make(ledger, audit);
    const lines = await rows('SELECT actor, action, target, details FROM audit');
    const [version] = await rows('SELECT version FROM price_versions');
    const details = { ...(version && { version: Number(version[0]) }), why: 'asked' };
    expect(lines.map(([, , , told]) => JSON.parse(String(told)))).toEqual([details]);
    expect(lines[0]?.slice(0, 3)).toEqual(['alice', 'change', 'ada']);
  });

  test('records no change without effect: a repeated or rejected transfer, an overlapping or ended subscription', async () => {
    const { ledger, rows } = await openWithOld();
    await ledger.adjust(transfer);
    expect(await ledger.adjust(transfer, audit)).toMatchObject({ kind: 'repeated' });
    expect(await ledger.adjust({ ...transfer, amount: 6n }, audit)).toMatchObject({ kind: 'mismatch' });
    expect(await ledger.adjust({ ...transfer, transfer: 'x', kind: 'correction', amount: -6n }, audit)).toMatchObject({ kind: 'rejected' });
    expect(await ledger.addSubscription(subscription({ startsAt: noon }), audit)).toEqual({ kind: 'overlaps', id: 'old' });
    expect(await ledger.cancelSubscription('none', noon, audit)).toBe(false);
    expect(await rows('SELECT * FROM audit')).toEqual([]);
  });
});

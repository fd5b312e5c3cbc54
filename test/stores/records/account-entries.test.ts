/** The statement of an account on each engine: every line has the balance of the ledger after that line, with any filter and any page size. */
import fc from 'fast-check';
import { test as base, describe, expect } from 'vitest';
import {
  buildBalancesSql,
  buildPageSql,
  entryKinds,
  readAccountStatement,
  type StatementLine,
} from '../../../server/records/account-statement.ts';
import { findEntriesEnd } from '../../../server/records/ledger-entries.ts';
import { order, posting, subscription, topUp } from '../../unit/money/open.ts';
import { engines, type Stage } from './engines.ts';

const noon = Date.UTC(2027, 0, 10, 12);
const ALL = 1_000;

interface Step {
  readonly kind: 'top_up' | 'refund' | 'correction' | 'charge' | 'void';
  readonly amount: bigint;
  /** Milliseconds since the previous step; 0 if both happen at the same time. */
  readonly wait: number;
}
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    kind: fc.constantFrom('top_up' as const, 'refund' as const, 'correction' as const, 'charge' as const, 'void' as const),
    amount: fc.bigInt({ min: 1n, max: 5_000n }),
    wait: fc.constantFrom(0, 0, 1, 1_000),
  }),
  { minLength: 1, maxLength: 25 },
);

/** The lines according to the ledger itself, oldest first: the amount of each step, and the balance after it. */
async function play({ ledger, accountId }: Stage, played: readonly Step[]): Promise<readonly (readonly [string, bigint, bigint])[]> {
  const lines: (readonly [string, bigint, bigint])[] = [];
  let at = noon;
  for (const [index, { kind, amount, wait }] of played.entries()) {
    at += wait;
    const before = (await ledger.getBalance(accountId))?.balance ?? 0n;
    if (kind === 'charge' || kind === 'void') {
      const requestId = `req_${index}`;
      const held = await ledger.reserve({ ...order({ requestId, accountId, amount }), at });
      if (held.kind === 'held' && kind === 'charge') await ledger.post({ ...posting(requestId, amount / 2n), accountId, at });
      if (held.kind === 'held' && kind === 'void') await ledger.void(requestId, at, 'client_disconnected');
    } else {
      const signed = kind === 'correction' && index % 2 === 1 ? -amount : amount;
      await ledger.adjust({ accountId, transfer: `${kind}_${index}`, kind, amount: signed, note: null, at });
    }
    const after = (await ledger.getBalance(accountId))?.balance ?? 0n;
    if (after !== before) lines.push([kind, after - before, after]);
  }
  return lines;
}

const shape = ({ kind, amount, balanceAfter }: StatementLine) => [kind, amount, balanceAfter] as const;

describe.each(engines)('$title', ({ isMissing, use }) => {
  const test = base.skipIf(isMissing);
  const open = use();

  test('G1: shows on each line the balance of the ledger at that time, in full, in pages and by kind', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 1, max: 4 }), async (played, limit) => {
        const stage = await open();
        const { accountId, here } = stage;
        const expected = (await play(stage, played)).toReversed();
        const whole = (await readAccountStatement(here.ask, { accountId, limit: ALL })) ?? [];
        expect(whole.map(shape)).toEqual(expected);
        const paged: StatementLine[] = [];
        for (let page: readonly StatementLine[] | undefined; page === undefined || page.length > 0; paged.push(...page))
          page = (await readAccountStatement(here.ask, { accountId, limit, after: paged.at(-1)?.id })) ?? [];
        expect(paged).toEqual(whole);
        for (const kind of entryKinds)
          expect(await readAccountStatement(here.ask, { accountId, limit: ALL, kind })).toEqual(whole.filter((line) => line.kind === kind));
        const middle = whole[Math.floor(whole.length / 2)]?.at ?? noon;
        expect(await readAccountStatement(here.ask, { accountId, limit: ALL, to: middle })).toEqual(whole.filter(({ at }) => at < middle));
        expect(await readAccountStatement(here.ask, { accountId, limit: ALL, from: middle })).toEqual(
          whole.filter(({ at }) => at >= middle),
        );
      }),
      { numRuns: 8 },
    );
  });

  test('G1: exports the balances of the time when it began, whatever is posted while it runs', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.constantFrom(undefined, ...entryKinds), async (played, kind) => {
        const stage = await open();
        const { accountId, here, ledger } = stage;
        await play(stage, played);
        const whole = (await readAccountStatement(here.ask, { accountId, kind, limit: ALL })) ?? [];
        const newest = (await findEntriesEnd(here.ask)) - 1;
        const lines: StatementLine[] = [];
        // From an outbox: as old as the oldest entry.
        const bookLate = (at: number | string) =>
          ledger.adjust({ accountId, transfer: `late_${at}`, kind: 'top_up', amount: 7n, note: null, at: noon });
        await bookLate('first');
        for (let page: readonly StatementLine[] | undefined; page === undefined || page.length > 0; lines.push(...page)) {
          const last = lines.at(-1);
          const query = { accountId, kind, limit: 2, newest, after: last?.id, balance: last?.balanceAfter };
          page = (await readAccountStatement(here.ask, query)) ?? [];
          await bookLate(lines.length);
        }
        expect(lines).toEqual(whole);
      }),
      { numRuns: 8 },
    );
  });

  test("shows a charge paid by a subscription as a line that doesn't change the balance", async () => {
    const { ledger, accountId, here } = await open();
    await topUp(ledger, accountId, 9_000n);
    await ledger.addSubscription(subscription({ id: 'sub_1', accountId, included: 10_000n, startsAt: 0 }));
    await ledger.reserve({ ...order({ requestId: 'req_sub', accountId, amount: 700n }), at: noon });
    await ledger.post({ ...posting('req_sub', 700n), accountId, at: noon });
    const [line, payment] = (await readAccountStatement(here.ask, { accountId, limit: ALL })) ?? [];
    expect(line).toMatchObject({ kind: 'subscription', amount: -700n, balanceAfter: 9_000n, transfer: 'req_sub' });
    expect(payment).toMatchObject({ kind: 'top_up', amount: 9_000n, balanceAfter: 9_000n });
    expect(await readAccountStatement(here.ask, { accountId, limit: ALL, kind: 'subscription' })).toEqual([line]);
    const after = line?.id;
    expect(await readAccountStatement(here.ask, { accountId, limit: ALL, after })).toEqual([payment]);
  });

  test("starts no list after an entry of another account, or after one that doesn't exist", async () => {
    const { ledger, accountId, here } = await open();
    await topUp(ledger, accountId, 9_000n);
    const [line] = (await readAccountStatement(here.ask, { accountId, limit: ALL })) ?? [];
    expect(line?.transfer).toBeDefined();
    expect(await readAccountStatement(here.ask, { accountId: 'acct_other', limit: ALL })).toEqual([]);
    expect(await readAccountStatement(here.ask, { accountId: 'acct_other', limit: ALL, after: line?.id })).toBeUndefined();
    expect(await readAccountStatement(here.ask, { accountId, limit: ALL, after: 999_999 })).toBeUndefined();
  });

  test('finds lines and balances by an index, whatever the filter', async () => {
    const { plan, accountId } = await open();
    const books = [`account:${accountId}`, 'subscription:sub_1'];
    for (const kind of [undefined, ...entryKinds]) {
      const { sql, values } = buildPageSql(books, { accountId, kind, limit: 5 }, { at: noon, id: 7 });
      const found = await plan(sql, values);
      const isOfOperators = kind === 'top_up' || kind === 'refund' || kind === 'correction';
      expect(found).toContain(isOfOperators ? 'entries_of_operators' : 'entries_by_owner');
      expect(found).not.toMatch(/SCAN entries|Seq Scan|USE TEMP B-TREE|Sort/);
    }
    const { sql, values } = buildBalancesSql(accountId, [
      { at: noon, id: 7 },
      { at: noon - 5, id: 5 },
    ]);
    const found = await plan(sql, values);
    expect(found).toMatch(/COVERING INDEX entries_by_owner|Index Only Scan using entries_by_owner/);
    expect(found).not.toMatch(/SCAN entries|Seq Scan/);
  });
});

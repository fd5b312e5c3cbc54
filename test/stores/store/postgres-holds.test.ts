/** Holds of several processes on PostgreSQL: abandoned before they are made, left by a dead process, and concurrent on one balance (G2, G3). */
import { Writable } from 'node:stream';
import { Client } from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openPostgresLedger } from '../../../server/money/postgres.ts';
import { openRecovery } from '../../../server/money/recovery.ts';
import type { LedgerStore, SettleResult } from '../../../server/money/store.ts';
import { openOutbox } from '../../../server/store/outbox/outbox.ts';
import { openPostgres } from '../../../server/store/postgres/postgres.ts';
import { openLog } from '../../../server/telemetry/log.ts';
import { temporaryFolder } from '../../harness/folder.ts';
import { hangLimitMs } from '../../harness/hang-limit.ts';
import { postgresName, usePostgres } from '../../harness/postgres.ts';
import { recordAttempts } from '../../harness/record-attempts.ts';
import { postgresMissing } from '../../harness/servers.ts';
import { beat, dayMs, noon, order, posting, topUp } from '../../unit/money/open.ts';

/** A process that looks for dead processes at its first heartbeat, and its log. */
function openKeeping(ledger: LedgerStore, node: string) {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const log = openLog({ log: { level: 'warn' } }, stream);
  const outbox = openOutbox({ folder: temporaryFolder() });
  onTestFinished(() => outbox.close());
  const keeper = openRecovery({ ledger, outbox, node, log, now: Date.now, waitMs: 1_000, isShared: false });
  return { keeper, expired: () => lines.filter((line) => line.includes('hold of a dead process expired')) };
}

const sound = { differences: [], unbalanced: [], contradictions: [] };

describe.skipIf(postgresMissing !== null)(postgresName, () => {
  const place = usePostgres();

  /** So many processes on one database. */
  async function open(processes: number, accounts: readonly string[]): Promise<{ readonly url: string; readonly ledgers: LedgerStore[] }> {
    const { url, postgres } = await place.fresh();
    await postgres.query({ text: 'INSERT INTO accounts (id, name, created_at) SELECT a, a, 0 FROM unnest($1::TEXT[]) AS a' }, [accounts]);
    const ledgers = Array.from({ length: processes }, () => {
      const own = openPostgres({ url });
      onTestFinished(() => own.close());
      return openPostgresLedger(own);
    });
    return { url, ledgers };
  }

  test('G2: holds nothing for a request that is given up before its reservation arrives', async () => {
    const { ledgers } = await open(2, ['ada']);
    const [one, two] = ledgers as [LedgerStore, LedgerStore];
    await topUp(one, 'ada', 10n);
    expect(await two.void('r1', noon, 'rejected')).toEqual({ kind: 'unknown' });
    expect(await one.reserve(order({ requestId: 'r1', amount: 1n }))).toEqual({ kind: 'rejected', by: 'duplicate', available: 0n });
    expect(await one.post(posting('r1', 1n))).toEqual({ kind: 'unknown' });
    expect(await one.getBalance('ada')).toEqual({ balance: 10n, held: 0n });
  });

  test('G2: holds nothing for a request that is given up while its reservation waits for the account', async () => {
    const { ledgers, url } = await open(2, ['ada']);
    const [one, two] = ledgers as [LedgerStore, LedgerStore];
    await topUp(one, 'ada', 10n);
    const other = new Client({ connectionString: url });
    await other.connect();
    onTestFinished(() => other.end());
    await other.query("BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('ada', 7301529464217))");
    const reserving = one.reserve(order({ requestId: 'r1', amount: 1n }));
    expect(await two.void('r1', noon, 'rejected')).toEqual({ kind: 'unknown' });
    await other.query('COMMIT');
    expect(await reserving).toMatchObject({ kind: 'rejected', by: 'duplicate' });
    expect(await one.getBalance('ada')).toEqual({ balance: 10n, held: 0n });
  });

  test("G2: settles a hold that comes while the settlement waits for other locks under its own account's lock", async () => {
    const { ledgers, url } = await open(2, ['ada', 'bob']);
    const [one, two] = ledgers as [LedgerStore, LedgerStore];
    for (const account of ['ada', 'bob']) await topUp(one, account, 10n);
    await one.reserve(order({ requestId: 'r1', amount: 1n }));
    const [ada, bob] = [new Client({ connectionString: url }), new Client({ connectionString: url })];
    await Promise.all([ada.connect(), bob.connect()]);
    onTestFinished(async () => void (await Promise.all([ada.end(), bob.end()])));
    await ada.query("BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('ada', 7301529464217))");
    const voided = Promise.all([two.void('r1', noon, 'failed'), two.void('r2', noon, 'failed')]);
    const isWaiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
    await vi.waitFor(async () => expect((await bob.query(isWaiting)).rowCount).toBe(1), hangLimitMs);
    await one.reserve(order({ requestId: 'r2', amount: 3n, accountId: 'bob' }));
    await bob.query("BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('bob', 7301529464217))");
    await ada.query('COMMIT');
    // The second waits for the other account now, and has changed nothing.
    await vi.waitFor(async () => expect((await bob.query(isWaiting)).rowCount).toBe(1), hangLimitMs);
    expect(await one.getBalance('bob')).toEqual({ balance: 10n, held: 3n });
    await bob.query('COMMIT');
    expect(await voided).toEqual([expect.objectContaining({ kind: 'settled' }), expect.objectContaining({ kind: 'settled' })]);
    expect(await one.getBalance('bob')).toEqual({ balance: 10n, held: 0n });
  });

  describe('A9: an idempotency key that is claimed while the call that had it is charged late', () => {
    /** A call of a process that is taken for dead, and another connection whose transaction holds what the charge needs. */
    async function openFrozen(locking: string) {
      const { ledgers, url } = await open(2, ['ada']);
      const [one, two] = ledgers as [LedgerStore, LedgerStore];
      await topUp(one, 'ada', 100n);
      await beat(one, 'node_1', noon, 0);
      const claim = { key: 'k', fingerprint: 'f' };
      await one.reserve(order({ requestId: 'r1', amount: 30n, node: 'node_1', claim }));
      const other = new Client({ connectionString: url });
      await other.connect();
      onTestFinished(() => other.end());
      const post = async (): Promise<SettleResult> => one.post({ ...posting('r1', 7n), key: 'k' });
      const waiting = (count: number) =>
        vi.waitFor(async () => {
          const asked = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
          expect((await other.query(asked)).rowCount).toBe(count);
        }, hangLimitMs);
      const expire = (): Promise<unknown> => beat(two, 'node_2', noon + 20_000, noon + 15_000);
      const lock = (): Promise<unknown> => other.query(`BEGIN; ${locking}`);
      return {
        one,
        other,
        post,
        waiting,
        expire,
        lock,
        claimAgain: () => two.reserve(order({ requestId: 'r9', amount: 10n, node: 'node_2', claim })),
      };
    }

    test.each([
      ['before its account is locked', "SELECT pg_advisory_xact_lock(hashtextextended('ada', 7301529464217))"],
      ['after its account is locked', 'SELECT 1 FROM balances FOR UPDATE'],
    ])('charges one of the two, %s', async (_when, locking) => {
      const { one, other, post, waiting, expire, lock, claimAgain } = await openFrozen(locking);
      await expire();
      await lock();
      const posted = post();
      await waiting(1);
      const claimed = claimAgain();
      await waiting(2);
      await other.query('COMMIT');
      expect(await posted).toEqual({ kind: 'settled', charged: 7n, overrun: 0n, isLate: true });
      expect(await claimed).toEqual({ kind: 'rejected', by: 'key', available: 0n });
      expect(await one.getBalance('ada')).toEqual({ balance: 93n, held: 0n });
      expect(await one.reconcile()).toMatchObject(sound);
    });

    test('charges the other request alone, before the charge comes', async () => {
      const { one, post, expire, claimAgain } = await openFrozen('SELECT 1');
      await expire();
      expect(await claimAgain()).toMatchObject({ kind: 'held' });
      expect(await post()).toEqual({ kind: 'earlier', state: 'expired' });
      expect(await one.getBalance('ada')).toEqual({ balance: 100n, held: 10n });
    });
  });

  test('G2: expires the holds of a dead process once, however many processes look for them at the same time', async () => {
    const { ledgers } = await open(3, ['ada', 'bob']);
    const [first] = ledgers as [LedgerStore];
    for (const account of ['ada', 'bob']) await topUp(first, account, 1_000n);
    await beat(first, 'node_dead', noon, 0);
    const holds = Array.from({ length: 700 }, (_, index) =>
      order({ requestId: `r${index}`, amount: 1n, accountId: index % 2 === 0 ? 'ada' : 'bob', node: 'node_dead' }),
    );
    for (let from = 0; from < holds.length; from += 100)
      await Promise.all(holds.slice(from, from + 100).map((hold) => first.reserve(hold)));
    const late = noon + dayMs;
    const found = (await Promise.all(ledgers.map((ledger, index) => beat(ledger, `node_${index}`, late, late - 1)))).flat();
    expect(found).toHaveLength(700);
    expect(new Set(found.map(({ requestId }) => requestId)).size).toBe(700);
    for (const account of ['ada', 'bob']) expect(await first.getBalance(account)).toEqual({ balance: 1_000n, held: 0n });
    // Late usage is charged once.
    const told = await Promise.all(ledgers.map((ledger) => ledger.post(posting('r0', 1n, late))));
    expect(told.filter(({ kind }) => kind === 'settled')).toEqual([{ kind: 'settled', charged: 1n, overrun: 0n, isLate: true }]);
    expect(await first.getBalance('ada')).toEqual({ balance: 999n, held: 0n });
    expect(await first.reconcile()).toMatchObject(sound);
  });

  test('G2: expires no hold of a live process when a clock is ten minutes ahead or behind', async () => {
    const { ledgers } = await open(2, ['ada']);
    const [one, two] = ledgers as [LedgerStore, LedgerStore];
    await topUp(one, 'ada', 10n);
    await one.heartbeat('node_living');
    await one.reserve(order({ requestId: 'r1', amount: 1n, node: 'node_living', at: Date.now() }));
    // The process returns after a long silence, in which the others removed its row.
    await one.reserve(order({ requestId: 'r2', amount: 1n, node: 'node_back', at: Date.now() - 600_000 }));
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 });
    onTestFinished(() => void vi.useRealTimers());
    const { keeper, expired } = openKeeping(two, 'node_ahead');
    for (let beats = 0; beats < 2; beats++) await keeper.tick();
    vi.setSystemTime(Date.now() - 1_200_000);
    await keeper.tick();
    expect(await one.getBalance('ada')).toEqual({ balance: 10n, held: 2n });
    expect(expired()).toEqual([]);
    vi.useRealTimers();
    // The times of heartbeats come from the clock of the server only.
    const at = await two.heartbeat('node_ahead');
    expect(Math.abs(at - Date.now())).toBeLessThan(60_000);
    expect((await beat(two, 'node_ahead', at + 30_000, at + 15_000)).map(({ requestId }) => requestId)).toEqual(['r1', 'r2']);
  });

  test('G2: logs expired holds for the operator even if the store fails right afterwards', async () => {
    const { ledgers, url } = await open(2, ['ada']);
    const [one, two] = ledgers as [LedgerStore, LedgerStore];
    await topUp(one, 'ada', 10n);
    await one.heartbeat('node_dead', 1);
    await one.reserve(order({ requestId: 'r1', amount: 1n, node: 'node_dead', at: 1 }));
    const other = new Client({ connectionString: url });
    await other.connect();
    onTestFinished(() => other.end());
    await other.query(`
      CREATE FUNCTION fail() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no row may go'; END $$;
      CREATE TRIGGER fail BEFORE DELETE ON nodes FOR EACH ROW EXECUTE FUNCTION fail()`);
    const { keeper, expired } = openKeeping(two, 'node_2');
    await expect(keeper.tick()).rejects.toThrow('no row may go');
    expect(expired()).toEqual([expect.stringContaining('"r1"')]);
    await expect(keeper.tick()).rejects.toThrow('no row may go');
    expect(expired()).toHaveLength(1);
    await other.query('DROP TRIGGER fail ON nodes');
    await keeper.tick();
    expect(await beat(one, 'node_1', 2, 0)).toEqual([]);
    expect(await one.getBalance('ada')).toEqual({ balance: 10n, held: 0n });
  });

  test.each([
    ['one balance', ['ada']],
    ['two hundred balances', Array.from({ length: 200 }, (_, index) => `account_${index}`)],
  ])('G3: serves two hundred concurrent calls on %s, time after time, charged to the last unit', async (_, accounts) => {
    const { ledgers } = await open(2, accounts);
    const [first] = ledgers as [LedgerStore];
    for (const account of accounts) await topUp(first, account, 10_000n);
    const calls = Array.from({ length: 200 }, async (__, lane) => {
      const [ledger, accountId] = [ledgers[lane % 2] ?? first, accounts[lane % accounts.length] ?? ''];
      for (let turn = 0; turn < 10; turn++) {
        const requestId = `r${lane}_${turn}`;
        const held = await ledger.reserve(order({ requestId, accountId, amount: 3n }));
        expect(held).toEqual({ kind: 'held', source: 'balance' });
        await ledger.post(posting(requestId, 2n));
      }
    });
    await Promise.all(calls);
    const balances = await Promise.all(accounts.map((account) => first.getBalance(account)));
    const left = balances.reduce((sum, one) => sum + (one?.balance ?? 0n), 0n);
    expect(left).toBe(10_000n * BigInt(accounts.length) - 200n * 10n * 2n);
    expect(balances.every((one) => one?.held === 0n)).toBe(true);
    expect(await first.reconcile()).toMatchObject(sound);
    recordAttempts('G3', { what: 'reservations and charges by 200 at once', times: 2_000 });
  });
});

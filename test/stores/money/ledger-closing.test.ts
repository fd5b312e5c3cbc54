/** `ledger close`: what old calls were goes to an archive, and what they add up to stays (promises G2 to G4). */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { OwnedCap } from '../../../server/money/spending-cap.ts';
import { openLedgerSteps, openSqliteLedger } from '../../../server/money/sqlite.ts';
import type { LedgerStore } from '../../../server/money/store.ts';
import { openDatabase, runInline } from '../../../server/store/sqlite/database.ts';
import { modelgate } from '../../harness/command-line.ts';
import { temporaryFolder } from '../../harness/folder.ts';
import { usePostgres } from '../../harness/postgres.ts';
import { order, posting, subscription } from '../../unit/money/open.ts';
import { type EngineLedger, engines, openPostgresEngine } from './engines.ts';

const at = (text: string): number => Date.parse(`${text}T00:00:00Z`);
const march = at('2026-03-01');
const dayMs = 86_400_000;
/** Of the entries of so many calls, a slice has a part where a gateway runs. */
const calls = 1_400;
const sound = { differences: [], unbalanced: [], contradictions: [] };

interface Place extends EngineLedger {
  readonly folder: string;
  run(...words: string[]): ReturnType<typeof modelgate>;
}

function openSqlitePlace(): Place {
  const folder = temporaryFolder();
  const { connection, close } = openDatabase({ folder: join(folder, 'data'), durability: 'relaxed' });
  onTestFinished(close);
  connection.exec("INSERT INTO accounts (id, name, created_at) VALUES ('ada', 'ada', 0), ('bob', 'bob', 0)");
  return {
    folder,
    ledger: openSqliteLedger({ connection, steps: runInline(connection, openLedgerSteps) }),
    async rows(sql) {
      const statement = connection.prepare(sql);
      statement.setReadBigInts(true);
      return statement.all().map((row) => Object.values(row));
    },
    exec: async (sql) => connection.exec(sql),
    run: (...words) => modelgate(words, { folder }),
  };
}

function openPostgresPlace() {
  const server = usePostgres();
  return async (): Promise<Place> => {
    const { url, ...engine } = await openPostgresEngine(server, ['ada', 'bob']);
    const folder = temporaryFolder();
    return { folder, ...engine, run: (...words) => modelgate(words, { folder, env: { DATABASE_URL: url } }) };
  };
}

/** calls from March to August, eight a day, in all ways in which they end; those of bob by a subscription and three caps. */
async function fill(ledger: LedgerStore): Promise<void> {
  await ledger.adjust({ accountId: 'ada', transfer: 'given', kind: 'top_up', amount: 100_000n, note: null, at: march });
  await ledger.addSubscription(subscription({ accountId: 'bob', included: 10_000n, startsAt: march }));
  const caps = (['day', 'week', 'month'] as const).map(
    (period): OwnedCap => ({ owner: 'key:key_2', micros: 1_000_000n, period, scope: 'key' }),
  );
  for (let first = 0; first < calls; first += 100)
    await Promise.all(Array.from({ length: 100 }, (_, index) => call(ledger, first + index, caps)));
}

async function call(ledger: LedgerStore, index: number, caps: readonly OwnedCap[]): Promise<void> {
  const time = march + index * (dayMs / 8);
  const requestId = `r${index}`;
  const isBob = index % 3 === 0;
  const held = await ledger.reserve(
    order({ requestId, amount: 20n, at: time, ...(isBob ? { accountId: 'bob', keyId: 'key_2', caps } : { keyId: `key_${index % 2}` }) }),
  );
  expect(held.kind).toBe('held');
  const cost = BigInt(index % 25);
  if (index % 11 === 0) return void (await ledger.void(requestId, time + 1, 'failed'));
  const attempts = index % 13 === 0 ? [{ upstream: 'one "two", three\n', status: 500, code: 'upstream_error', ms: 5 }] : undefined;
  await ledger.post({ ...posting(requestId, cost, time + 1), attempts, isEstimated: index % 7 === 0 });
}

/** What no closing may change. */
async function totals({ ledger, rows }: Place) {
  const { overrun, ...found } = await ledger.reconcile({ isFull: true });
  return {
    faults: { differences: found.differences, unbalanced: found.unbalanced, contradictions: found.contradictions },
    overrun,
    balances: await rows('SELECT account_id, balance, held FROM balances ORDER BY account_id'),
    allowances: await rows('SELECT owner, period_start, used, held FROM allowances ORDER BY owner, period_start'),
    books: await rows('SELECT book, CAST(sum(amount) AS BIGINT) FROM entries GROUP BY book ORDER BY book'),
    newer: await rows(`SELECT * FROM charges WHERE created_at >= ${at('2026-07-01')} ORDER BY request_id`),
  };
}

const before = '2026-07-01';
const oldSql = `FROM charges WHERE created_at < ${at(before)}`;
const tableIn = (folder: string, name: string): string => gunzipSync(readFileSync(join(folder, `${name}.csv.gz`))).toString();

describe.for(engines)('$title', ({ name, isMissing }) => {
  const open = name === 'sqlite' ? async () => openSqlitePlace() : openPostgresPlace();

  test.skipIf(isMissing)(
    'G2: keeps the calls in the archive, their sums in the database, and all totals unchanged',
    { timeout: 60_000 },
    async () => {
      const place = await open();
      await fill(place.ledger);
      const earlier = await totals(place);
      expect(earlier.faults).toEqual(sound);
      const old = (await place.rows(`SELECT request_id, charged ${oldSql} ORDER BY request_id`)).map(([id, charged]) => `${id} ${charged}`);
      expect(old.length).toBe(976);

      const { code, stdout, stderr } = await place.run('ledger', 'close', '--before', before, '--archive', 'books');
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(/\nCalls: +976\n/);
      expect(await totals(place)).toEqual(earlier);
      const left = (await place.rows(`SELECT request_id ${oldSql}`)).map(([id]) => String(id));
      expect(left.every((id) => id.startsWith('closed_'))).toBe(true);
      expect(left.length).toBeLessThan(140);
      expect(await place.rows(`SELECT count(*) FROM attempts WHERE request_id NOT IN (SELECT request_id FROM charges)`)).toEqual([[0n]]);

      const archive = join(place.folder, 'books');
      const archived = tableIn(archive, 'charges').trimEnd().split('\n').slice(1);
      const pairs = archived.filter((line) => /^r\d/.test(line)).map((line) => `${line.split(',')[0]} ${line.split(',')[13]}`);
      expect(pairs.sort()).toEqual(old);
      expect(tableIn(archive, 'accounts')).toMatch(/^account_id,calls,charged,overrun,balance\nada,650,\d+,\d+,\d+\nbob,326,\d+,\d+,0\n$/);
      expect(await place.run('ledger', 'check-archive', 'books')).toMatchObject({ code: 0, stderr: '' });
      expect(await place.rows('SELECT action, target FROM audit')).toEqual([['ledger.close', '2026-07-01T00:00:00.000Z']]);

      // Again, and with a later time: what was closed stays as it is.
      expect(await place.run('ledger', 'close', '--before', before, '--archive', 'books')).toMatchObject({ code: 0, stderr: '' });
      expect(await totals(place)).toEqual(earlier);
      const { code: again, stdout: told } = await place.run('ledger', 'close', '--before', '2026-08-01', '--archive', 'later');
      expect(again).toBe(0);
      expect(told).toMatch(/\nCalls: +248\n/);
      const { newer: _, ...last } = await totals(place);
      const { newer: __, ...first } = earlier;
      expect(last).toEqual(first);
    },
  );

  test.skipIf(isMissing)(
    "G2: leaves a sound ledger when a closing ends halfway, and goes on when it's run again",
    { timeout: 60_000 },
    async () => {
      const place = await open();
      await fill(place.ledger);
      const earlier = await totals(place);
      const guard =
        name === 'sqlite'
          ? `CREATE TRIGGER guard BEFORE DELETE ON charges WHEN OLD.request_id = 'r970' BEGIN SELECT raise(ABORT, 'no'); END`
          : `CREATE FUNCTION guard() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$;
           CREATE TRIGGER guard BEFORE DELETE ON charges FOR EACH ROW WHEN (OLD.request_id = 'r970') EXECUTE FUNCTION guard()`;
      await place.exec(`INSERT INTO nodes (id, seen_at) VALUES ('node_1', ${Date.now()})`);
      await place.exec(guard);
      expect(await place.run('ledger', 'close', '--before', before, '--archive', 'books')).toMatchObject({ code: 1, stdout: '' });
      expect(await totals(place)).toEqual(earlier);
      expect(await place.rows(`SELECT count(*) ${oldSql} AND outcome = 'closed'`)).not.toEqual([[0n]]);

      await place.exec(name === 'sqlite' ? 'DROP TRIGGER guard' : 'DROP TRIGGER guard ON charges');
      expect(await place.run('ledger', 'close', '--before', before, '--archive', 'books')).toMatchObject({ code: 0, stderr: '' });
      expect(await totals(place)).toEqual(earlier);
      expect(await place.rows(`SELECT count(*) ${oldSql} AND outcome <> 'closed'`)).toEqual([[0n]]);
    },
  );
});

test('rejects a closing of recent calls, held money or an unsound ledger, and into a folder with other files', async () => {
  const place = openSqlitePlace();
  const close = (...words: string[]) => place.run('ledger', 'close', '--before', before, ...words);
  await place.ledger.adjust({ accountId: 'ada', transfer: 'given', kind: 'top_up', amount: 1_000n, note: null, at: march });
  await place.ledger.reserve(order({ requestId: 'open', amount: 5n, at: march }));
  const yesterday = new Date(Date.now() - dayMs).toISOString();
  const recent = await place.run('ledger', 'close', '--before', yesterday, '--archive', 'books');
  expect(recent).toMatchObject({ code: 1, stderr: expect.stringContaining('35 days') });
  expect(await close('--archive', 'books')).toMatchObject({ code: 1, stderr: expect.stringContaining('still hold part of a balance') });
  await place.ledger.post(posting('open', 5n, march));
  await place.exec('UPDATE balances SET balance = balance - 1');
  expect(await close('--archive', 'books')).toMatchObject({ code: 1, stderr: expect.stringContaining('has differences') });
  expect(existsSync(join(place.folder, 'books'))).toBe(false);
  await place.exec('UPDATE balances SET balance = balance + 1');
  writeFileSync(join(place.folder, 'modelgate.yaml'), '{}');
  expect(await close('--archive', '.')).toMatchObject({ code: 1, stderr: expect.stringContaining('other files') });
  expect(await close('--archive', 'books')).toMatchObject({ code: 0 });
  expect(await place.run('ledger', 'close', '--before', '2026-08-01', '--archive', 'books')).toMatchObject({ code: 1 });
});

test("frees a closing's space with db compact, except while a gateway runs", async () => {
  const place = openSqlitePlace();
  await fill(place.ledger);
  expect(await place.run('ledger', 'close', '--before', before, '--archive', 'books')).toMatchObject({ code: 0 });
  const earlier = await totals(place);
  await place.exec(`INSERT INTO nodes (id, seen_at) VALUES ('node_1', ${Date.now()})`);
  expect(await place.run('db', 'compact')).toMatchObject({ code: 1, stderr: expect.stringContaining('node_1') });
  await place.exec('DELETE FROM nodes');
  const { code, stdout } = await place.run('db', 'compact', '--json');
  expect(code).toBe(0);
  const { before: large, after: small } = JSON.parse(stdout) as Record<'before' | 'after', number>;
  expect(small).toBeLessThan(large * 0.9);
  expect(await totals(place)).toEqual(earlier);
});

test('finds a damaged archive: another file, another sum, a file that is gone', async () => {
  const place = openSqlitePlace();
  await fill(place.ledger);
  expect(await place.run('ledger', 'close', '--before', before, '--archive', 'books')).toMatchObject({ code: 0 });
  const damaged = { code: 1, stdout: '', stderr: expect.stringContaining('is damaged') };
  for (const file of ['charges.csv.gz', 'entries.csv.gz', 'accounts.csv.gz', 'manifest.json']) {
    const path = join(place.folder, 'books', file);
    const whole = readFileSync(path);
    const changed = file.endsWith('.json') ? Buffer.from(whole.toString().replace('"calls": 976', '"calls": 975')) : Buffer.from(whole);
    if (!file.endsWith('.json')) changed[9] = (changed[9] ?? 0) ^ 1;
    writeFileSync(path, changed);
    expect(await place.run('ledger', 'check-archive', 'books')).toMatchObject(damaged);
    // Nothing is removed for it.
    expect(await place.run('ledger', 'close', '--before', before, '--archive', 'books')).toMatchObject(damaged);
    writeFileSync(path, whole);
  }
  expect(await place.run('ledger', 'check-archive', 'books')).toMatchObject({ code: 0 });
  expect(await place.run('ledger', 'check-archive', '.')).toMatchObject({ code: 1, stderr: expect.stringContaining('No archive') });
});

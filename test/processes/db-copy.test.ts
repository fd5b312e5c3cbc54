/** `db copy` from SQLite to PostgreSQL, and `db migrate`, on the command line. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { openPostgresLedger } from '../../server/money/postgres.ts';
import { openProgressBar } from '../../server/operate/commands/progress-bar.ts';
import { openOutbox } from '../../server/store/outbox/outbox.ts';
import { openDatabase } from '../../server/store/sqlite/database.ts';
import { modelgate, type Outcome, type Serving, serve } from '../harness/command-line.ts';
import { temporaryFolder } from '../harness/folder.ts';
import { postgresName, sharedPostgresUrl, usePostgres } from '../harness/postgres.ts';
import { postgresMissing } from '../harness/servers.ts';
import { type Filled, fillDatabase } from '../stores/store/filled.ts';

const settings = {
  upstreams: { demo: { kind: 'simulator', eventDelayMs: 0 } },
  models: [{ id: 'play', kind: 'text', prices: { input: '1', output: '4' } }],
};
/** The balance of the first account, in micro-dollars. */
const OPENING_BALANCE = 100_000_000n;
const wordsOf = (from: string, ...more: string[]) => ['db', 'copy', from, 'postgres', ...more];

/** On a slow machine a copy prints its progress every few seconds. */
const noComplaint = expect.stringMatching(/^( *\d+ % .+\n)*$/);

/** Calls the gateway with this key. */
function callerOf(gateway: Serving, key: string | undefined) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return async (body: Record<string, unknown>, more: Record<string, string> = {}) => {
    const input = { model: 'play', max_output_tokens: 50, ...body };
    const answer = await fetch(`${gateway.origin}/v1/responses`, {
      method: 'POST',
      headers: { ...headers, ...more },
      body: JSON.stringify(input),
    });
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as { readonly id: string } };
  };
}

/** Fills a database and closes it. */
async function fillAndClose(folder: string): Promise<Filled> {
  const filled = await fillDatabase(folder);
  filled.database.close();
  return filled;
}

describe.skipIf(postgresMissing !== null)(postgresName, () => {
  const server = usePostgres();
  const password = (): string => new URL(sharedPostgresUrl()).password;

  /** Runs a command, and checks that its output does not have the password of the database. */
  async function run(words: readonly string[], url: string): Promise<Outcome> {
    const outcome = await modelgate(words, { env: { DATABASE_URL: url } });
    expect(`${outcome.stdout}${outcome.stderr}`).not.toContain(password());
    return outcome;
  }

  async function connect(url: string): Promise<Client> {
    const client = new Client({ connectionString: url });
    await client.connect();
    onTestFinished(() => client.end());
    return client;
  }

  test('keeps the key, the balance, the conversation and the idempotency key working after a copy', async () => {
    const { url, postgres } = await server.fresh();
    const folder = temporaryFolder();
    const data = join(folder, 'data');
    writeFileSync(join(folder, 'modelgate.yaml'), stringify(settings));
    const before = await serve({ folder });
    const ask = callerOf(before, before.key);
    const first = await ask({ input: 'my name is Ada' }, { 'idempotency-key': 'order-1' });
    expect(first.status).toBe(200);

    const early = await run(wordsOf(data), url);
    expect(early).toMatchObject({ code: 1, stdout: '' });
    expect(early.stderr).toMatch(/^modelgate: A gateway is running on .+ \(node_\w+\)\. Stop it first/);
    expect(await before.stop()).toBe(0);

    const copied = await run(wordsOf(data), url);
    expect(copied).toMatchObject({ code: 0, stderr: noComplaint });
    const label = url.replace(`:${password()}@`, '@');
    expect(copied.stdout).toContain(`  from  ${data}\n  to    ${label}\nAll rows are equal`);
    expect(copied.stdout).toContain(
      `Start every gateway with the data folder ${data}, or set MODELGATE_PEPPER to the content of the file "pepper" there`,
    );
    // The gateway stopped in good order, so its outbox is empty.
    expect(copied.stdout).not.toContain('Charges are pending');

    const [account] = await postgres.query({ text: 'SELECT id FROM accounts' });
    const ledger = openPostgresLedger(postgres);
    const moved = await ledger.getBalance(String(account?.id));
    expect(moved?.balance).toBeLessThan(OPENING_BALANCE);

    writeFileSync(join(folder, 'modelgate.yaml'), stringify({ database: { url }, ...settings }));
    const after = await serve({ folder });
    expect(after.key).toBeUndefined();
    const askAgain = callerOf(after, before.key);
    const replayed = await askAgain({ input: 'my name is Ada' }, { 'idempotency-key': 'order-1' });
    expect(replayed.headers.get('idempotent-replayed')).toBe('true');
    expect(replayed.body).toEqual(first.body);
    expect(await ledger.getBalance(String(account?.id))).toEqual(moved);
    const next = await askAgain({ input: 'who am I?', previous_response_id: first.body.id });
    expect(next.status).toBe(200);
    expect((await ledger.getBalance(String(account?.id)))?.balance).toBeLessThan(moved?.balance ?? 0n);
    expect(await after.stop()).toBe(0);
    expect(await ledger.reconcile()).toMatchObject({ differences: [], unbalanced: [], contradictions: [] });
  });

  test('reports a different pepper, with which no gateway starts on the copy', async () => {
    const { url } = await server.fresh();
    const folder = temporaryFolder();
    await fillAndClose(folder);
    const env = { DATABASE_URL: url, MODELGATE_PEPPER: '0123456789abcdef'.repeat(4) };
    const copied = await modelgate(wordsOf(folder), { env });
    expect(copied).toMatchObject({ code: 0, stderr: noComplaint });
    expect(copied.stdout).toContain('Find the pepper that the keys were created with (the one here is different)');
    const started = await modelgate(['serve', '--port', '0', '--data', temporaryFolder()], { env });
    expect(started).toMatchObject({ code: 1, stderr: expect.stringContaining('were created with a different pepper') });
    expect(await modelgate(['account', 'list', '--data', folder], { env: { DATABASE_URL: url } })).toMatchObject({ code: 0 });
    // On a server's database, a command needs no files of its own.
    const pepper = readFileSync(join(folder, 'pepper'), 'utf8').trim();
    expect(await modelgate(['account', 'list'], { env: { DATABASE_URL: url, MODELGATE_PEPPER: pepper } })).toMatchObject({ code: 0 });
  });

  test('reports charges that wait in the outbox of the source', async () => {
    const { url } = await server.fresh();
    const folder = temporaryFolder();
    await fillAndClose(folder);
    const outbox = openOutbox({ folder });
    const metered = { input: 1, cachedInput: 0, cacheWrite: 0, output: 1, reasoning: 0, images: {} };
    await outbox.append({ requestId: 'req_1', cost: 1n, metered, isEstimated: false, outcome: 'completed', at: 1 });
    await outbox.close();
    const { stdout } = await run(wordsOf(folder), url);
    expect(stdout).toContain(`Charges are pending in settlements-0.sqlite of ${folder}. Start the first gateway with that data folder`);
  });

  test('names the account of an unsound ledger, and exits with code 1', async () => {
    const { url } = await server.fresh();
    const folder = temporaryFolder();
    const { database, accountId } = await fillDatabase(folder);
    database.connection.exec('UPDATE balances SET balance = balance + 1');
    database.close();
    const { code, stdout, stderr } = await run(wordsOf(folder, '--json'), url);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ verified: false, source: { is_consistent: false }, target: { is_consistent: false } });
    expect(stderr).toContain("modelgate: The copy is NOT verified. Don't start a gateway on postgres");
    expect(stderr).toContain(`the ledger of ${folder} has differences:`);
    expect(stderr).toMatch(new RegExp(`account:${accountId}: stored total \\d+, but its entries total \\d+`));
    expect(await run(wordsOf(folder), url)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(stderr) });
  });

  test('rejects a copy while a gateway is alive, except with --force', async () => {
    const { url } = await server.fresh();
    const folder = temporaryFolder();
    const { database } = await fillDatabase(folder);
    database.connection.prepare('INSERT INTO nodes (id, seen_at) VALUES (?, ?)').run('node_alive', Date.now());
    database.connection.prepare('INSERT INTO nodes (id, seen_at) VALUES (?, ?)').run('node_dead', Date.now() - 20_000);
    database.close();
    expect((await run(wordsOf(folder), url)).stderr).toContain('(node_alive). Stop it first');
    const forced = await run(wordsOf(folder, '--force'), url);
    expect(forced).toMatchObject({ code: 0, stderr: noComplaint });
    expect(forced.stdout).toContain('A gateway was running on the source (node_alive): its changes after');
  });

  test('migrates an empty database with db migrate, and does nothing the second time', async () => {
    const { url } = await server.fresh();
    const client = await connect(url);
    await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    const label = url.replace(`:${password()}@`, '@');
    const first = await run(['db', 'migrate'], url);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    const newest = /^.+ was migrated from schema 0 to (\d+)\.\n$/.exec(first.stdout)?.[1];
    expect(newest).toBeDefined();
    expect((await run(['db', 'migrate'], url)).stdout).toBe(`${label} is at schema ${newest}; nothing to do.\n`);
    expect(JSON.parse((await run(['db', 'migrate', '--json'], url)).stdout)).toEqual({
      database: label,
      from: Number(newest),
      to: Number(newest),
    });
  });

  test("hides the password in the error about a database that doesn't respond", async () => {
    const url = 'postgres://ada:hush-hush@127.0.0.1:1/gate';
    for (const words of [['db', 'migrate'], wordsOf(await filledFolder())]) {
      const { code, stdout, stderr } = await modelgate(words, { env: { DATABASE_URL: url } });
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain('PostgreSQL failed');
      expect(stderr).not.toContain('hush-hush');
    }
  });

  async function filledFolder(): Promise<string> {
    const folder = temporaryFolder();
    openDatabase({ folder, durability: 'relaxed' }).close();
    return folder;
  }
});

test('migrates the file of the data folder with db migrate without PostgreSQL', async () => {
  const folder = temporaryFolder();
  const words = ['db', 'migrate', '--data', join(folder, 'data')];
  expect((await modelgate(words)).stdout).toMatch(/data was migrated from schema 0 to \d+\.\n$/);
  expect(await modelgate(words)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/data is at schema \d+; nothing to do\.\n$/),
  });
});

test.each([
  ['a mistyped scheme', 'postgre://ada:hush-hush@127.0.0.1/gate'],
  ['no scheme at all', 'ada:hush-hush@127.0.0.1/gate'],
  ['another database', 'mysql://ada:hush-hush@127.0.0.1/gate'],
  ['half a host', 'postgres://ada:hush-hush@[/gate'],
])("rejects a URL with %s, and doesn't repeat its password", async (_title, place) => {
  const folder = temporaryFolder();
  openDatabase({ folder, durability: 'relaxed' }).close();
  const { code, stdout, stderr } = await modelgate(['db', 'copy', folder, place]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain('postgres://');
  expect(stderr).not.toContain('hush');
});

test('rejects a copy from a folder without a database', async () => {
  const { code, stderr } = await modelgate(['db', 'copy', './nothing', './new']);
  expect(code).toBe(1);
  expect(stderr).toMatch(/No database found in .+nothing\. Specify the gateway's data folder/);
});

describe('progress', () => {
  const progress = { phase: 'copied', table: 'charges', done: 2_500, total: 10_000 } as const;

  function show(isTTY: boolean, times: readonly number[]): string {
    let written = '';
    const now = times.values();
    const screen = { isTTY, columns: 40, write: (text: string) => (written += text) };
    const bar = openProgressBar(screen, () => now.next().value ?? 0);
    bar.show(progress);
    bar.end();
    return written;
  }

  test('shows a bar on one line on a terminal, as wide as the terminal', () => {
    expect(show(true, [0, 0])).toBe('\r\x1b[K[######..................]  25 % copied\r\x1b[K');
  });

  test('writes a plain line every three seconds in a log', () => {
    expect(show(false, [0, 3_000, 3_000])).toBe(' 25 % copied, 2,500 of 10,000 rows (charges)\n');
    expect(show(false, [0, 2_999])).toBe('');
  });
});

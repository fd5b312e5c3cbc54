/** `db copy` is killed in the middle: no command works on the half copy, and the next run resumes it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Client } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { modelgate } from '../harness/command-line.ts';
import { temporaryFolder } from '../harness/folder.ts';
import { postgresName, usePostgres } from '../harness/postgres.ts';
import { postgresMissing } from '../harness/servers.ts';
import { fillDatabase } from '../stores/store/filled.ts';

const cli = join(import.meta.dirname, '../../server/operate/cli.ts');
const wordsOf = (folder: string) => ['db', 'copy', folder, 'postgres'];

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

describe.skipIf(postgresMissing !== null)(postgresName, () => {
  const server = usePostgres();

  test('rejects other commands on a copy that was killed midway, and completes it in a second run', async () => {
    const { url } = await server.fresh();
    const run = (...words: string[]) => modelgate(words, { env: { DATABASE_URL: url } });
    const folder = temporaryFolder();
    (await fillDatabase(folder)).database.close();
    const other = await connect(url);
    // Blocks the second batch of entries: it waits for this row, which is never committed.
    await other.query('BEGIN');
    await other.query(`INSERT INTO entries (id, transfer, kind, book, amount, created_at) VALUES (1500, 'x', 'x', 'x', 0, 0)`);
    const killed = spawn(process.execPath, [cli, ...wordsOf(folder)], { env: { DATABASE_URL: url }, stdio: 'ignore' });
    const watcher = await connect(url);
    const waiting = `SELECT count(*)::INT AS count FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'INSERT INTO entries%'`;
    await expect.poll(async () => (await watcher.query(waiting)).rows[0]?.count, { timeout: 20_000, interval: 50 }).toBe(1);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    await other.query('ROLLBACK');
    const done = async (table: string) => (await watcher.query(`SELECT count(*)::INT AS count FROM ${table}`)).rows[0]?.count;
    // The statement of the killed process may still be running; it is never committed.
    await expect.poll(() => watcher.query(waiting).then(({ rows }) => rows[0]?.count), { timeout: 20_000 }).toBe(0);
    expect(await done('entries')).toBe(1_000);
    expect(await done('audit')).toBe(0);
    // No command works on the half copy.
    const early = await run('serve', '--port', '0', '--data', temporaryFolder());
    expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining('an unfinished copy') });
    const changed = await run('account', 'list');
    expect(changed).toMatchObject({ code: 1, stderr: expect.stringContaining('an unfinished copy') });

    const { code, stdout, stderr } = await run(...wordsOf(folder), '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ verified: true, resumed: true, source: { is_consistent: true, accounts: 2 } });
    expect(report.target).toEqual(report.source);
    for (const table of report.tables) expect(table).toMatchObject({ equal: true, target_rows: table.source_rows });
    // The notes of the copy are removed.
    expect((await watcher.query(`SELECT to_regclass('copy_progress') AS notes`)).rows).toEqual([{ notes: null }]);
    expect((await run(...wordsOf(folder))).stderr).toContain('already holds other data (accounts, balances,');
  });
});

/** A gateway whose connections to PostgreSQL go through PgBouncer, as docs/guides/deploying.md has it: calls, money and deadlines in each of its ways to share (F52, promises G1 and G2). */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { deadlinesFor, HungError, STANDARD_TIMEOUT_MS } from '../../server/storage/postgres/deadline.ts';
import { openPostgres, type Postgres } from '../../server/storage/postgres/pool.ts';
import { freePort } from '../harness/free-port.ts';
import { startGateway } from '../harness/gateway.ts';
import { guardOf } from '../harness/server-process.ts';
import { type PrivateServer, postgresMissing, startPostgres } from '../harness/servers.ts';

/** The last one is what PgBouncer does before 1.21, and where nobody asks a newer one to keep statements. */
type Pooling = 'session' | 'transaction' | 'transaction, without prepared statements';

/** What the guide has an operator say to PostgreSQL. */
const guide = readFileSync(new URL('../../docs/guides/deploying.md', import.meta.url), 'utf8');
const roleSettings = /```sql\n(ALTER ROLE[^`]+)```/.exec(guide)?.[1] ?? '';

const { lockMs, statementMs, workMs } = deadlinesFor(STANDARD_TIMEOUT_MS);

/** What it has them say to PgBouncer when it pools by transaction, and what is tried here. */
const guideFile = /```ini\n([^`]+)```/.exec(guide)?.[1] ?? '';
const authType = 'auth_type = scram-sha-256';
const keepsPrepared = 'max_prepared_statements = 200';

function versionOf(program: string): number | null {
  try {
    const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' })) ?? [];
    return Number(major) * 1_000 + Number(minor);
  } catch {
    return null;
  }
}

/** Debian keeps it where not everybody looks. */
const program = ['pgbouncer', '/usr/sbin/pgbouncer'].find((name) => versionOf(name) !== null);
const version = versionOf(program ?? 'pgbouncer');
const missing = postgresMissing ?? (program === undefined ? 'PgBouncer is not installed here: pgbouncer not found on the path.' : null);
const canKeepPrepared = version !== null && version >= 1_021;
const poolings: readonly Pooling[] = [
  'session',
  ...(canKeepPrepared ? ['transaction' as const] : []),
  'transaction, without prepared statements',
];

test('F52: the guide gives the role the deadlines that a gateway sets itself', () => {
  expect(roleSettings).toContain(`SET statement_timeout = '${statementMs}ms'`);
  expect(roleSettings).toContain(`SET lock_timeout = '${lockMs}ms'`);
  expect(roleSettings).toContain(`SET idle_in_transaction_session_timeout = '${workMs / 1_000}s'`);
});

test('the guide has PgBouncer pool as it is tried here', () => {
  for (const line of ['pool_mode = transaction', authType, keepsPrepared]) expect(guideFile.split('\n')).toContain(line);
});

describe.each(poolings)('PgBouncer, pool_mode = %s', (pooling) => {
  describe.skipIf(missing !== null)(missing === null ? 'before PostgreSQL' : `LEFT OUT: ${missing}`, () => {
    let server: PrivateServer;
    let bouncer: Bouncer;
    beforeAll(async () => {
      server = await startPostgres();
      // What nobody should have to fear, whoever set it.
      await command(server.url, "ALTER DATABASE postgres SET default_transaction_isolation = 'serializable'");
      if (pooling !== 'session') await command(server.url, roleSettings);
      bouncer = await startBouncer(server.url, pooling);
    });
    afterAll(async () => {
      await bouncer?.close();
      await server?.close();
    });
    const open = (): Postgres => {
      const postgres = openPostgres({ url: bouncer.url });
      onTestFinished(() => postgres.close());
      return postgres;
    };
    /** All its connections are there; and when it pools by transaction, other clients have what they were on. */
    const openAmongOthers = async (): Promise<Postgres> => {
      const postgres = open();
      await Promise.all(Array.from({ length: 10 }, () => postgres.query({ text: 'SELECT 1' })));
      await Promise.all(Array.from({ length: 20 }, () => holdOne(bouncer.url)));
      return postgres;
    };

    test('a gateway makes its tables, answers many callers at once and charges each of them once', async () => {
      const gateway = await startGateway({ database: { url: bouncer.url } });
      onTestFinished(() => gateway.close());
      const ask = (key: string) =>
        gateway.call('/chat/completions', {
          json: { model: 'gpt-5.4', messages: [{ role: 'user', content: 'Say hello.' }] },
          headers: { 'idempotency-key': key },
        });
      const keys = Array.from({ length: 20 }, (_, index) => `call-${index}`);
      // One before the others: a busy machine takes its time over the first calls of a process.
      const first = [await ask('first'), ...(await Promise.all(keys.map(ask)))];
      expect(first.map(({ status }) => status)).toEqual(first.map(() => 200));
      const again = await Promise.all(keys.map(ask));
      expect(again.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual(again.map(() => 'true'));
      const ledger = gateway.gateway.money?.ledger ?? expect.fail('no ledger');
      const charges = await Promise.all(first.map(({ headers }) => ledger.findCharge(String(headers.get('x-request-id')))));
      expect(charges.map((charge) => charge?.state)).toEqual(charges.map(() => 'posted'));
      expect(await open().query({ text: 'SELECT count(*) AS count FROM charges' })).toEqual([{ count: 21n }]);
      expect(await ledger.reconcile()).toMatchObject({ differences: [] });
    });

    test('F52: a statement has its deadlines, and sees what the one before it left, on whichever connection it comes', async () => {
      const postgres = await openAmongOthers();
      const names = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_isolation', 'jit'];
      const asked = { text: `SELECT ${names.map((name) => `current_setting('${name}') AS ${name}`).join(', ')}` };
      const found = await Promise.all(Array.from({ length: 8 }, () => postgres.query(asked)));
      const ours = {
        statement_timeout: `${statementMs}ms`,
        lock_timeout: `${lockMs}ms`,
        idle_in_transaction_session_timeout: `${workMs / 1_000}s`,
        transaction_isolation: 'read committed',
        jit: 'off',
      };
      expect(found).toEqual(found.map(() => [ours]));
      const inTransaction = await postgres.transaction('write', (queries) => queries.query(asked));
      expect(inTransaction).toMatchObject([{ transaction_isolation: 'read committed' }]);
    });

    test('C16: a server that hangs behind PgBouncer, which goes on greeting callers, is found to hang until it answers', async () => {
      const postgres = openPostgres({ url: bouncer.url, timeoutMs: 1_000 });
      onTestFinished(() => postgres.close());
      const ask = () => postgres.query({ text: 'SELECT 1 AS one' });
      const budget = { timeout: 30_000, interval: 50 };
      await expect.poll(() => ask().catch(String), budget).toEqual([{ one: 1 }]);
      server.pause();
      onTestFinished(() => server.resume());
      await expect.poll(() => ask().catch((error: unknown) => error), budget).toBeInstanceOf(HungError);
      server.resume();
      await expect.poll(() => ask().catch(String), budget).toEqual([{ one: 1 }]);
    });

    test('F52: nobody is given what another version of the gateway prepared under the same name', async () => {
      const versions = [open(), open()] as const;
      const ask = (version: 0 | 1) => versions[version].query({ name: 'same_name', text: `SELECT ${version} AS version` });
      expect(await ask(0)).toEqual([{ version: 0 }]);
      // The next ones go over other connections to PostgreSQL, where the pooler has a say in it.
      await holdOne(bouncer.url);
      expect(await ask(1)).toEqual([{ version: 1 }]);
      expect(await ask(0)).toEqual([{ version: 0 }]);
    });
  });
});

interface Bouncer {
  readonly url: string;
  close(): Promise<void>;
}

async function startBouncer(server: string, pooling: Pooling): Promise<Bouncer> {
  const folder = mkdtempSync(join(tmpdir(), 'modelgate-pgbouncer-'));
  const at = new URL(server);
  const target = at.port;
  at.port = String(await freePort());
  const root = process.getuid?.() === 0;
  const lines = [
    '[databases]',
    `* = host=127.0.0.1 port=${target}`,
    '[pgbouncer]',
    `listen_addr = 127.0.0.1\nlisten_port = ${at.port}\nunix_socket_dir =`,
    `${authType}\nauth_file = ${join(folder, 'users.txt')}`,
    `pool_mode = ${pooling.split(',')[0]}\ndefault_pool_size = 40\nmax_client_conn = 200`,
    ...(canKeepPrepared && pooling !== 'session' ? [pooling === 'transaction' ? keepsPrepared : 'max_prepared_statements = 0'] : []),
    // It refuses to be root, and changes by itself.
    ...(root ? ['user = nobody'] : []),
  ];
  writeFileSync(join(folder, 'pgbouncer.ini'), `${lines.join('\n')}\n`);
  writeFileSync(join(folder, 'users.txt'), `"${at.username}" "${at.password}"\n`);
  if (root) chmodSync(folder, 0o755);
  const child = spawn(program ?? 'pgbouncer', [join(folder, 'pgbouncer.ini')], { detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
  const guard = guardOf(child.pid ?? expect.fail('pgbouncer did not start'), folder);
  let said = '';
  child.stderr.on('data', (piece: Buffer) => {
    said += piece.toString();
  });
  const signal = AbortSignal.timeout(60_000);
  while (!said.includes('process up'))
    await once(child.stderr, 'data', { signal }).catch(() => expect.fail(`pgbouncer did not start: ${said}`));
  return {
    url: at.href,
    async close() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      guard.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A client in the middle of a transaction until the test is over: nobody else gets its connection to PostgreSQL. */
async function holdOne(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('BEGIN');
}

async function command(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

/** A gateway whose connections to PostgreSQL go through PgBouncer (docs/guides/deploying.md): calls, charges and deadlines in each pool mode (F52, promises G1 and G2). */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createDeadlines, DEFAULT_TIMEOUT_MS } from '../../server/store/postgres/deadlines.ts';
import { openPostgres, type Postgres } from '../../server/store/postgres/postgres.ts';
import { freePort } from '../harness/free-port.ts';
import { startGateway } from '../harness/gateway.ts';
import { guardOf } from '../harness/server-process.ts';
import { type PrivateServer, postgresMissing, startPostgres } from '../harness/servers.ts';

/** The last one is PgBouncer before 1.21, or without `max_prepared_statements`. */
type Pooling = 'session' | 'transaction' | 'transaction, without prepared statements';

/** The statements that the guide has an operator run on PostgreSQL. */
const guide = readFileSync(new URL('../../docs/guides/deploying.md', import.meta.url), 'utf8');
const roleSettings = /```sql\n(ALTER ROLE[^`]+)```/.exec(guide)?.[1] ?? '';

const { lockMs, statementMs, workMs } = createDeadlines(DEFAULT_TIMEOUT_MS);

/** The settings of PgBouncer in the guide, and those of these tests. */
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

/** On Debian it may not be on the path. */
const program = ['pgbouncer', '/usr/sbin/pgbouncer'].find((name) => versionOf(name) !== null);
const version = versionOf(program ?? 'pgbouncer');
const missing = postgresMissing ?? (program === undefined ? 'PgBouncer is not installed here: pgbouncer not found on the path.' : null);
const canKeepPrepared = version !== null && version >= 1_021;
const poolings: readonly Pooling[] = [
  'session',
  ...(canKeepPrepared ? ['transaction' as const] : []),
  'transaction, without prepared statements',
];

test('F52: finds the same role deadlines in the guide as a gateway sets itself', () => {
  expect(roleSettings).toContain(`SET statement_timeout = '${statementMs}ms'`);
  expect(roleSettings).toContain(`SET lock_timeout = '${lockMs}ms'`);
  expect(roleSettings).toContain(`SET idle_in_transaction_session_timeout = '${workMs / 1_000}s'`);
});

test('finds the pool mode and the settings of these tests in the guide', () => {
  for (const line of ['pool_mode = transaction', authType, keepsPrepared]) expect(guideFile.split('\n')).toContain(line);
});

describe.each(poolings)('PgBouncer, pool_mode = %s', (pooling) => {
  describe.skipIf(missing !== null)(missing === null ? 'before PostgreSQL' : `LEFT OUT: ${missing}`, () => {
    let server: PrivateServer;
    let bouncer: Bouncer;
    beforeAll(async () => {
      server = await startPostgres();
      // The gateway must set its own isolation level, whatever the default is.
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
    /** Opens all connections, and lets other clients take the ones to PostgreSQL that these were on. */
    const openAmongOthers = async (): Promise<Postgres> => {
      const postgres = open();
      await Promise.all(Array.from({ length: 10 }, () => postgres.query({ text: 'SELECT 1' })));
      await Promise.all(Array.from({ length: 20 }, () => holdOne(bouncer.url)));
      return postgres;
    };

    test('lets a gateway create its tables, and serve 20 concurrent calls with one charge each', async () => {
      const gateway = await startGateway({ database: { url: bouncer.url } });
      onTestFinished(() => gateway.close());
      const ask = (key: string) =>
        gateway.call('/chat/completions', {
          json: { model: 'gpt-5.4', messages: [{ role: 'user', content: 'Say hello.' }] },
          headers: { 'idempotency-key': key },
        });
      const keys = Array.from({ length: 20 }, (_, index) => `call-${index}`);
      // One call before the others: on a busy machine the first one of a process takes long.
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

    test('F52: statements have the deadlines and the isolation level of the gateway on each connection', async () => {
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

    test('F52: returns two gateway versions their own results for different prepared statements of one name', async () => {
      const versions = [open(), open()] as const;
      const ask = (version: 0 | 1) => versions[version].query({ name: 'same_name', text: `SELECT ${version} AS version` });
      expect(await ask(0)).toEqual([{ version: 0 }]);
      // If PgBouncer shares connections, the next statements go over others.
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
    // It refuses to run as root, and changes its user itself.
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

/** Keeps a transaction open until the test is over, so that no other client gets its connection to PostgreSQL. */
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

/** `modelgate doctor`: its findings about a healthy gateway and about each broken part, without cost, without changes and without secrets. */
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { type Fake, openFake, refusedUrl } from '../fakes/upstream.ts';
import { modelgate, serve } from '../harness/command-line.ts';
import { temporaryFolder } from '../harness/folder.ts';
import { setUp } from '../harness/gateway-process.ts';
import { emptyPostgres } from '../harness/postgres.ts';
import { nextRedis } from '../harness/redis.ts';
import { postgresMissing, redisMissing } from '../harness/servers.ts';
import { leftOut } from '../harness/tools.ts';
import { diagnose, expectFault, free } from './doctor-stage.ts';

const secret = 'sk-vendor-secret';

async function openVendor(): Promise<Fake> {
  const fake = await openFake({ apiKey: secret });
  onTestFinished(() => fake.close());
  return fake;
}
const behind = (baseUrl: string, apiKey = secret) => ({ upstreams: { vendor: { kind: 'openai', baseUrl, apiKey } } });
const made = async (): Promise<string> => {
  const folder = temporaryFolder();
  await setUp({ settings: {}, data: join(folder, 'data') });
  return folder;
};

describe('a healthy gateway', () => {
  test('lists each part with its time, sends each provider one request for its models, and leaves the data unchanged', async () => {
    const vendor = await openVendor();
    const folder = await made();
    const before = readdirSync(join(folder, 'data')).sort();
    const { code, parts, text } = await diagnose({ folder, settings: behind(vendor.url) });
    expect(Object.entries(parts).map(([part, { state }]) => `${part} ${state}`)).toEqual([
      ...['configuration ok', 'data folder ok', 'pepper ok', 'database ok', 'redis skipped'],
      ...[
        'upstream vendor ok',
        'public models ok',
        'model rules ok',
        'clock ok',
        expect.stringMatching(/^open files (ok|warning)$/),
        'port ok',
      ],
    ]);
    expect(code).toBe(0);
    expect(parts.database?.detail).toMatch(/^SQLite, schema \d+, write and rollback \d/);
    expect(parts['data folder']?.detail).toMatch(/fsync \d/);
    expect(parts['upstream vendor']?.detail).toMatch(/^127\.0\.0\.1:\d+: DNS \d.* TCP \d/);
    expect(parts['upstream vendor']?.detail).toMatch(/models 200 in \d/);
    expect(vendor.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /v1/models']);
    expect(text).not.toContain(secret);
    expect(readdirSync(join(folder, 'data')).sort()).toEqual(before);
  });

  test('finds a running gateway on the port of --port, and prints a table without --json', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'modelgate.yaml'), stringify(free));
    const served = await serve({ folder });
    const words = ['--port', new URL(served.origin).port];
    expect((await diagnose({ folder, words })).parts.port).toMatchObject({
      state: 'ok',
      detail: expect.stringMatching(/^a gateway responds at \S+ in \d/),
    });
    const { stdout, code } = await modelgate(['doctor'], { folder });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^PART +STATE +TOOK +FOUND\nconfiguration +ok +[\d.]+ ms +/);
    expect(stdout).toMatch(/\n(No problems found|1 warning)\.\n$/);
    expect(await served.stop()).toBe(0);
  });
});

describe('broken parts', () => {
  test('reports each mistake in a configuration with its line and column', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'modelgate.yaml'), 'server: { prot: 1 }\nlog: { level: loud }\n');
    const { code, stdout } = await modelgate(['doctor'], { folder });
    expect(code).toBe(1);
    expect(stdout).toMatch(/configuration +FAULT +\d+ ms +modelgate\.yaml:1:11: server\.prot isn't a known key\n/);
    expect(stdout).toMatch(/FAULT configuration: Did you mean port\?\n/);
    expect(stdout).toMatch(/2 parts are at fault\.\n$/);
  });

  test('reports a data folder that is a file', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'data'), '');
    const { parts } = await diagnose({ folder });
    expect(parts['data folder']).toMatchObject({ state: 'fault', detail: expect.stringContaining("isn't a folder") });
  });

  test('reports a data folder whose parent is a file', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    const { detail } = await expectFault('data folder', { folder, settings: { data: './file/data' } });
    expect(detail).toContain("can't create it");
  });

  test("reports a database whose copy isn't finished", async () => {
    const folder = await made();
    const database = new DatabaseSync(join(folder, 'data', 'modelgate.sqlite'));
    database.exec('CREATE TABLE copy_progress (name TEXT PRIMARY KEY, value TEXT NOT NULL)');
    database.close();
    const { detail } = await expectFault('database', { folder });
    expect(detail).toContain('an unfinished copy');
    const { code, stderr } = await modelgate(['serve', '--port', '0'], { folder });
    expect([code, stderr]).toEqual([1, expect.stringContaining('modelgate db copy')]);
  });

  test('reports a data folder that others can read as a warning, with the command that fixes it', async () => {
    const folder = await made();
    chmodSync(join(folder, 'data', 'pepper'), 0o644);
    const { code, parts } = await diagnose({ folder });
    expect(code).toBe(0);
    expect((await modelgate(['doctor'], { folder })).stdout).toMatch(/\n\d warnings?\.\n$/);
    expect(parts['data folder']).toMatchObject({
      state: 'warning',
      hint: expect.stringMatching(/^Remove that permission: chmod go-rwx '.*\/pepper'$/),
    });
  });

  test("reports a database of a newer version, and a file that isn't a database", async () => {
    const folder = await made();
    const file = join(folder, 'data', 'modelgate.sqlite');
    const connection = new DatabaseSync(file);
    connection.exec("INSERT INTO migrations (version, name, applied_at) VALUES (999, 'later', 0)");
    connection.close();
    expect((await expectFault('database', { folder })).detail).toContain('schema 999');
    for (const ending of ['', '-wal', '-shm']) rmSync(`${file}${ending}`, { force: true });
    writeFileSync(file, randomBytes(8192), { mode: 0o600 });
    expect((await expectFault('database', { folder })).detail).toContain('not a database');
  });

  test('reports a database without its pepper, and with another one', async () => {
    const folder = await made();
    rmSync(join(folder, 'data', 'pepper'));
    await expectFault('pepper', { folder });
    const other = { MODELGATE_PEPPER: randomBytes(32).toString('hex') };
    const told = await expectFault('pepper', { folder, env: other });
    expect(told.detail).toBe('from MODELGATE_PEPPER, but the keys in the database were created with a different one');
    expect(`${told.detail}${told.hint}`).not.toContain(other.MODELGATE_PEPPER);
  });

  test.skipIf(postgresMissing !== null)(
    `reports a pepper other than that of the keys in PostgreSQL, with which other commands fail too${leftOut(postgresMissing)}`,
    async () => {
      const pepper = randomBytes(32).toString('hex');
      const folder = temporaryFolder();
      const env = { DATABASE_URL: await emptyPostgres(), MODELGATE_PEPPER: pepper };
      expect(await modelgate(['key', 'create', '--name', 'first'], { folder, env })).toMatchObject({ code: 0 });
      const { parts } = await diagnose({ folder, env });
      expect(parts.pepper).toMatchObject({ state: 'ok' });
      const wrong = { ...env, MODELGATE_PEPPER: randomBytes(32).toString('hex') };
      await expectFault('pepper', { folder, env: wrong });
      for (const words of [
        ['serve', '--port', '0'],
        ['key', 'create', '--name', 'second'],
        ['account', 'list'],
      ]) {
        const { code, stdout, stderr } = await modelgate(words, { folder, env: wrong });
        expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
        expect(stderr).toMatch(/^modelgate: The keys in this database were created with a different pepper, .*Set MODELGATE_PEPPER/);
      }
    },
  );

  test('reports an upstream that rejects connections, has no name, or speaks no TLS', async () => {
    const vendor = await openVendor();
    const part = 'upstream vendor';
    expect((await expectFault(part, { settings: behind(await refusedUrl()) })).detail).toContain('ECONNREFUSED');
    expect((await expectFault(part, { settings: behind('http://nowhere.invalid/v1') })).detail).toContain("the name can't be resolved");
    expect((await expectFault(part, { settings: behind(vendor.url.replace('http:', 'https:')) })).detail).toContain('TLS failed');
  });

  test('reports an upstream that redirects or closes the connection, with the reason', async () => {
    const vendor = createServer((request, response) => {
      if (request.url?.startsWith('/moved') === true) response.writeHead(302, { location: '/' }).end();
      else response.destroy();
    });
    await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void vendor.close());
    // A server that listens on a port has an address with one.
    const { port } = vendor.address() as AddressInfo;
    for (const [path, reason] of [
      ['moved', 'redirect'],
      ['cut', 'other side closed'],
    ] as const) {
      const { detail } = await expectFault('upstream vendor', {
        settings: behind(`http://127.0.0.1:${port}/${path}`),
      });
      expect(detail).toContain(reason);
    }
  });

  test('reports an upstream that rejects the key, without showing the key', async () => {
    const vendor = await openVendor();
    const order = { settings: behind(vendor.url, 'sk-of-somebody-else') };
    expect((await expectFault('upstream vendor', order)).detail).toMatch(/models 401 in .*: the key was rejected/);
    expect((await diagnose(order)).text).not.toContain('sk-of-somebody-else');
    const { apiKey: _, ...keyless } = order.settings.upstreams.vendor;
    const several = { upstreams: { vendor: { ...keyless, apiKeys: [secret, 'sk-of-somebody-else'] } } };
    expect((await expectFault('upstream vendor', { ...order, settings: several })).detail).toContain('(apiKeys[1])');
  });

  test('C10: reports an upstream whose base URL lacks /v1, and one without a model list as not tested', async () => {
    const vendor = createServer(({ url }, response) => response.writeHead(url === '/v1/models' ? 200 : 404).end('{}')).listen(
      0,
      '127.0.0.1',
    );
    onTestFinished(() => void vendor.close());
    await new Promise((listening) => vendor.once('listening', listening));
    // A listening TCP server has an address with a port.
    const { port } = vendor.address() as AddressInfo;
    const lacking = { settings: behind(`http://127.0.0.1:${port}`) };
    expect(await expectFault('upstream vendor', lacking)).toMatchObject({
      detail: expect.stringContaining('it responds with /v1'),
      hint: "Add /v1 to the end of this upstream's baseUrl.",
    });
    const unlisted = await diagnose({ settings: behind(`http://127.0.0.1:${port}/no-list/v1`) });
    expect(unlisted.text).toContain('no model list, not tested with its key: modelgate upstream test');
  });

  test('reports a port that another program uses', async () => {
    const other = createServer((_, response) => response.end('hello')).listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await new Promise((listening) => other.once('listening', listening));
    // A listening TCP server has an address with a port.
    const { port } = other.address() as AddressInfo;
    expect((await expectFault('port', { settings: { server: { port } } })).detail).toContain('is in use by another program');
  });

  test('reports PostgreSQL and Redis that reject connections, without showing their passwords', async () => {
    const port = new URL(await refusedUrl()).port;
    const env = { DATABASE_URL: `postgres://me:hidden-word@127.0.0.1:${port}/x`, MODELGATE_PEPPER: randomBytes(32).toString('hex') };
    expect((await expectFault('database', { env })).detail).toContain('ECONNREFUSED');
    const redis = { REDIS_URL: `redis://:hidden-word@127.0.0.1:${port}` };
    expect((await expectFault('redis', { env: redis })).detail).toContain('ECONNREFUSED');
    expect((await diagnose({ env: { ...env, ...redis } })).text).not.toContain('hidden-word');
  });
});

const missing = [postgresMissing, redisMissing].filter((reason) => reason !== null);
describe.skipIf(missing.length > 0)(`shared stores${missing.map((reason) => `, LEFT OUT: ${reason}`).join('')}`, () => {
  test('reports ok, with the times of a connection, a commit and a script', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'data'), { mode: 0o700 });
    const env = { DATABASE_URL: await emptyPostgres(), REDIS_URL: await nextRedis(), MODELGATE_PEPPER: randomBytes(32).toString('hex') };
    expect((await modelgate(['db', 'migrate'], { folder, env })).code).toBe(0);
    let told = await diagnose({ folder, env });
    // A busy machine may slow the stores down for a while.
    while ([told.parts.database, told.parts.redis].some((part) => part?.state === 'warning')) told = await diagnose({ folder, env });
    const { code, parts, text } = told;
    expect([code, parts.database?.state, parts.redis?.state]).toEqual([0, 'ok', 'ok']);
    expect(parts.database?.detail).toMatch(/^PostgreSQL, connected in .*, responds in .*, schema \d+, commit \d/);
    expect(parts.redis?.detail).toMatch(/^connected in .*, script run in \d/);
    expect(text).not.toContain(new URL(env.DATABASE_URL).password);
    expect(text).not.toContain(new URL(env.REDIS_URL).password);
  });
});

/** `db backup` of a running gateway and `db restore`: with every charge, key and balance, or not at all. */
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { openOutbox } from '../../server/store/outbox/outbox.ts';
import { modelgate, type Serving, serve } from '../harness/command-line.ts';
import { temporaryFolder } from '../harness/folder.ts';
import { calm } from '../harness/one-attempt.ts';

const settings = {
  server: calm,
  upstreams: { demo: { kind: 'simulator', eventDelayMs: 0 } },
  models: [{ id: 'play', kind: 'text', prices: { input: '1', output: '4' } }],
};

/** A working directory with a configuration, and the commands in it. */
function openPlace() {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'modelgate.yaml'), stringify(settings));
  const run = (...words: string[]) => modelgate(words, { folder });
  return {
    folder,
    data: join(folder, 'data'),
    run,
    start: () => serve({ folder }),
    async json(...words: string[]) {
      const { code, stdout, stderr } = await run(...words, '--json');
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      return JSON.parse(stdout);
    },
  };
}

async function call({ origin }: Serving, key = '', text = 'Hi'): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ model: 'play', input: text, max_output_tokens: 50 });
  const answer = await fetch(`${origin}/v1/responses`, { method: 'POST', headers, body });
  await answer.text();
  return answer.status;
}

const calls = 30;

test('C1: backs up all 30 calls of a running gateway, and its copy has the same key and balance', async () => {
  const old = openPlace();
  const gateway = await old.start();
  for (let n = 0; n < calls; n++) expect(await call(gateway, gateway.key)).toBe(200);
  // The calls are still in the write-ahead log.
  const log = statSync(join(old.data, 'modelgate.sqlite-wal')).size;
  expect(log).toBeGreaterThan(0);
  const backup = join(old.folder, 'backups/first');
  const { code, stdout, stderr } = await old.run('db', 'backup', 'backups/first');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(
    /\nAccounts: +1\nKeys: +1\nCharges: +30\nResponses: +30\nWaiting charges: +0\nBooks: +consistent, reconciled now\n/,
  );
  expect(readdirSync(backup).sort()).toEqual(['modelgate.sqlite', 'pepper']);
  if (process.platform !== 'win32') for (const name of readdirSync(backup)) expect(statSync(join(backup, name)).mode & 0o077).toBe(0);
  const [balance, usage] = [await old.json('account', 'show', 'default'), await old.json('usage', 'charges', 'default')];
  expect(usage.data).toHaveLength(calls);
  expect(await gateway.stop()).toBe(0);

  const anew = openPlace();
  const restored = await anew.run('db', 'restore', backup);
  expect(restored).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringMatching(/\nCharges: +30\n(?:.*\n)*Start the gateway: modelgate serve\n$/),
  });
  // What was spent in 30 days is counted from the request log, whose last rows the gateway writes after the ledger.
  expect(await anew.json('account', 'show', 'default')).toEqual({ ...balance, charged_30d: expect.any(String) });
  expect(await anew.json('usage', 'charges', 'default')).toEqual(usage);
  const again = await anew.start();
  expect(again.key).toBeUndefined();
  expect(await call(again, gateway.key)).toBe(200);
  expect(await again.stop()).toBe(0);
  expect((await anew.run('ledger', 'reconcile')).stdout).toContain('The ledger is consistent.');
});

test('C1: backs up a sound ledger during calls, with every call completed before it', async () => {
  const place = openPlace();
  const gateway = await place.start();
  let answered = 0;
  const more = Array.from({ length: 4 }, async () => {
    for (let n = 0; n < 15; n++) if ((await call(gateway, gateway.key, 'x'.repeat(5_000))) === 200) answered++;
  });
  for (let n = 0; n < 5; n++) {
    await call(gateway, gateway.key);
    const before = ++answered;
    const { charges, is_consistent: isConsistent } = await place.json('db', 'backup', `backups/${n}`);
    expect(isConsistent).toBe(true);
    expect(charges).toBeGreaterThanOrEqual(before);
  }
  await Promise.all(more);
  expect(await gateway.stop()).toBe(0);
});

test('C1: settlements in the outbox are in the backup and in the restored outbox', async () => {
  const [old, anew] = [openPlace(), openPlace()];
  await old.run('account', 'create', 'acme');
  const outbox = openOutbox({ folder: old.data });
  await outbox.append({ kind: 'post', requestId: 'req_1', cost: 5n });
  expect(await old.json('db', 'backup', 'b')).toMatchObject({ settlements: 1, accounts: 1, is_consistent: true });
  await outbox.close();
  expect(await anew.json('db', 'restore', join(old.folder, 'b'))).toMatchObject({
    settlements: 1,
    accounts: 1,
    is_consistent: true,
    aside: null,
  });
  const waiting = openOutbox({ folder: anew.data });
  const found: unknown[] = [];
  await waiting.replay(async (record) => void found.push(record));
  await waiting.close();
  expect(found).toEqual([{ kind: 'post', requestId: 'req_1', cost: 5n }]);
});

test('C1: rejects a restore under a running gateway and over data, and moves the old data aside with --force', async () => {
  const place = openPlace();
  const gateway = await place.start();
  expect(await call(gateway, gateway.key)).toBe(200);
  await place.json('db', 'backup', 'b');
  for (const force of [[], ['--force']]) {
    const rejected = await place.run('db', 'restore', 'b', ...force);
    expect(rejected).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/A gateway is running on \S+data \(node_\w+\)\. Stop it first/),
    });
  }
  expect(await call(gateway, gateway.key)).toBe(200);
  expect(await gateway.stop()).toBe(0);
  expect(await place.run('db', 'restore', 'b')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('already contains data: modelgate.sqlite, pepper, settlements-0.sqlite. With --force'),
  });
  const { aside } = await place.json('db', 'restore', 'b', '--force');
  expect(readdirSync(aside)).toEqual(expect.arrayContaining(['modelgate.sqlite', 'pepper']));
  expect((await place.json('usage', 'charges', 'default')).data).toHaveLength(1);
  expect((await place.json('usage', 'charges', 'default', '--data', aside)).data).toHaveLength(2);
});

test('C1: rejects a backup that is damaged, missing or has another pepper, and leaves the data folder empty', async () => {
  const [old, anew] = [openPlace(), openPlace()];
  await old.run('key', 'create');
  await old.json('db', 'backup', 'b');
  const backup = join(old.folder, 'b');
  const restore = () => anew.run('db', 'restore', backup);
  expect(await old.run('db', 'backup', 'b')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("isn't empty. Specify a new folder"),
  });
  expect(await anew.run('db', 'restore', 'none')).toMatchObject({ code: 1, stderr: expect.stringContaining('No backup found in') });

  const pepper = readFileSync(join(backup, 'pepper'));
  writeFileSync(join(backup, 'pepper'), 'ab'.repeat(32));
  expect(await restore()).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('a different pepper') });
  writeFileSync(join(backup, 'pepper'), pepper);
  const sound = readFileSync(join(backup, 'modelgate.sqlite'));
  const damaged = Buffer.from(sound);
  damaged.fill(0xff, 4096 * 3, 4096 * 6);
  writeFileSync(join(backup, 'modelgate.sqlite'), damaged);
  const rejected = await restore();
  expect(rejected).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^modelgate: .*(?:damaged|can't be copied)/) });
  expect(rejected.stderr.split('\n').length).toBeLessThan(4);
  expect(rejected.stderr).not.toMatch(/\n +at /);
  expect(existsSync(anew.data) ? readdirSync(anew.data) : []).toEqual([]);
  writeFileSync(join(backup, 'modelgate.sqlite'), sound);
  expect(await restore()).toMatchObject({ code: 0, stderr: '' });
});

test.each([['backup'], ['restore']])('C1: fails on db %s with PostgreSQL, and names the files and the tool to use', async (verb) => {
  const env = { DATABASE_URL: 'postgres://modelgate:secret@127.0.0.1:1/modelgate' };
  const { code, stdout, stderr } = await modelgate(['db', verb, 'b'], { env });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  for (const word of ['pg_dump', 'MODELGATE_PEPPER', 'settlements-*.sqlite', 'modelgate.yaml']) expect(stderr).toContain(word);
  expect(stderr).not.toContain('secret');
});

test.runIf(process.getuid?.() === 0)('C1: restores files that the owner of the data folder can read, when root runs it', async () => {
  const place = openPlace();
  await place.run('key', 'create');
  await place.run('db', 'backup', 'backup');
  const home = join(place.folder, 'home');
  mkdirSync(home);
  chownSync(home, 1234, 5678);
  const ownersIn = (folder: string) =>
    ['.', ...readdirSync(folder)].map((name) => {
      const { uid, gid } = statSync(join(folder, name));
      return `${name} ${uid}:${gid}`;
    });
  const data = join(home, 'new/data');
  const files = ['. 1234:5678', 'modelgate.sqlite 1234:5678', 'pepper 1234:5678'];
  expect(await place.run('db', 'restore', 'backup', '--data', data)).toMatchObject({ code: 0, stderr: '' });
  expect(ownersIn(join(home, 'new'))).toEqual(['. 1234:5678', 'data 1234:5678']);
  expect(ownersIn(data)).toEqual(files);
  expect(await place.run('db', 'restore', 'backup', '--force', '--data', data)).toMatchObject({ code: 0, stderr: '' });
  expect(ownersIn(data)).toEqual([files[0], expect.stringMatching(/^before-\S+ 1234:5678$/), ...files.slice(1)]);
});

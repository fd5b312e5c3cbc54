/** `modelgate serve` from start to stop: what it prints and what it leaves. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { openAccess } from '../../../../server/access/access.ts';
import { issueFirstKey } from '../../../../server/access/issue-key.ts';
import { openDatabase } from '../../../../server/store/sqlite/database.ts';
import { modelgate, type Serving, serve, start } from '../../../harness/command-line.ts';
import { temporaryFolder } from '../../../harness/folder.ts';

const bearer = (key = ''): { headers: Record<string, string> } => ({ headers: { authorization: `Bearer ${key}` } });

test("prints a key that works without a configuration, and says that it's a simulator", async () => {
  const folder = temporaryFolder();
  const served = await serve({ folder });
  expect(served.banner).toMatch(/^Modelgate \d+\.\d+\.\d+\n/);
  expect(served.origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(served.banner).toContain(`Docs       ${served.origin}/docs\n`);
  expect(served.banner).toMatch(/\(built in\).*no real model/);
  expect(existsSync(join(folder, 'data/modelgate.sqlite'))).toBe(true);
  const models = await fetch(`${served.origin}/v1/models`, bearer(served.key));
  expect(models.status).toBe(200);
  expect(await models.json()).toMatchObject({ object: 'list', data: { length: 7 } });
  expect((await fetch(`${served.origin}/v1/models`)).status).toBe(401);
  expect(await served.stop()).toBe(0);
  expect(served.log()).not.toContain(served.key);
});

test('starts the gateway without a command', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'modelgate.yaml'), 'server: { port: 0 }\nadmin: { enabled: false }\n');
  const running = start([], { folder });
  const [banner] = await Promise.race([
    once(running.stdout.setEncoding('utf8'), 'data'),
    running.ended.then((code) => [`ended with ${code}`]),
  ]);
  expect(banner).toContain('Base URL   http:');
  running.kill('SIGTERM');
  expect(await running.ended).toBe(0);
});

test.each([[['--port', '0']], [['-p', '0', '--json']], [['--host', '127.0.0.1', '--port', '0', '--simulate']]])(
  'starts the gateway with options without a command: %j',
  async (words) => {
    const running = start(words);
    const [said] = await Promise.race([
      once(running.stdout.setEncoding('utf8'), 'data'),
      running.ended.then((code) => [`ended with ${code}`]),
    ]);
    expect(said).toMatch(words.includes('--json') ? /^\{.*http:\/\/127\.0\.0\.1:/ : /Base URL {3}http:\/\/127\.0\.0\.1:/);
    running.kill('SIGTERM');
    expect(await running.ended).toBe(0);
  },
);

test('prints with --help and --version, and rejects an unknown option', async () => {
  for (const option of ['--help', '-h'])
    expect(await modelgate([option])).toMatchObject({ code: 0, stdout: expect.stringMatching(/Usage: modelgate \[.*\n {2}key /s) });
  for (const option of ['--version', '-V'])
    expect(await modelgate([option])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  expect(await modelgate(['--port', '0', '--help'])).toMatchObject({ code: 0, stdout: expect.stringContaining('Usage: modelgate serve') });
  expect(await modelgate(['--prot', '0'])).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/'--prot'.*--port/s) });
  expect(await modelgate(['--verison'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--version') });
});

test('keeps data and key at the second start, and prints no key', async () => {
  const folder = temporaryFolder();
  const first = await serve({ folder });
  expect(await first.stop()).toBe(0);
  const second = await serve({ folder });
  expect(second.key).toBeUndefined();
  expect(second.banner).toMatch(/shown on first start; create another: npm run modelgate -- key create\n/);
  expect(second.banner).toContain('Bearer $MODELGATE_API_KEY');
  expect((await fetch(`${second.origin}/v1/models`, bearer(first.key))).status).toBe(200);
  expect(await second.stop()).toBe(0);
});

/** The balance of the account of the first start, as the command line prints it. */
async function firstBalance(folder: string): Promise<unknown> {
  const { stdout } = await modelgate(['account', 'show', 'default', '--json'], { folder });
  return JSON.parse(stdout).balance.balance;
}

/** Leaves a folder as a start does that ends right after its first step. */
async function cutFirstStart(folder: string): Promise<void> {
  const data = join(folder, 'data');
  const database = openDatabase({ folder: data, durability: 'strict' });
  await issueFirstKey({ ...(await openAccess(data, database)), now: Date.now });
  database.close();
}

test('completes a first start that was cut off before its balance once, at the next start', async () => {
  const folder = temporaryFolder();
  await cutFirstStart(folder);
  expect(await firstBalance(folder)).toBe('0.000000');
  expect(await (await serve({ folder })).stop()).toBe(0);
  expect(await firstBalance(folder)).toBe('100.000000');
  const spent = await modelgate(['account', 'top-up', 'default', '--kind', 'correction', '--', '-100'], { folder });
  expect(spent.code).toBe(0);
  expect(await (await serve({ folder })).stop()).toBe(0);
  expect(await firstBalance(folder)).toBe('0.000000');
});

test('gives nothing to an account whose keys an operator created', async () => {
  const folder = temporaryFolder();
  expect((await modelgate(['key', 'create', '--name', 'own'], { folder })).code).toBe(0);
  expect(await (await serve({ folder })).stop()).toBe(0);
  expect(await firstBalance(folder)).toBe('0.000000');
});

test("F50: logs at the start how many accounts are in a group that isn't configured", async () => {
  const folder = temporaryFolder();
  const configure = (groups: object) => writeFileSync(join(folder, 'modelgate.yaml'), JSON.stringify({ groups }));
  configure({ gold: {} });
  for (const name of ['ada', 'bob']) expect((await modelgate(['account', 'create', name, '--group', 'gold'], { folder })).code).toBe(0);
  const before = await serve({ folder });
  expect(await before.stop()).toBe(0);
  expect(before.log()).not.toContain("isn't in the configuration");
  configure({});
  const after = await serve({ folder });
  expect(await after.stop()).toBe(0);
  expect(after.log()).toContain("Group 'gold' of 2 accounts isn't in the configuration: they can't call any model.");
});

test('prints a curl line and an SDK snippet that work', async () => {
  const served = await serve({});
  const [curl = ''] = /curl .*$/m.exec(served.banner) ?? [];
  const snippet = served.banner.slice(served.banner.indexOf('import OpenAI')).trim();
  const run = promisify(execFile);
  const answer = await run('/bin/sh', ['-c', `${curl} --silent --show-error`]);
  expect(JSON.parse(answer.stdout)).toMatchObject({ object: 'chat.completion', choices: [{ message: { role: 'assistant' } }] });
  // In this folder, since the SDK is installed here.
  const sdk = await run(process.execPath, ['--input-type=module', '--eval', snippet], { cwd: import.meta.dirname });
  expect(sdk.stdout.trim()).toBe(JSON.parse(answer.stdout).choices[0].message.content);
  expect(await served.stop()).toBe(0);
});

test('prints one line with a remedy for a port in use, writes nothing, and prints the first key at the next start', async () => {
  const folder = temporaryFolder();
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => {
    other.close();
  });
  const address = other.address();
  const port = typeof address === 'object' ? String(address?.port) : '';
  const { code, stdout, stderr } = await modelgate(['serve', '--port', port], { folder });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toBe(
    `modelgate: Port ${port} of 127.0.0.1 is in use. Stop the program that uses it, or choose another port with --port (0 selects a free one).\n`,
  );
  expect(existsSync(join(folder, 'data'))).toBe(false);
  const served = await serve({ folder });
  expect(served.key).toMatch(/^mg-/);
  expect(await served.stop()).toBe(0);
});

test("rejects a host that isn't an address of this machine", async () => {
  const { code, stderr } = await modelgate(['serve', '--port', '0', '--host', '192.0.2.1']);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^modelgate: 192\.0\.2\.1 isn't an address of this machine\. [^\n]*--host[^\n]*\n$/);
});

test('shows an address that works with host 0.0.0.0', async () => {
  const served = await serve({}, ['--host', '0.0.0.0']);
  expect(served.origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect((await fetch(`${served.origin}/v1/models`, bearer(served.key))).status).toBe(200);
  expect(await served.stop()).toBe(0);
});

test('rejects a bad configuration with its problem, and creates no data folder', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'modelgate.yaml'), 'server: { prot: 1 }\n');
  const { code, stdout, stderr } = await modelgate(['serve'], { folder });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/modelgate\.yaml:1:11: server\.prot .*Did you mean port\?/);
  expect(existsSync(join(folder, 'data'))).toBe(false);
});

test('shows the address of an upstream, no simulator, and no secret', async () => {
  const served = await serve({ env: { OPENAI_API_KEY: 'sk-very-secret', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' } });
  expect(served.banner).toContain('openai at http://127.0.0.1:9/v1');
  expect(served.banner + served.log()).not.toMatch(/\(built in\)|sk-very-secret/);
  expect(await served.stop()).toBe(0);
});

/** A request that runs until it is ended. */
async function openStream({ origin, key }: Serving): Promise<ReadableStreamDefaultReader<Uint8Array>> {
  const content = 'Write a very long story. '.repeat(400);
  const body = JSON.stringify({ model: 'gpt-5.4', stream: true, messages: [{ role: 'user', content }] });
  const headers = { ...bearer(key).headers, 'content-type': 'application/json' };
  const answer = await fetch(`${origin}/v1/chat/completions`, { method: 'POST', headers, body });
  const reader = answer.body?.getReader();
  if (reader === undefined) throw new Error('no stream');
  await reader.read();
  return reader;
}

const slowFile = (drainMs: number): string =>
  `server: { drainMs: ${drainMs} }\nupstreams:\n  demo: { kind: simulator, eventDelayMs: 10000 }\n`;

test('F56: ends a stream that outlasts the drain time with an error, and exits with 1', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'modelgate.yaml'), slowFile(400));
  const served = await serve({ folder });
  const reader = await openStream(served);
  served.kill('SIGTERM');
  const rest = [];
  for (let part = await reader.read(); !part.done; part = await reader.read()) rest.push(Buffer.from(part.value).toString());
  expect(rest.join('')).toContain('"error"');
  expect(rest.join('')).not.toContain('[DONE]');
  expect(await served.ended).toBe(1);
  expect(served.log()).toContain('drain timeout reached; aborting');
});

test('leaves no listener, exit code, or variable in another program after its stop', async () => {
  const events = ['SIGTERM', 'SIGINT', 'SIGHUP', 'uncaughtException', 'exit'] as const;
  const left = () => ({ listeners: events.map((name) => process.listenerCount(name)), code: process.exitCode, env: { ...process.env } });
  const before = left();
  const served = await serve({});
  expect(left()).toEqual(before);
  expect(await served.stop()).toBe(0);
  expect(left()).toEqual(before);
  await expect(fetch(`${served.origin}/v1/models`)).rejects.toThrow('fetch failed');
});

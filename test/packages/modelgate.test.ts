/** The gateway as its users get it: installed into an empty folder without a network, started there, and called. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { hangLimitMs } from '../harness/hang-limit.ts';
import { oldNode } from '../harness/old-node.ts';
import { openProject, type Project } from './project.ts';

let project: Project;
let installed: string;
beforeAll(async () => {
  project = await openProject([]);
  const quiet = ['--offline', '--no-audit', '--no-fund', '--loglevel=error'];
  const { code, stderr } = await project.run('npm', ['install', ...quiet, inject('tarballs').modelgate ?? '']);
  expect({ code, stderr: stderr.replaceAll(/^npm warn .*\n/gm, '') }).toEqual({ code: 0, stderr: '' });
  installed = join(project.folder, 'node_modules/modelgate');
});
afterAll(() => project?.remove());

const modelgate = (...words: readonly string[]) => project.run(process.execPath, [join(installed, 'dist/launch.js'), ...words]);

interface Serving {
  readonly child: ChildProcessByStdio<null, Readable, null>;
  readonly banner: string;
  readonly baseUrl: string;
  readonly key: string;
}

/** As `npx` starts it: the program of the package, by its name, with nothing but a path in the environment. */
async function serve(): Promise<Serving> {
  const child = spawn(join(project.folder, 'node_modules/.bin/modelgate'), ['serve', '--port', '0', '--data', 'data'], {
    cwd: project.folder,
    env: { PATH: process.env.PATH ?? '', HOME: project.folder },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let banner = '';
  const signal = AbortSignal.timeout(hangLimitMs);
  while (!/Data .*\n/.test(banner)) banner += String((await once(child.stdout, 'data', { signal }))[0]);
  return { child, banner, baseUrl: /Base URL +(\S+)/.exec(banner)?.[1] ?? '', key: /API key +(\S+)/.exec(banner)?.[1] ?? '' };
}

test('installs as one package, and nothing else', async () => {
  expect((await readdir(join(project.folder, 'node_modules'))).filter((name) => !name.startsWith('.'))).toEqual(['modelgate']);
});

test('lists the third-party code in it, each with its license', async () => {
  const notices = await readFile(join(installed, 'THIRD-PARTY-NOTICES'), 'utf8');
  for (const name of ['fastify', 'zod', 'undici', '@redis/client', 'pg', 'minisearch', 'gpt-tokenizer', '@fontsource-variable/inter'])
    expect(notices).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\((?:MIT|ISC|Apache-2.0|BSD-3-Clause|OFL-1.1)\\)$`, 'm'));
});

test('runs the commands that need no gateway', async () => {
  const { version } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
  expect(await modelgate('--version')).toMatchObject({ code: 0, stdout: `${version}\n` });
  expect((await modelgate('--help')).stdout).toContain('Usage: modelgate');
  expect((await modelgate('config', 'check')).code).toBe(0);
  expect(JSON.parse((await modelgate('openapi')).stdout).info.version).toBe(version);
  await project.write({ 'wrong.yaml': 'modles: []\n' });
  expect((await modelgate('config', 'check', '--config', 'wrong.yaml')).stderr).toContain('wrong.yaml:1:1');
});

test('serves as `npm start` does: chat, a stream, an image, a long text, pages, new keys, and a clean exit', async () => {
  const { child, banner, baseUrl, key } = await serve();
  const ended = once(child, 'exit');
  try {
    expect(banner).toContain('simulator');
    expect(banner).toContain('create an admin key: npx modelgate admin-key create');
    const ask = (path: string, body?: object, apiKey = key): Promise<Response> =>
      fetch(new URL(path, baseUrl), {
        method: body ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
    // Reads the body: an unread response is still in flight when the gateway stops.
    const getStatus = async (...request: Parameters<typeof ask>): Promise<number> => {
      const response = await ask(...request);
      await response.arrayBuffer();
      return response.status;
    };
    const chat = { model: 'gpt-5.4', messages: [{ role: 'user', content: 'Hi' }] };
    expect(await getStatus('/v1/chat/completions', chat)).toBe(200);
    expect(await (await ask('/v1/chat/completions', { ...chat, stream: true })).text()).toMatch(/data: \[DONE\]\n\n$/);
    const connect = ['connect', 'continue', '--base-url', baseUrl, '--key', key, '--dry-run'];
    expect((await modelgate(...connect)).stdout).toContain(`+    apiBase: ${baseUrl}\n`);
    // The simulator draws the picture, and a thread counts the tokens of the long text.
    const picture = await (await ask('/v1/images/generations', { model: 'gpt-image-2', prompt: 'Fog' })).text();
    expect(picture).toMatch(/"b64_json": ?"iVBORw0KGgo/);
    const longText = { ...chat, messages: [{ role: 'user', content: 'word '.repeat(50_000) }] };
    expect(await getStatus('/v1/chat/completions', longText)).toBe(200);
    for (const page of [
      '/docs',
      '/docs/guides/codex',
      '/docs/search.json',
      '/openapi.json',
      '/openapi-3.2.json',
      '/catalog',
      '/v1/protocol',
    ])
      expect(await getStatus(page), page).toBe(200);
    const made = await modelgate('key', 'create', '--name', 'second', '--data', 'data');
    const second = /\bmg-\S+/.exec(made.stdout)?.[0] ?? '';
    expect(await getStatus('/v1/models', undefined, second)).toBe(200);
    expect((await modelgate('doctor', '--data', 'data')).stdout).not.toContain('unexpected error');
  } finally {
    child.kill('SIGTERM');
  }
  expect(await ended).toEqual([0, null]);
});

test('contains PostgreSQL and Redis clients, and connects where they are configured', async () => {
  const port = 9;
  const env = { HOME: project.folder, DATABASE_URL: `postgres://nobody@127.0.0.1:${port}/none`, REDIS_URL: `redis://127.0.0.1:${port}` };
  const { code, stderr } = await project.run(
    process.execPath,
    [join(installed, 'dist/launch.js'), 'serve', '--port', '0', '--data', 'data'],
    env,
  );
  expect(code).toBe(1);
  expect(stderr).toMatch(/PostgreSQL/);
  expect(stderr).not.toContain('unexpected error');
});

const program = `
const started = await startGateway({ config: { models: [{ id: 'mine', kind: 'text', prices: 'free' }] } });
const answer = await fetch(started.baseUrl + '/models', { headers: { authorization: 'Bearer ' + started.apiKey } });
const { data } = await answer.json();
const headers = { authorization: 'Bearer ' + started.apiKey, 'content-type': 'application/json' };
const body = JSON.stringify({ model: 'mine', input: 'Hi', stream: true });
await (await fetch(started.baseUrl + '/responses', { method: 'POST', headers, body })).text();
await started.stop();
await started.stop();
console.log(data.map(({ id }) => id).join());
`;

test.each([
  ['app.mjs', `import { startGateway } from 'modelgate/testing';${program}`],
  ['app.cjs', `const { startGateway } = require('modelgate/testing');(async () => {${program}})();`],
])('starts within a program, and lets it exit: %s', async (file, code) => {
  await project.write({ [file]: code });
  // A key of a vendor that lies about is not used.
  const env = { HOME: project.folder, OPENAI_API_KEY: 'sk-real', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' };
  expect(await project.run(process.execPath, [file], env)).toEqual({ code: 0, stdout: 'mine\n', stderr: '' });
  if (oldNode === null) return console.log('left out: there is no Node on this machine that is too old');
  const { code: end, stdout, stderr } = await project.run(oldNode, [file], env);
  expect([end, stdout, stderr]).toEqual([1, '', expect.stringMatching(/^Error: modelgate: needs Node 22\.21 or newer, this is /m)]);
  expect(stderr).not.toMatch(/SyntaxError|ERR_UNKNOWN/);
});

test('shows the line of the caller for a mistake in the configuration, not that of the package', async () => {
  const call = 'await startGateway({ config: { modles: [] } });';
  await project.write({ 'mistake.mjs': `import { startGateway } from 'modelgate/testing';\n${call}` });
  const { code, stderr } = await project.run(process.execPath, ['mistake.mjs']);
  expect({ code, shown: stderr.split('\n').slice(0, 2) }).toEqual({ code: 1, shown: [expect.stringMatching(/mistake\.mjs:2$/), call] });
  expect(stderr).toContain('Did you mean models?');
});

test('types the configuration of startGateway, and reports a misspelled key', async () => {
  const prices = "prices: { input: '2.5', output: '15' }";
  const start = (price: string) => `await startGateway({ config: { models: [{ id: 'm', kind: 'text', ${price} }], billing: 'off' } });`;
  const call = "import { type GatewayConfig, startGateway } from 'modelgate/testing';\nexport type Config = GatewayConfig;\n";
  const options = { module: 'nodenext', skipLibCheck: false, types: [], lib: ['es2022', 'esnext.disposable'] };
  await project.write({ 'typed.mts': call + start(prices), 'misspelled.mts': call + start(prices.replace('prices', 'price')) });
  expect(await project.compile('6.0', { ...options, files: ['typed.mts'] })).toBe('');
  const found = await project.compile('6.0', { ...options, files: ['misspelled.mts'] });
  expect(found).toContain("'price' does not exist in type");
});

/** The first ten minutes of somebody new: a fresh folder with all packages from their tarballs, and everything that they promise, tried there once. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { hangLimitMs } from '../harness/hang-limit.ts';
import { openProject, type Project } from './project.ts';

const root = join(import.meta.dirname, '../..');
const programs = ['client', 'contract', 'trpc'] as const;
/** What npm would take from its registry: peers of our packages, and the types of Node. */
const theirs = ['zod', '@trpc/client', '@trpc/server', 'typescript', '@types/node', 'undici-types'];

interface Ready {
  readonly baseUrl: string;
  readonly apiKey: string;
}

let project: Project;
let gateway: ChildProcessByStdio<null, Readable, null>;
let ready: Ready;

/** One command for all, as npm resolves them then: `@modelgate/trpc` finds the contract that it depends on among them. */
async function install(): Promise<void> {
  const quiet = ['--offline', '--no-audit', '--no-fund', '--loglevel=error'];
  const folders = theirs.map((name) => `file:${join(root, 'node_modules', name)}`);
  const { code, stderr } = await project.run('npm', ['install', ...quiet, ...Object.values(inject('tarballs')), ...folders]);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
}

/** Resolves with the one line that it prints as soon as it can be called. */
async function serve(): Promise<Ready> {
  gateway = spawn(join(project.folder, 'node_modules/.bin/modelgate'), ['serve', '--port', '0', '--data', 'data', '--json'], {
    cwd: project.folder,
    env: { PATH: process.env.PATH ?? '', HOME: project.folder },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let line = '';
  const signal = AbortSignal.timeout(hangLimitMs);
  while (!line.endsWith('\n')) line += String((await once(gateway.stdout, 'data', { signal }))[0]);
  return JSON.parse(line);
}

beforeAll(async () => {
  project = await openProject([]);
  await install();
  const texts = programs.map((name) => readFile(join(root, `test/fixtures/packages-app/newcomer/${name}.txt`), 'utf8'));
  await project.write(Object.fromEntries((await Promise.all(texts)).map((text, index) => [`${programs[index]}.mts`, text])));
  expect(await project.compile('6.0', { module: 'nodenext', skipLibCheck: true, files: programs.map((name) => `${name}.mts`) })).toBe('');
  ready = await serve();
});
afterAll(async () => {
  if (gateway?.exitCode === null && gateway.kill('SIGKILL')) await once(gateway, 'exit');
  await project?.remove();
});

/** What a program of the folder prints. */
async function told(program: (typeof programs)[number]): Promise<unknown> {
  const env = { MODELGATE_BASE_URL: ready.baseUrl, MODELGATE_API_KEY: ready.apiKey };
  const { code, stdout, stderr } = await project.run(process.execPath, [`out/${program}.mjs`], env);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

const verify = (...words: readonly string[]) => project.run('npx', ['--offline', 'modelgate', 'verify', ...words]);

test('installs all four from their tarballs, with every dependency in the right version', async () => {
  expect(Object.keys(inject('tarballs')).sort()).toEqual(['@modelgate/client', '@modelgate/contract', '@modelgate/trpc', 'modelgate']);
  for (const name of Object.keys(inject('tarballs')))
    expect((await lstat(join(project.folder, 'node_modules', name))).isDirectory(), name).toBe(true);
  expect(await project.run('npm', ['ls'])).toMatchObject({ code: 0 });
});

test('returns the same response from the typed client with and without streaming', async () => {
  expect(await told('client')).toMatchObject({ whole: expect.stringMatching(/\w/), isSame: true, isInParts: true });
});

test('accepts the right response of a mock with the contract, and names the fault of a wrong one', async () => {
  expect(await told('contract')).toEqual({ path: '/v1/models', models: ['mine'], wrongAt: [['data', 0, 'id']] });
});

test('calls, streams and gets errors over tRPC with the types of the package', async () => {
  expect(await told('trpc')).toMatchObject({
    models: expect.arrayContaining(['gpt-5.4', 'gpt-image-2']),
    whole: expect.stringMatching(/\w/),
    streamed: expect.stringMatching(/\w/),
    ends: ['response.created', 'response.completed'],
    rejected: 'model_not_found',
  });
});

test("finds no contract violation with verify, and reports by exit code where verify can't connect", async () => {
  const { code, stdout, stderr } = await verify(ready.baseUrl, '--key', ready.apiKey);
  expect(stderr + stdout).toMatch(/\n\d{2} passed, 0 failed, \d+ skipped\.\n$/);
  expect(code).toBe(0);
  expect(await verify(ready.baseUrl, '--key', 'mg-wrong')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("Can't test"),
  });
});

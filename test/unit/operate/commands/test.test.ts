/** `modelgate test`: a command gets the address and the key of a gateway that exists only while it runs. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { modelgate, type Outcome, start } from '../../../harness/command-line.ts';
import { temporaryFolder } from '../../../harness/folder.ts';

/** A test suite with one call, whose text is its exit code. */
const suite = `
const { OPENAI_BASE_URL, OPENAI_API_KEY, MODELGATE_BASE_URL, MODELGATE_API_KEY } = process.env;
if (OPENAI_BASE_URL !== MODELGATE_BASE_URL || OPENAI_API_KEY !== MODELGATE_API_KEY) process.exit(99);
const headers = { authorization: 'Bearer ' + OPENAI_API_KEY, 'content-type': 'application/json' };
const body = JSON.stringify({ model: 'gpt-5.4', messages: [{ role: 'user', content: 'Hi' }] });
const response = await fetch(OPENAI_BASE_URL + '/chat/completions', { method: 'POST', headers, body });
const { choices, error } = await response.json();
process.exit(error ? response.status - 400 : Number(choices[0].message.content));
`;

interface Suite extends Outcome {
  readonly folder: string;
}

async function runSuite(words: readonly string[], answers: readonly object[], env = {}): Promise<Suite> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'suite.mjs'), suite);
  writeFileSync(join(folder, 'answers.json'), JSON.stringify({ answers }));
  const command = ['test', '--script', 'answers.json', ...words, '--', process.execPath, 'suite.mjs'];
  return { folder, ...(await modelgate(command, { folder, env })) };
}

test.each([0, 7])('returns the exit code %s of the command', async (code) => {
  expect(await runSuite(['--strict'], [{ text: `${code}` }])).toMatchObject({ code, stdout: '', stderr: '' });
});

test('returns 1 with --strict when an answer of the script was not used', async () => {
  const { code, stderr } = await runSuite(['--strict'], [{ text: '0' }, { text: 'unused' }]);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('"text":"unused"') });
  expect(await runSuite([], [{ text: '0' }, { text: 'unused' }])).toMatchObject({ code: 0, stderr: '' });
});

test('writes the log of the gateway to a file', async () => {
  const { folder } = await runSuite(['--log', 'gateway.log'], [{ error: 'rate_limit_exceeded' }]);
  expect(readFileSync(join(folder, 'gateway.log'), 'utf8')).toContain('"code":"rate_limit_exceeded"');
});

test('derives the key from a seed', async () => {
  const folder = temporaryFolder();
  const printKey = "require('node:fs').appendFileSync('keys', process.env.MODELGATE_API_KEY + '\\n')";
  for (const _ of [1, 2]) await modelgate(['test', '--seed', 'ci', '--', process.execPath, '-e', printKey], { folder });
  const [first, second] = readFileSync(join(folder, 'keys'), 'utf8').split('\n');
  expect(first).toMatch(/^mg-/);
  expect(second).toBe(first);
});

test('keeps its data away from the database that the environment names', async () => {
  const env = { DATABASE_URL: 'postgres://127.0.0.1:1/production', REDIS_URL: 'redis://127.0.0.1:1' };
  expect(await runSuite([], [{ text: '0' }], env)).toMatchObject({ code: 0, stderr: '' });
});

test('stops the command at a signal, and returns 143', async () => {
  const folder = temporaryFolder();
  const running = start(['test', '--', process.execPath, '-e', "require('node:fs').writeFileSync('up', ''); setInterval(() => {}, 1000)"], {
    folder,
  });
  await expect.poll(() => readFileSync(join(folder, 'up'), 'utf8'), { timeout: 20_000 }).toBe('');
  running.kill('SIGTERM');
  expect(await running.ended).toBe(143);
});

test('returns 1 and names a program that does not exist', async () => {
  const { code, stderr } = await modelgate(['test', '--', 'no-such-program']);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("Can't run 'no-such-program'") });
});

/**
 * The real program, a process with signals and an exit code. These tests are the only ones of the command line that start it;
 * all others run it within the test (test/harness/command-line.ts).
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../harness/folder.ts';

const launch = join(import.meta.dirname, '../../server/operate/launch.mjs');

function start(folder: string, ...words: string[]): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [launch, ...words], { cwd: folder, env: { PATH: process.env.PATH } });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return child;
}

/** The output up to the chunk that completes `words`. */
async function readUntil(output: Readable, words: string): Promise<string> {
  let said = '';
  for await (const chunk of output.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    said += chunk;
    if (said.includes(words)) break;
  }
  return said;
}

const exitOf = async (child: ChildProcessWithoutNullStreams): Promise<unknown> => (await once(child, 'exit'))[0];

test("returns to the shell a command's exit code, its result on stdout, and the reason of a failure on stderr", async () => {
  const folder = temporaryFolder();
  const outcomes = [['--help'], ['key', 'list'], ['keys']].map(async (words) => {
    const child = start(folder, ...words);
    const [code, stdout, stderr] = await Promise.all([exitOf(child), text(child.stdout), text(child.stderr)]);
    return { code, stdout, stderr };
  });
  expect(await Promise.all(outcomes)).toEqual([
    { code: 0, stdout: expect.stringMatching(/^Usage: modelgate /), stderr: '' },
    {
      code: 1,
      stdout: '',
      stderr: `modelgate: No database found in ${join(folder, 'data')}. Start the gateway once, or specify its data folder with --data.\n`,
    },
    { code: 2, stdout: '', stderr: expect.stringContaining("unknown command 'keys'") },
  ]);
});

test('accepts the key of the banner, and exits with code 0 on SIGTERM', async () => {
  const child = start(temporaryFolder(), 'serve', '--port', '0');
  const [stderr, exit] = [text(child.stderr), exitOf(child)];
  const banner = await readUntil(child.stdout, 'console.log(');
  expect(banner).not.toContain('\u001b');
  const headers = { authorization: `Bearer ${/API key +(mg-\w+)/.exec(banner)?.[1]}` };
  const answer = await fetch(`${/Base URL +(\S+)/.exec(banner)?.[1]}/models`, { headers });
  expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ object: 'list' })]);
  child.kill('SIGTERM');
  expect(await exit).toBe(0);
  // There are no warnings of Node.
  const log = (await stderr).trimEnd().split('\n');
  expect(log.map((line) => JSON.parse(line).msg)).toEqual(['request', 'stopping']);
});

test('ends a command without an error when its reader stops early, as head does', async () => {
  const folder = temporaryFolder();
  // Each command writes its pages after the reader has left.
  const script = '{ "$0" "$1" serve --help; echo "exit code $?" >&2; } | head -c 1';
  const child = spawn('sh', ['-c', script, process.execPath, launch], { cwd: folder, env: { PATH: process.env.PATH } });
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), exitOf(child)]);
  expect({ stdout, stderr, code }).toEqual({ stdout: 'U', stderr: 'exit code 0\n', code: 0 });
});

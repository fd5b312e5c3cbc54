/** The entry of the command line on other versions of Node, run in a thread, which has its own `process`. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import type { Outcome } from '../../../harness/command-line.ts';
import { temporaryFolder } from '../../../harness/folder.ts';

const launch = join(import.meta.dirname, '../../../../server/operate/launch.mjs');

/** `code` is a module that is loaded before ours. */
async function launchAfter(code: string, argv: readonly string[]): Promise<Outcome> {
  const execArgv = ['--import', `data:text/javascript,${encodeURIComponent(code)}`];
  const worker = new Worker(launch, { argv: [...argv], execArgv, env: {}, stdout: true, stderr: true });
  const [stdout, stderr, [exitCode]] = await Promise.all([text(worker.stdout), text(worker.stderr), once(worker, 'exit')]);
  return { code: exitCode, stdout, stderr };
}

test('ends with the required version on a Node that is too old', async () => {
  const old = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })";
  const { code, stdout, stderr } = await launchAfter(old, ['version']);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^modelgate: needs Node 22\.21 or newer, this is 20\.20\.2\. [^\n]*\n$/);
});

test.each(['--version', '-V'])('prints the version on %s without loading the commands', async (option) => {
  const closed =
    "import { registerHooks } from 'node:module'; registerHooks({ resolve(name, context, next) { if (name.endsWith('cli.ts')) throw new Error('loaded'); return next(name, context); } });";
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../../package.json'), 'utf8'));
  expect(await launchAfter(closed, [option])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  await expect(launchAfter(closed, ['version'])).rejects.toThrow('loaded');
});

test('hides experimental warnings of Node, and no others', async () => {
  const talk =
    "setTimeout(() => { process.emitWarning('one', 'ExperimentalWarning'); process.emitWarning('two', 'DeprecationWarning'); }, 1)";
  const outcome = await launchAfter(talk, ['key', 'create', '--data', temporaryFolder()]);
  expect(outcome.code).toBe(0);
  expect(outcome.stderr).toContain('DeprecationWarning: two');
  expect(outcome.stderr).not.toContain('ExperimentalWarning');
});

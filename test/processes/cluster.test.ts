/** `npm run cluster` starts several gateways that act as one, and leaves nothing behind (promises G1, G11). */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { postgresMissing, redisMissing } from '../harness/servers.ts';

const missing = [postgresMissing, redisMissing].filter((reason) => reason !== null);
const leftOut = missing.map((reason) => `, LEFT OUT: ${reason}`).join('');

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** A temporary folder of this test alone, so that what is left in it is ours. */
function ownTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'modelgate-test-'));
  // PostgreSQL may run as another user.
  chmodSync(folder, 0o755);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function readBlock({ stdout }: ChildProcessWithoutNullStreams): Promise<string> {
  let printed = '';
  for await (const piece of stdout.iterator({ destroyOnReturn: false })) {
    printed += piece;
    if (printed.includes('Ctrl-C')) break;
  }
  return printed;
}

describe.skipIf(missing.length > 0)(`npm run cluster${leftOut}`, () => {
  test('prints addresses and keys that work, and Ctrl-C ends every process and removes every file', async () => {
    const folder = ownTemporaryFolder();
    const program = join(import.meta.dirname, '../programs/cluster/run.ts');
    const child = spawn(process.execPath, [program, '--gateways', '2'], { env: { ...process.env, TMPDIR: folder } });
    onTestFinished(() => void child.kill('SIGKILL'));
    const printed = await readBlock(child);
    const shown = (name: string) => new RegExp(`^ +${name} +(\\S+)`, 'm').exec(printed)?.[1] ?? '';
    const models = await fetch(`${shown('Base URL')}/models`, { headers: { authorization: `Bearer ${shown('API key')}` } });
    expect(models.status).toBe(200);
    const accounts = shown('Admin API').replace('/docs', '/v1/accounts');
    expect((await fetch(accounts, { headers: { authorization: `Bearer ${shown('Admin key')}` } })).status).toBe(200);
    const pids = [...printed.matchAll(/process (\d+)/g)].map(([, pid]) => Number(pid));
    expect(pids.map(isAlive)).toEqual([true, true]);
    const exit = once(child, 'exit');
    child.kill('SIGINT');
    expect(await exit).toEqual([0, null]);
    expect(pids.map(isAlive)).toEqual([false, false]);
    expect(readdirSync(folder)).toEqual([]);
  });
});

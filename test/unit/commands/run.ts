/** The command as its users start it: a process of its own, in a folder of its own, with nothing of our environment. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { compileCache } from '../../harness/compile-cache.ts';
import { temporaryFolder } from '../../harness/folder.ts';

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Place {
  /** The working directory. */
  readonly folder?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Options of Node itself. */
  readonly node?: readonly string[];
  readonly entry?: 'cli.ts' | 'commands/launch.mjs';
}

export function start(words: readonly string[], { folder = temporaryFolder(), env = {}, node = [], entry = 'cli.ts' }: Place = {}) {
  const file = join(import.meta.dirname, '../../../server', entry);
  const path = process.env.PATH ?? '';
  const child = spawn(process.execPath, [...node, file, ...words], { cwd: folder, env: { PATH: path, ...compileCache, ...env } });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return child;
}

export async function modelgate(words: readonly string[], place?: Place): Promise<Outcome> {
  const child = start(words, place);
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), exitOf(child)]);
  return { code, stdout, stderr };
}

export async function exitOf(child: ChildProcessWithoutNullStreams): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
}

/** How long a gateway on its defaults takes from its start to its first answer, and the memory that it holds when nobody calls. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../../server/commands/launch.mjs', import.meta.url));
const rounds = 3;
/** Long enough for what a process does by itself after its start. */
const idleMs = 8_000;

export interface Start {
  readonly answeredMs: readonly number[];
  readonly idleBytes: number;
}

/** The first start fills the cache of what is compiled, and does not count. */
export async function measureStart(): Promise<Start> {
  await startOnce(true);
  const answeredMs: number[] = [];
  for (let round = 0; round < rounds; round++) answeredMs.push((await startOnce(true)).answeredMs);
  return { answeredMs, idleBytes: (await startOnce(false)).idleBytes };
}

async function startOnce(asks: boolean): Promise<{ readonly answeredMs: number; readonly idleBytes: number }> {
  const data = mkdtempSync(join(tmpdir(), 'modelgate-start-'));
  const startedAt = performance.now();
  const child = spawn(process.execPath, [program, 'serve', '--port', '0', '--data', data], {
    env: { PATH: process.env.PATH, HOME: data, MODELGATE_LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  try {
    const { baseUrl, key } = await readBanner(child.stdout);
    if (asks) await askChat(baseUrl, key);
    const answeredMs = performance.now() - startedAt;
    if (!asks) await pause(idleMs);
    return { answeredMs, idleBytes: residentBytes(child.pid) };
  } finally {
    child.kill('SIGTERM');
    await ended;
    rmSync(data, { recursive: true, force: true });
  }
}

async function readBanner(output: NodeJS.ReadableStream): Promise<{ readonly baseUrl: string; readonly key: string }> {
  let baseUrl: string | undefined;
  for await (const line of createInterface(output)) {
    baseUrl ??= /Base URL\s+(\S+)/.exec(line)?.[1];
    const key = /API key\s+(\S+)/.exec(line)?.[1];
    if (baseUrl !== undefined && key !== undefined) return { baseUrl, key };
  }
  throw new Error('the gateway did not say where it listens');
}

async function askChat(baseUrl: string, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ model: 'gpt-5.4', messages: [{ role: 'user', content: 'Hi' }] });
  const answer = await fetch(`${baseUrl}/chat/completions`, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(`the first answer has status ${answer.status}: ${await answer.text()}`);
  await answer.text();
}

const residentBytes = (pid: number | undefined): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024;

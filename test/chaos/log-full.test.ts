/** A log that cannot be written: the disk behind stderr is full, or its reader has stopped reading (promise G9: what runs goes on). */
import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../harness/folder.ts';
import { setUp } from '../harness/gateway-process.ts';

/** A full pipe without a reader. */
function openStuckPipe(): string {
  const path = join(temporaryFolder(), 'log');
  execFileSync('mkfifo', [path]);
  const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  onTestFinished(() => closeSync(pipe));
  for (let piece = 65_536; piece > 0; piece = fills(pipe, piece) ? piece : piece >> 1);
  return path;
}

/** Whether the pipe took so many bytes. */
function fills(pipe: number, bytes: number): boolean {
  try {
    return writeSync(pipe, Buffer.alloc(bytes, '\n')) > 0;
  } catch {
    return false;
  }
}

test.each([
  // Long enough for several flushes of the log.
  { target: 'disk', openCommand: () => ['sh', '-c', 'exec "$@" 2>/dev/full', 'sh'], calls: 6, pauseMs: 150 },
  // More lines than the log buffers before it writes.
  { target: 'pipe', openCommand: () => ['sh', '-c', 'log=$1; shift; exec "$@" 2>"$log"', 'sh', openStuckPipe()], calls: 300, pauseMs: 0 },
])('serves calls and exits with 0 when its log goes to a full $target', async ({ openCommand, calls, pauseMs }) => {
  const settings = { upstreams: { demo: { kind: 'simulator', eventDelayMs: 0 } }, log: { level: 'info' } };
  const served = await setUp({ settings, under: openCommand() });
  await served.run();
  const headers = { authorization: `Bearer ${served.key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ model: 'gpt-5.5', messages: [{ role: 'user', content: 'Hello.' }] });
  for (let count = 0; count < calls; count++) {
    const response = await fetch(`${served.origin}/v1/chat/completions`, { method: 'POST', headers, body });
    expect(response.status).toBe(200);
    await response.text();
    await pause(pauseMs);
  }
  expect(await served.stop()).toBe(0);
});

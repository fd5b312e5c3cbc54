/** A log that cannot be written: the disk behind stderr is full, or its reader has stopped reading (promise G9: what runs goes on). */
import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../harness/folder.ts';
import { setUp } from '../harness/gateway-process.ts';

test('serves calls and exits with 0 when its log goes to a full disk', async () => {
  const settings = { upstreams: { demo: { kind: 'simulator', eventDelayMs: 0 } }, log: { level: 'info' } };
  const served = await setUp({ settings, under: ['sh', '-c', 'exec "$@" 2>/dev/full', 'sh'] });
  await served.run();
  const headers = { authorization: `Bearer ${served.key}`, 'content-type': 'application/json' };
  // Long enough for several flushes of the log.
  for (let count = 0; count < 6; count++) {
    const body = JSON.stringify({ model: 'gpt-5.5', messages: [{ role: 'user', content: 'Hello.' }] });
    const answer = await fetch(`${served.origin}/v1/chat/completions`, { method: 'POST', headers, body });
    expect(answer.status).toBe(200);
    await answer.text();
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  expect(await served.stop()).toBe(0);
});

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

test('serves calls and exits with 0 when its log goes to a full pipe', async () => {
  const settings = { upstreams: { demo: { kind: 'simulator', eventDelayMs: 0 } }, log: { level: 'info' } };
  const served = await setUp({ settings, under: ['sh', '-c', 'log=$1; shift; exec "$@" 2>"$log"', 'sh', openStuckPipe()] });
  await served.run();
  const headers = { authorization: `Bearer ${served.key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ model: 'gpt-5.5', messages: [{ role: 'user', content: 'Hello.' }] });
  // More lines than the log buffers before it writes.
  for (let count = 0; count < 300; count++) {
    const answer = await fetch(`${served.origin}/v1/chat/completions`, { method: 'POST', headers, body });
    expect(answer.status).toBe(200);
    await answer.text();
  }
  expect(await served.stop()).toBe(0);
});

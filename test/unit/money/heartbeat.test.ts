/** The heartbeat thread of a process, which works while the event loop is blocked (promise G2). */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openHeartbeat } from '../../../server/money/heartbeat.ts';
import { openDatabase } from '../../../server/store/sqlite/database.ts';

const everyMs = 20;

test('A9: writes heartbeats for a process whose event loop is blocked', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'modelgate-heartbeat-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { connection } = openDatabase({ folder, durability: 'relaxed' });
  onTestFinished(() => connection.close());
  const seen = (): number => Number(connection.prepare(`SELECT seen_at FROM nodes WHERE id = 'node_1'`).get()?.seen_at ?? 0);
  const faults: unknown[] = [];
  const place = { folder, durability: 'relaxed', url: undefined } as const;
  const heartbeat = openHeartbeat({
    node: 'node_1',
    location: place,
    everyMs,
    isWanted: () => true,
    failed: (error) => faults.push(error),
  });
  onTestFinished(() => heartbeat.close());
  await expect.poll(seen).toBeGreaterThan(0);
  // From here on the event loop is blocked.
  const stoodAt = Date.now();
  const clock = new Int32Array(new SharedArrayBuffer(4));
  for (let waits = 0; seen() <= stoodAt && waits < 3_000; waits++) Atomics.wait(clock, 0, 0, everyMs);
  expect(seen()).toBeGreaterThan(stoodAt);
  await heartbeat.close();
  expect(faults).toEqual([]);
});

test('starts the thread only on demand', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'modelgate-heartbeat-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { connection } = openDatabase({ folder, durability: 'relaxed' });
  onTestFinished(() => connection.close());
  const seen = (): number => Number(connection.prepare(`SELECT count(*) AS n FROM nodes WHERE id = 'node_1'`).get()?.n);
  const place = { folder, durability: 'relaxed', url: undefined } as const;
  const asked = { times: 0, answer: false };
  const isWanted = (): boolean => {
    asked.times += 1;
    return asked.answer;
  };
  const heartbeat = openHeartbeat({ node: 'node_1', location: place, everyMs, isWanted, failed: () => undefined });
  onTestFinished(() => heartbeat.close());
  await expect.poll(() => asked.times).toBeGreaterThan(3);
  expect(seen()).toBe(0);
  asked.answer = true;
  await expect.poll(seen).toBe(1);
});

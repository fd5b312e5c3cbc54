/** When the process has too much to do, seen with real timers on a real event loop. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { Overload, type OverloadBounds } from '../../server/overload.ts';

interface Line {
  readonly level: 'warn' | 'info';
  readonly fields: unknown;
}

function open(bounds: Partial<OverloadBounds>, memory?: () => number): { readonly overload: Overload; readonly lines: Line[] } {
  const lines: Line[] = [];
  const note = (level: Line['level']) => (fields: unknown) => void lines.push({ level, fields });
  const settings = { loopDelayMs: 0, memoryMb: 0, ...bounds };
  // Of the log, these two are all that is called, and only in this way.
  const log = { warn: note('warn'), info: note('info') } as never;
  const overload = new Overload({ bounds: () => settings, log, ...(memory && { memory }) });
  onTestFinished(() => overload.close());
  return { overload, lines };
}

function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test('a loop that stands still for long is seen at the next turn, and is over soon after', async () => {
  const { overload, lines } = open({ loopDelayMs: 200 });
  await pause(250);
  expect(overload.refusal).toBeNull();
  block(800);
  await pause(0);
  expect(overload.refusal).toMatchObject({ code: 'overloaded', headers: { 'retry-after': '1' } });
  expect(overload.describe()).toMatch(/^new calls are refused: too much loop delay \(\d+ ms\)$/);
  await expect.poll(() => overload.refusal, { timeout: 3_000 }).toBeNull();
  expect([lines.map(({ level }) => level), overload.describe()]).toEqual([['warn', 'info'], null]);
});

test('one short stop is no reason to refuse anybody', async () => {
  const { overload, lines } = open({ loopDelayMs: 5_000 });
  await pause(120);
  block(400);
  await pause(150);
  expect([overload.refusal, lines]).toEqual([null, []]);
});

test('too much memory is seen, and is over only when some is free again', async () => {
  let used = 90;
  const { overload, lines } = open({ memoryMb: 100 }, () => used * 1_048_576);
  await pause(150);
  expect(overload.refusal).toBeNull();
  used = 101;
  await expect.poll(() => overload.describe(), { timeout: 3_000 }).toBe('new calls are refused: too much memory (101 MiB)');
  used = 97;
  await expect.poll(() => overload.describe(), { timeout: 3_000 }).toContain('97 MiB');
  used = 94;
  await expect.poll(() => overload.refusal, { timeout: 3_000 }).toBeNull();
  expect(lines).toMatchObject([
    { level: 'warn', fields: { excess: 'memory', memoryMb: 101 } },
    { level: 'info', fields: { memoryMb: 94 } },
  ]);
});

test('nothing is refused where no bound is set', async () => {
  const { overload } = open({}, () => Number.MAX_SAFE_INTEGER);
  block(600);
  await pause(10);
  expect(overload.refusal).toBeNull();
});

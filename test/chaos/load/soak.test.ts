/** `npm run soak`: what a short run prints (F53). */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

const program = join(import.meta.dirname, '../../programs/bench/soak.ts');

async function soak(...words: string[]): Promise<{ code: number | null; out: string; errors: string }> {
  const child = spawn(process.execPath, [program, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: child.exitCode, out, errors };
}

test('F53, G7: prints samples and slopes, reports too short a run for a verdict, and exits with 0', async () => {
  const { code, out, errors } = await soak('--minutes', '0.2', '--rate', '20');
  expect(errors).toBe('');
  expect(out).toMatch(/^20 calls a second for 0\.2 minutes, of \d+ kinds in turn\n\n +seconds +calls +heap MB +RSS MB +handles\n/);
  const rows = [...out.matchAll(/^ +([\d.]+) +(\d+) +([\d.]+) +([\d.]+) +(\d+)$/gm)].map((cells) => cells.slice(1).map(Number));
  expect(rows.flat().every(Number.isFinite)).toBe(true);
  // How many samples and calls there are depends on the machine; the last sample is taken at the end.
  const columnOf = (index: number): number[] => rows.map((row) => row[index] ?? Number.NaN);
  for (const growing of [columnOf(0), columnOf(1)]) expect(growing).toEqual(growing.toSorted((one, other) => one - other));
  expect(rows.length).toBeGreaterThan(1);
  const [seconds = 0, calls = 0, heap = 0, rss = 0] = rows.at(-1) ?? [];
  expect([seconds >= 12, calls > 0, heap > 5, rss > heap]).toEqual([true, true, true, true]);
  for (const name of ['heap', 'RSS', 'handles'])
    expect(out).toMatch(new RegExp(`^${name} +slope +-?[\\d.]+ +± [\\d.]+ +\\w+ per hour +bound \\d+$`, 'm'));
  expect(out).toMatch(/\nverdict: too short for a verdict: it takes 12\.5 minutes at least\n$/);
  expect(code).toBe(0);
});

/** `npm run soak`: what a run prints, and how its verdict tells growth from noise (F53). */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { bounds, judgeSoak, type Sample } from '../../programs/bench/soak-verdict.ts';
import { randomFrom } from './crowd.ts';

const program = join(import.meta.dirname, '../../programs/bench/soak.ts');

async function soak(...words: string[]): Promise<{ code: number | null; out: string; errors: string }> {
  const child = spawn(process.execPath, [program, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: child.exitCode, out, errors };
}

test('F53, G7: a soak of twelve seconds prints its samples and slopes, says that it was too short for a verdict, and exits with 0', async () => {
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

test('a wrong option ends the command with 2 and a message that names it', async () => {
  const { code, out, errors } = await soak('--minutes', '0');
  expect([code, out]).toEqual([2, '']);
  expect(errors).toMatch(/^soak: --minutes takes a number from/);
});

describe('the verdict', () => {
  const random = randomFrom(53);
  const noise = (size: number): number => (random() - 0.5) * size;
  /** Samples of half an hour with realistic noise, this growth per hour, and steep growth in the first minute. */
  const samples = (growth: Partial<Sample>, minutes = 30): Sample[] =>
    Array.from({ length: 61 }, (_, index): Sample => {
      const seconds = index * minutes;
      const at = (value: number, perHour = 0): number => value + (perHour * seconds) / 3_600 - 40 * Math.exp(-seconds / 60);
      const [rssMb, heapMb] = [at(250, growth.rssMb) + noise(8), at(60, growth.heapMb) + noise(2)];
      return { seconds, rssMb, heapMb, handles: Math.round(at(80, growth.handles) + noise(6)), calls: seconds * 50 };
    });

  test('memory that grows only in the first minute has the verdict "flat"', () => {
    expect(judgeSoak(samples({})).verdict).toBe('flat');
  });

  test.each([
    ['heap', { heapMb: bounds.heapMb.maxPerHour * 1.5 }],
    ['resident memory', { rssMb: bounds.rssMb.maxPerHour * 1.5 }],
    ['handles', { handles: bounds.handles.maxPerHour * 1.5 }],
  ])('F53: growth of the %s beyond its bound has the verdict "growing"', (_, growth) => {
    expect(judgeSoak(samples(growth)).verdict).toBe('growing');
  });

  test('samples too noisy to compare with the bound have the verdict "unclear"', () => {
    const wild = samples({ heapMb: bounds.heapMb.maxPerHour * 0.9 }).map((one) => ({ ...one, heapMb: one.heapMb + noise(30) }));
    expect(judgeSoak(wild).verdict).toBe('unclear');
  });

  test('a run of ten minutes is too short, whatever its samples show', () => {
    expect(judgeSoak(samples({ heapMb: 1_000 }, 10)).verdict).toBe('too short');
  });
});

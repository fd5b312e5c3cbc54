/** `npm run bench`, `bench:against`, `bench:pages`, and `soak` (F53): each runs, briefly, and prints its rows. Their numbers are for idle machines. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

async function run(program: string, ...words: string[]): Promise<{ code: number | null; out: string; errors: string }> {
  const path = join(import.meta.dirname, '../../programs/bench', program);
  const child = spawn(process.execPath, [path, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: child.exitCode, out, errors };
}

test('prints a row for each goal of a small chat, and the CPU behind it', async () => {
  const { code, out } = await run('run.ts', '--quick', '--rounds', '1', '--only', 'small');
  expect(out).toMatch(/^row +goal +all alive +two alive\n/);
  for (const row of ['governed to governed floor', 'governed to plain'])
    expect(out).toMatch(new RegExp(`^small chat, ${row} +≤ 1\\.\\d+ × +[\\d.]+ × +[\\d.]+ × +(met|MISSED)$`, 'm'));
  expect(out).toMatch(/^small chat, governed: CPU +[\d.]+ µs$/m);
  expect(code).toBe(0);
});

test('names an unknown row in bench', async () => {
  const { code, errors } = await run('run.ts', '--only', 'smal');
  expect([code, errors]).toEqual([1, expect.stringMatching(/^bench: --only: 'smal' is none of goals, .*small/)]);
});

test('prints a notice for the current commit in bench:against', async () => {
  expect(await run('against.ts', 'HEAD')).toMatchObject({ code: 0, out: expect.stringMatching(/^notice: HEAD is this commit/) });
});

test('prints a row for each read in bench:pages', async () => {
  const { out, errors } = await run('pages.ts', '--rows', '1000');
  expect(errors).toMatch(/^1000 rows, \d+ MB, filled in/);
  const rows = out.split('\n').filter((line) => line.startsWith('| '));
  expect(rows.shift()).toBe('| read | first ms | ms | bar | kept |');
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) expect(row).toMatch(/^\| .* \| [\d.]+ \| [\d.]+ \| (300|1000) \| (yes|NO) \|$/);
});

test('F53, G7: prints samples and slopes, reports too short a run for a verdict, and exits with 0', async () => {
  const { code, out, errors } = await run('soak.ts', '--minutes', '0.2', '--rate', '20');
  expect(errors).toBe('');
  expect(out).toMatch(/^20 calls a second for 0\.2 minutes, of \d+ kinds in turn\n\n +seconds +calls +heap MB +RSS MB +handles\n/);
  const rows = [...out.matchAll(/^ +([\d.]+) +(\d+) +([\d.]+) +([\d.]+) +(\d+)$/gm)].map((cells) => cells.slice(1).map(Number));
  expect(rows.flat().every(Number.isFinite)).toBe(true);
  // How many samples and calls there are depends on the machine; the last sample is taken at the end.
  const getColumn = (index: number): number[] => rows.map((row) => row[index] ?? Number.NaN);
  for (const growing of [getColumn(0), getColumn(1)]) expect(growing).toEqual(growing.toSorted((one, other) => one - other));
  expect(rows.length).toBeGreaterThan(1);
  const [seconds = 0, calls = 0, heap = 0, rss = 0] = rows.at(-1) ?? [];
  expect([seconds >= 12, calls > 0, heap > 5, rss > heap]).toEqual([true, true, true, true]);
  for (const name of ['heap', 'RSS', 'handles'])
    expect(out).toMatch(new RegExp(`^${name} +slope +-?[\\d.]+ +± [\\d.]+ +\\w+ per hour +bound \\d+$`, 'm'));
  expect(out).toMatch(/\nverdict: too short for a verdict: it takes 12\.5 minutes at least\n$/);
  expect(code).toBe(0);
});

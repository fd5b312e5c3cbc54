/** `npm run bench`, `bench:against`, and `bench:pages`: each runs, briefly, and prints its rows. Their numbers are for idle machines. */
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
  expect(out).toMatch(/^row +goal +median +10th percentile\n/);
  for (const row of ['plain to floor', 'governed to governed floor', 'governed to plain'])
    expect(out).toMatch(new RegExp(`^small chat, ${row} +≤ 1\\.\\d+ × +[\\d.]+ × +[\\d.]+ × +(met|MISSED)$`, 'm'));
  expect(out).toMatch(/^small chat, governed: CPU +[\d.]+ µs +[\d.]+ µs$/m);
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
  expect(out.match(/^\| .* \| [\d.]+ \| [\d.]+ \| (300|1000) \| (yes|NO) \|$/gm)).toHaveLength(22);
});

/** The young generation of a process stays within its bound unless collections take much of its time (docs/decisions/0047). V8 would let it grow to 128 MiB here. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const MIB = 1024 * 1024;
const module = new URL('../../server/operate/grow-young-generation.ts', import.meta.url).href;

/** Keeps what it allocates for a moment, so that V8 has a reason to grow. Prints the largest size. */
const buildProgram = (turns: number, rest: string): string => `
  import { getHeapSpaceStatistics } from 'node:v8';
  const { growYoungGeneration } = await import(${JSON.stringify(module)});
  growYoungGeneration();
  let most = 0;
  for (let turn = 0; turn < ${turns}; turn++) {
    const startedAt = performance.now();
    globalThis.kept = Array.from({ length: 60_000 }, (_, index) => ({ index, turn, list: [index] }));
    const turnMs = performance.now() - startedAt;
    await ${rest};
    most = Math.max(most, getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size);
  }
  console.log(most / ${MIB});
`;

async function findMostMib(turns: number, rest: string): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', buildProgram(turns, rest)]);
  return Number(stdout);
}

// The wait is 30 times as long as the work, so collections take less than 5% of the time on any machine.
test('grows the young generation to 64 MiB and no further while collections take little time', async () => {
  expect(await findMostMib(20, 'new Promise((resolve) => setTimeout(resolve, 30 * turnMs))')).toBeLessThanOrEqual(64);
});

test('lets the young generation grow on while collections take much time', async () => {
  expect(await findMostMib(1_000, 'new Promise((resolve) => setImmediate(resolve))')).toBeGreaterThan(64);
});

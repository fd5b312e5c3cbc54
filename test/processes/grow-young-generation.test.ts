/** The young generation of a busy process stays within its bound (docs/decisions/0047). V8 would let it grow to 128 MiB here. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const MIB = 1024 * 1024;
const module = new URL('../../server/operate/grow-young-generation.ts', import.meta.url).href;

/** Keeps what it allocates for a moment, so that V8 has a reason to grow. Prints the largest size. */
const program = `
  import { getHeapSpaceStatistics } from 'node:v8';
  const { growYoungGeneration } = await import(${JSON.stringify(module)});
  growYoungGeneration();
  let most = 0;
  for (let turn = 0; turn < 100; turn++) {
    globalThis.kept = Array.from({ length: 60_000 }, (_, index) => ({ index, turn, list: [index] }));
    await new Promise((resolve) => setImmediate(resolve));
    most = Math.max(most, getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size);
  }
  console.log(most);
`;

test('grows the young generation of a busy process to 64 MiB and no further', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  expect(Number(stdout) / MIB).toBeLessThanOrEqual(64);
});

/** Builds the pages before the first test of the lane, so that tests run on the current source. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const program = fileURLToPath(new URL('../../client/console/build/build.ts', import.meta.url));

/** In its own process, since the environment of tests is not that of a build. */
export async function setup(): Promise<void> {
  await promisify(execFile)(process.execPath, [program, 'operator', 'portal', 'kit']);
}

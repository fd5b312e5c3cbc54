/** Builds the pages before the first test of the lane, so that tests run on the current source. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const program = fileURLToPath(new URL('../../client/pages/build/build.ts', import.meta.url));

const place = Symbol.for('modelgate.test.built-pages');
// `as`: the global object has no type for a symbol of ours. Vitest loads this file once for each lane of a run, which all wait for one build.
const globals = globalThis as { [place]?: Promise<unknown> };

/** In its own process, since the environment of tests is not that of a build. */
export async function setup(): Promise<void> {
  globals[place] ??= promisify(execFile)(process.execPath, [program, 'operator', 'portal', 'kit']);
  await globals[place];
}

/** Bundles the gateway before the first test of a lane that starts many processes: a bundle starts in two thirds of the CPU time that the sources take. */
import { join } from 'node:path';
import { bundleGateway } from '../../client/packages/gateway/bundle.ts';

/** One level below the root, as the bundle expects: the documents and pages that it reads lie beside it. */
const folder = join(import.meta.dirname, '../../.bundle');

const place = Symbol.for('modelgate.test.bundled-gateway');
// `as`: the global object has no type for a symbol of ours. Vitest loads this file once for each lane of a run, which all wait for one bundle.
const globals = globalThis as { [place]?: Promise<unknown> };

export async function setup(): Promise<void> {
  // Coverage is that of the sources.
  if (process.env.NODE_V8_COVERAGE !== undefined) return;
  globals[place] ??= bundleGateway(folder);
  await globals[place];
  process.env.MODELGATE_TEST_LAUNCH = join(folder, 'launch.js');
}

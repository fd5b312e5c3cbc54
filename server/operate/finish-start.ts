/** Ends the start of a process that serves: V8 optimizes code from then on, and memory that only the start needed is freed. */
import { flushCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { growYoungGeneration } from './grow-young-generation.ts';

/** Gives the first calls precedence, because a collection pauses the process. */
const RELEASE_DELAY_MS = 2_000;

/** V8's defaults of the filters that launch.mjs sets. */
const defaultFilters = ['--turbo-filter=*', '--maglev-filter=*'];

export function finishStart(): void {
  for (const filter of defaultFilters) setFlagsFromString(filter);
  growYoungGeneration();
  setTimeout(releaseMemory, RELEASE_DELAY_MS).unref();
}

function releaseMemory(): void {
  // Node keeps the cached code of every file until it has written it.
  flushCompileCache();
  collectGarbage();
}

/** Collects garbage and returns free memory to the system. V8 would do so only when the heap has grown by half. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const gc: (options: object) => void = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  gc({ type: 'major', flavor: 'last-resort' });
}

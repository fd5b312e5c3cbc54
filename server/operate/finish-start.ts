/** Ends the start of a process that serves: V8 optimizes code from then on, and memory that only the start needed is freed. */
import { flushCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { growYoungGeneration } from './grow-young-generation.ts';

const RELEASE_DELAY_MS = 2_000;

/** V8's defaults of the filters that launch.mjs sets. */
const defaultFilters = ['--turbo-filter=*', '--maglev-filter=*'];

/** `hasBeenCalled`: a process that already has calls keeps its memory, because a collection would pause them. */
export function finishStart(hasBeenCalled = (): boolean => false): void {
  for (const filter of defaultFilters) setFlagsFromString(filter);
  growYoungGeneration();
  setTimeout(() => {
    if (!hasBeenCalled()) releaseMemory();
  }, RELEASE_DELAY_MS).unref();
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

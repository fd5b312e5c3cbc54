/** Ends the start of a process that serves: its young generation may grow, and the compile cache leaves its memory. */
import { flushCompileCache } from 'node:module';
import { growYoungGeneration } from './grow-young-generation.ts';

/** Not immediately, because the first calls would wait until the files are written. */
const FLUSH_DELAY_MS = 2_000;

export function finishStart(): void {
  growYoungGeneration();
  // Node keeps the cached code of every file until it has written it.
  setTimeout(flushCompileCache, FLUSH_DELAY_MS).unref();
}

/** What this process holds once all garbage is collected: a number that depends on no time. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** The heap, and what lies outside of it: buffers above all. */
export function bytesHeld(): number {
  collectGarbage();
  // Memory of buffers goes only when what held it has gone.
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

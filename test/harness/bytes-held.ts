/** Measures the memory of this process after a garbage collection. The number does not depend on timing. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Bytes of the heap and of the memory outside it, mostly buffers. */
export function bytesHeld(): number {
  collectGarbage();
  // The first collection frees the objects, the second the buffers that they held.
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

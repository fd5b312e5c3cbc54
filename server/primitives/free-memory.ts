/** Gives the memory of large buffers back at once: until the next garbage collection, several of many megabytes would add up. */

/** In bytes. Smaller buffers may share their memory with others. */
const LARGE = 1_048_576;

/** The buffer is empty afterwards, so nobody may read it any more. Does nothing to a small one, or to a part of another. */
export function freeMemory({ buffer, length }: Buffer): void {
  if (length >= LARGE && buffer.byteLength === length && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

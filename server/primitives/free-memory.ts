/** Frees the memory of a large buffer immediately, without waiting for garbage collection. */

/** In bytes. Smaller buffers may share their memory with other buffers. */
const LARGE = 1_048_576;

/** Empties the buffer, which must not be read afterward. Does nothing for a small buffer or a slice of another buffer. */
export function freeMemory({ buffer, length }: Buffer): void {
  if (length >= LARGE && buffer.byteLength === length && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

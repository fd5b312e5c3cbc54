/** Opens decompressors by the name of their content encoding. */

import type { Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib';

/** In bytes. The size of decompressed chunks. At most one is buffered. */
const CHUNK_SIZE = 64 * 1024;
/** RFC 9659: a window of at most 8 MiB. The format itself allows gigabytes. */
const zstdOptions = { chunkSize: CHUNK_SIZE, params: { [constants.ZSTD_d_windowLogMax]: 23 } };

/** `firstByte` is the first byte of the body. */
export type OpenDecompressor = (firstByte: number) => Transform;

/** `deflate` means zlib (RFC 9110, 8.4.1.2), but some senders omit the two-byte zlib header. */
const openDeflate: OpenDecompressor = (firstByte) =>
  (firstByte & 0x0f) === 8 ? createInflate({ chunkSize: CHUNK_SIZE }) : createInflateRaw({ chunkSize: CHUNK_SIZE });
const openGzip: OpenDecompressor = () => createGunzip({ chunkSize: CHUNK_SIZE });

/** By content encoding. */
export const decompressors: ReadonlyMap<string, OpenDecompressor> = new Map([
  ['gzip', openGzip],
  ['x-gzip', openGzip],
  ['deflate', openDeflate],
  ['br', () => createBrotliDecompress({ chunkSize: CHUNK_SIZE })],
  ['zstd', () => createZstdDecompress(zstdOptions)],
]);

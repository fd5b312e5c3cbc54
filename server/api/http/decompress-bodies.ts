/** Decompresses request bodies while they arrive, up to the size limit of the route. */

import { Readable, type Transform } from 'node:stream';
import type { FastifyInstance, FastifyRequest, RequestPayload } from 'fastify';
import type { BodyShare } from '../../limits/body-memory.ts';
import { decompressors, type OpenDecompressor } from '../../primitives/decompressors.ts';
import { type BodyName, GatewayError, type OperationError } from '../../primitives/errors.ts';
import { getEncoding } from './body-headers.ts';

/** Replaces a compressed body with a decompressed stream before the parsers read it. */
export function decompressBodies(app: FastifyInstance): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const openDecompressor = decompressors.get(getEncoding(request));
    if (openDecompressor) done(null, createDecompressedStream(payload, openDecompressor, request));
    else done();
  });
}

/** Creates a stream that starts reading the request only when it's read itself. */
function createDecompressedStream(source: RequestPayload, openDecompressor: OpenDecompressor, request: FastifyRequest): RequestPayload {
  const body: CompressedBody = {
    packed: source,
    open: openDecompressor,
    limit: request.routeOptions.bodyLimit ?? 0,
    share: request.call.share,
    received: 0,
  };
  const stream = Readable.from(readDecompressed(body), { objectMode: false });
  // The parser destroys a body that it rejects. After that nothing listens for errors, and an unhandled error would crash the process.
  stream.on('error', () => undefined);
  // Compared with `content-length`, which counts compressed bytes.
  return Object.defineProperty(stream, 'receivedEncodedLength', { get: () => body.received });
}

interface CompressedBody {
  readonly packed: Readable;
  readonly open: OpenDecompressor;
  /** Maximum bytes, for both the compressed and the decompressed size. */
  readonly limit: number;
  readonly share: BodyShare | null;
  received: number;
}

/** In bytes. A smaller body is received completely before it waits for its decompression slot, so that a slow sender occupies no slot. */
const MAX_BUFFERED_BYTES = 256 * 1024;

async function* readDecompressed(body: CompressedBody): AsyncGenerator<Buffer> {
  const bodyStart = await readBodyStart(body);
  if (bodyStart.bytes.length === 0) return;
  const releaseSlot = bodyStart.isWhole ? await body.share?.waitToUnpack() : undefined;
  try {
    yield* decompress(body, bodyStart);
  } finally {
    releaseSlot?.();
  }
}

/** The first compressed bytes. `isWhole`: the body has no more. */
interface BodyStart {
  readonly bytes: Buffer;
  readonly isWhole: boolean;
}

async function readBodyStart(body: CompressedBody): Promise<BodyStart> {
  const pieces: Buffer[] = [];
  for await (const piece of body.packed.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    pieces.push(piece);
    body.received += piece.length;
    const error = body.share?.acquire(piece.length);
    if (error) throw error;
    if (body.received > body.limit) throw createTooLargeError(body.limit);
    if (body.received > MAX_BUFFERED_BYTES) return { bytes: Buffer.concat(pieces), isWhole: false };
  }
  return { bytes: Buffer.concat(pieces), isWhole: true };
}

async function* decompress(body: CompressedBody, bodyStart: BodyStart): AsyncGenerator<Buffer> {
  const { packed, limit } = body;
  const decompressor = body.open(bodyStart.bytes[0] ?? 0);
  const failure = pipeToDecompressor(body, decompressor, bodyStart);
  let size = 0;
  try {
    // `as`: decompressors emit Buffers.
    for await (const piece of decompressor as AsyncIterable<Buffer>) {
      size += piece.length;
      if (size > limit) throw createTooLargeError(limit);
      yield piece;
    }
  } catch (error) {
    throw error instanceof GatewayError ? error : (failure.cause ?? createDecompressionError(error));
  } finally {
    packed.unpipe(decompressor);
    decompressor.destroy();
    // Reads the remainder of a rejected body: a caller that is blocked while sending would never read the response.
    packed.resume();
  }
}

/** Pipes the body into its decompressor. The result's `cause` is the error that ended the body itself early, if any. */
function pipeToDecompressor(body: CompressedBody, decompressor: Transform, { bytes, isWhole }: BodyStart): { cause: unknown } {
  const failure: { cause: unknown } = { cause: undefined };
  const countBytes = ({ length }: Buffer) => {
    body.received += length;
    if (body.received > body.limit) decompressor.destroy(createTooLargeError(body.limit));
  };
  if (isWhole) {
    decompressor.end(bytes);
    return failure;
  }
  body.packed.once('error', (cause) => {
    failure.cause = cause;
    decompressor.destroy(cause);
  });
  decompressor.write(bytes);
  body.packed.on('data', countBytes);
  body.packed.pipe(decompressor);
  return failure;
}

function createTooLargeError(limit: number): OperationError<BodyName, 413> {
  const message = `The request body exceeds ${Math.round(limit / 1_048_576)} MiB after decompression.`;
  return new GatewayError('request_too_large', { message });
}

function createDecompressionError(cause: unknown): OperationError<BodyName, 400> {
  // `as`: zlib's errors have a code.
  const isWindowTooLarge = (cause as NodeJS.ErrnoException).code === 'ZSTD_error_frameParameter_windowTooLarge';
  const reason = isWindowTooLarge ? 'its zstd window exceeds 8 MiB' : "it's corrupt, or doesn't match 'content-encoding'";
  return new GatewayError('invalid_json', { message: `The request body can't be decompressed: ${reason}.`, cause });
}

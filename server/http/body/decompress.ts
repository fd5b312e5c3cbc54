/** Decompresses request bodies while they arrive, up to the size limit of the route (413, 415). */
import { Readable, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib';
import type { FastifyInstance, FastifyRequest, RequestPayload } from 'fastify';
import { type BodyName, type ErrorOf, GatewayError, shown } from '../../errors.ts';
import type { BodyShare } from '../../limits/body-memory.ts';
import { routeOptionsOf } from '../route-options.ts';

/** In bytes: the decompressed body leaves in chunks of this size, and at most one of them waits. */
const CHUNK_SIZE = 64 * 1024;
/** RFC 9659: a window of at most 8 MiB. The format itself would allow gigabytes. */
const zstdOptions = { chunkSize: CHUNK_SIZE, params: { [constants.ZSTD_d_windowLogMax]: 23 } };

/** `first` is the first byte of the body. */
type Open = (first: number) => Transform;

/** `deflate` means zlib (RFC 9110, 8.4.1.2), but some clients omit its header of two bytes. */
const openDeflate: Open = (first) =>
  (first & 0x0f) === 8 ? createInflate({ chunkSize: CHUNK_SIZE }) : createInflateRaw({ chunkSize: CHUNK_SIZE });
const openGzip: Open = () => createGunzip({ chunkSize: CHUNK_SIZE });

const formats: ReadonlyMap<string, Open> = new Map([
  ['gzip', openGzip],
  ['x-gzip', openGzip],
  ['deflate', openDeflate],
  ['br', () => createBrotliDecompress({ chunkSize: CHUNK_SIZE })],
  ['zstd', () => createZstdDecompress(zstdOptions)],
]);
const TAKEN = 'gzip, deflate, br or zstd';

const unsupported = (message: string): ErrorOf<BodyName, 415> => new GatewayError('unsupported_media_type', { message });

/** The content encoding in lower case; empty when the body is not compressed. */
function encodingOf({ headers }: FastifyRequest): string {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  return encoding === 'identity' ? '' : encoding;
}

export const isPacked = (request: FastifyRequest): boolean => encodingOf(request) !== '';

/** The error that the body's headers alone deserve, if any. Checked after the key and before the body. */
export function refuseBody(request: FastifyRequest): GatewayError | undefined {
  return refuseLarge(request) ?? refusePacked(request);
}

/** Fastify would check the type before the size. It reads no body of a GET, and the parts of a form are measured while they arrive. */
function refuseLarge(request: FastifyRequest): ErrorOf<BodyName, 413> | undefined {
  const { method, headers } = request;
  const { bodyLimit = 0, config } = routeOptionsOf(request);
  const isRead = method !== 'GET' && method !== 'HEAD' && !(config.takesForms && isForm(headers));
  if (!isRead || !(Number(headers['content-length']) > bodyLimit)) return undefined;
  const message = `The request body is over the limit of ${Math.round(bodyLimit / 1_048_576)} MiB.`;
  return new GatewayError('request_too_large', { message });
}

export const isForm = (headers: FastifyRequest['headers']) =>
  headers['content-type']?.toLowerCase().startsWith('multipart/form-data') === true;

/** Refuses encodings that we do not decompress. */
function refusePacked(request: FastifyRequest): GatewayError | undefined {
  const encoding = encodingOf(request);
  // The body of a GET is not read, whatever its encoding.
  if (encoding === '' || request.method === 'GET' || request.method === 'HEAD') return undefined;
  const named = `content-encoding '${shown(request.headers['content-encoding'] ?? '').slice(0, 64)}'`;
  if (encoding.includes(',')) return unsupported(`A body may be packed once: ${named} is not taken. Send it unpacked, or in ${TAKEN}.`);
  if (!formats.has(encoding)) return unsupported(`The ${named} is not taken. Send the body unpacked, or in ${TAKEN}.`);
  // On routes without forms the type is wrong, and the content-type check reports that.
  if (isForm(request.headers) && request.routeOptions.config.takesForms)
    return unsupported(`A form is taken unpacked only: leave ${named} out.`);
  return undefined;
}

/** Replaces a compressed body by a decompressed stream before the parsers read it. */
export function unpackBodies(app: FastifyInstance): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const open = formats.get(encodingOf(request));
    if (open) done(null, unpack(payload, open, request));
    else done();
  });
}

/** A stream that starts to read the request only when it is read itself. */
function unpack(packed: RequestPayload, open: Open, request: FastifyRequest): RequestPayload {
  const body: Packed = { packed, open, limit: request.routeOptions.bodyLimit ?? 0, share: request.call.share, received: 0 };
  const stream = Readable.from(unpacked(body), { objectMode: false });
  // The parser destroys a body that it refuses. Nobody listens for an error after that, and an unhandled one would end the process.
  stream.on('error', () => undefined);
  // Compared with `content-length`, which counts the compressed bytes.
  return Object.defineProperty(stream, 'receivedEncodedLength', { get: () => body.received });
}

interface Packed {
  readonly packed: Readable;
  readonly open: Open;
  /** Bytes: bounds the compressed size and the decompressed size alike. */
  readonly limit: number;
  readonly share: BodyShare | null;
  received: number;
}

/** In bytes: a body that is smaller waits for its turn to be decompressed until all of it has arrived, so that a slow sender takes no turn. */
const MOST_WAITING = 256 * 1024;

async function* unpacked(body: Packed): AsyncGenerator<Buffer> {
  const beginning = await readBeginning(body);
  if (beginning.bytes.length === 0) return;
  const free = beginning.isWhole ? await body.share?.waitToUnpack() : undefined;
  try {
    yield* decompressed(body, beginning);
  } finally {
    free?.();
  }
}

/** The packed bytes up to a bound; `isWhole`: there are no more. */
interface Beginning {
  readonly bytes: Buffer;
  readonly isWhole: boolean;
}

async function readBeginning(body: Packed): Promise<Beginning> {
  const pieces: Buffer[] = [];
  for await (const piece of body.packed.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    pieces.push(piece);
    body.received += piece.length;
    const refusal = body.share?.take(piece.length);
    if (refusal) throw refusal;
    if (body.received > body.limit) throw tooLarge(body.limit);
    if (body.received > MOST_WAITING) return { bytes: Buffer.concat(pieces), isWhole: false };
  }
  return { bytes: Buffer.concat(pieces), isWhole: true };
}

async function* decompressed(body: Packed, beginning: Beginning): AsyncGenerator<Buffer> {
  const { packed, limit } = body;
  const unpacker = body.open(beginning.bytes[0] ?? 0);
  const broken = feed(body, unpacker, beginning);
  let size = 0;
  try {
    // Decompressors give Buffers.
    for await (const piece of unpacker as AsyncIterable<Buffer>) {
      size += piece.length;
      if (size > limit) throw tooLarge(limit);
      yield piece;
    }
  } catch (error) {
    throw error instanceof GatewayError ? error : (broken.cause ?? notPacked(error));
  } finally {
    packed.unpipe(unpacker);
    unpacker.destroy();
    // Read the rest of a refused body: a caller that is blocked in sending would never read the answer.
    packed.resume();
  }
}

/** Pipes the body into its decompressor. The result's `cause` is the error that ended the body itself early, if any. */
function feed(body: Packed, unpacker: Transform, { bytes, isWhole }: Beginning): { cause: unknown } {
  const broken: { cause: unknown } = { cause: undefined };
  const count = ({ length }: Buffer) => {
    body.received += length;
    if (body.received > body.limit) unpacker.destroy(tooLarge(body.limit));
  };
  if (isWhole) {
    unpacker.end(bytes);
    return broken;
  }
  body.packed.once('error', (cause) => {
    broken.cause = cause;
    unpacker.destroy(cause);
  });
  unpacker.write(bytes);
  body.packed.on('data', count);
  body.packed.pipe(unpacker);
  return broken;
}

function tooLarge(limit: number): ErrorOf<BodyName, 413> {
  const message = `The request body is over the limit of ${Math.round(limit / 1_048_576)} MiB, which holds for what is unpacked.`;
  return new GatewayError('request_too_large', { message });
}

function notPacked(cause: unknown): ErrorOf<BodyName, 400> {
  // zlib's errors carry a code.
  const isWide = (cause as NodeJS.ErrnoException).code === 'ZSTD_error_frameParameter_windowTooLarge';
  const why = isWide ? 'its zstd window is over 8 MiB' : 'it is broken, or not what content-encoding says';
  return new GatewayError('invalid_json', { message: `The request body cannot be unpacked: ${why}.`, cause });
}

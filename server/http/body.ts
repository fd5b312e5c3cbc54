/** Decompresses request bodies while they arrive, up to the size limit of the route (413, 415). */

import { isUtf8 } from 'node:buffer';
import { Readable, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib';
import { errorCodes, type FastifyInstance, type FastifyRequest, type RequestPayload } from 'fastify';
import { isShallow, isWithin, MAX_LEVELS } from '../../contract/shared/bounds.ts';
import { type JsonBody, jsonBody, withoutTwins } from '../dialects/wire/json-body.ts';
import { type Outline, outlineOf } from '../dialects/wire/json-places.ts';
import { type BodyCode, type BodyName, type ErrorOf, GatewayError, shown } from '../errors.ts';
import { BODY_WEIGHT, type BodyShare, PACKED_WEIGHT } from '../limits/body-memory.ts';
import { ownTurn } from '../primitives/shared-timeout.ts';
import type { RequestContext } from '../request/context.ts';
import { routeOptionsOf } from './load-shedding.ts';

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

/** The content encoding in lower case; empty if the body isn't compressed. */
function encodingOf({ headers }: FastifyRequest): string {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  return encoding === 'identity' ? '' : encoding;
}

export const isPacked = (request: FastifyRequest): boolean => encodingOf(request) !== '';

/** The error that the body's headers alone deserve, if any. Checked after the key and before the body. */
export function rejectBody(request: FastifyRequest): GatewayError | undefined {
  return rejectLarge(request) ?? rejectPacked(request);
}

/** Fastify would check the type before the size. It reads no body of a GET, and the parts of a form are measured while they arrive. */
function rejectLarge(request: FastifyRequest): ErrorOf<BodyName, 413> | undefined {
  const { method, headers } = request;
  const { bodyLimit = 0, config } = routeOptionsOf(request);
  const isRead = method !== 'GET' && method !== 'HEAD' && !(config.takesForms && isForm(headers));
  if (!isRead || !(Number(headers['content-length']) > bodyLimit)) return undefined;
  const message = `The request body exceeds ${Math.round(bodyLimit / 1_048_576)} MiB.`;
  return new GatewayError('request_too_large', { message });
}

export const isForm = (headers: FastifyRequest['headers']) =>
  headers['content-type']?.toLowerCase().startsWith('multipart/form-data') === true;

/** Rejects encodings that we don't decompress. */
function rejectPacked(request: FastifyRequest): GatewayError | undefined {
  const encoding = encodingOf(request);
  // The body of a GET isn't read, whatever its encoding.
  if (encoding === '' || request.method === 'GET' || request.method === 'HEAD') return undefined;
  const named = `content-encoding '${shown(request.headers['content-encoding'] ?? '').slice(0, 64)}'`;
  if (encoding.includes(','))
    return unsupported(`Stacked content encodings are not supported: ${named}. Send the body uncompressed, or with one of ${TAKEN}.`);
  if (!formats.has(encoding)) return unsupported(`Unsupported ${named}. Send the body uncompressed, or with one of ${TAKEN}.`);
  // On routes without forms the type is wrong, and the content-type check reports that.
  if (isForm(request.headers) && request.routeOptions.config.takesForms)
    return unsupported(`Forms can't be compressed. Send the form without ${named}.`);
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
  // The parser destroys a body that it rejects. Nothing listens for an error after that, and an unhandled error would end the process.
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
const MAX_WAITING = 256 * 1024;

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

/** The compressed bytes up to a bound; `isWhole`: these are all of them. */
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
    if (body.received > MAX_WAITING) return { bytes: Buffer.concat(pieces), isWhole: false };
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
    // Read the rest of a rejected body: a caller that is blocked in sending would never read the response.
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
  const message = `The request body exceeds ${Math.round(limit / 1_048_576)} MiB after decompression.`;
  return new GatewayError('request_too_large', { message });
}

function notPacked(cause: unknown): ErrorOf<BodyName, 400> {
  // zlib's errors carry a code.
  const isWide = (cause as NodeJS.ErrnoException).code === 'ZSTD_error_frameParameter_windowTooLarge';
  const why = isWide ? 'its zstd window exceeds 8 MiB' : "it's corrupt, or doesn't match 'content-encoding'";
  return new GatewayError('invalid_json', { message: `The request body can't be decompressed: ${why}.`, cause });
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The bytes of a JSON body as received; null for any other body. */
    bodyBytes: Buffer | null;
    /** Where the top-level fields are in these bytes. */
    bodyOutline: Outline | null;
    /** The body as it was sent, where the contract checks one in which values of a provider are replaced. */
    bodyAsSent: Readonly<Record<string, unknown>> | null;
  }
}

const notJson = (why: string): ErrorOf<BodyName, 400> =>
  new GatewayError('invalid_json', { message: `The request body isn't valid JSON: ${why}.` });

interface Parsed {
  readonly value: Readonly<Record<string, unknown>>;
  readonly outline: Outline;
}

function parse(bytes: Buffer): Parsed {
  if (bytes.length === 0) throw notJson("it's empty. Send one JSON object");
  // JSON is UTF-8 (RFC 8259, 8.1). Decoding other bytes would validate another text than the one that goes to the upstream.
  if (!isUtf8(bytes)) throw notJson("it isn't encoded in UTF-8");
  if (isTooDense(bytes))
    throw new GatewayError<BodyCode>('request_too_large', { message: `The request body contains more than ${MAX_VALUES} values.` });
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString());
  } catch (error) {
    throw notJson(placeOf(error));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw notJson('it must be one JSON object');
  const outline = outlineOf(bytes);
  // The deepest value may stand under a name that is there twice, of which the parser has kept the other one.
  if (outline.levels > MAX_LEVELS && !isShallow(value, MAX_LEVELS)) throw tooDeep(value);
  // An object: checked above.
  return { value: value as Record<string, unknown>, outline };
}

function tooDeep(body: object): ErrorOf<BodyName, 400> {
  const [param = ''] = Object.entries(body).find(([, value]) => !isWithin(value, MAX_LEVELS - 1)) ?? [];
  return new GatewayError('invalid_value', {
    param,
    message: `'${shown(param)}' is nested too deeply: a request body can have at most ${MAX_LEVELS} levels.`,
  });
}

/** The position where the parser stopped. The parser's own message isn't used: it quotes the text, which may be a prompt. */
function placeOf(error: unknown): string {
  const at = error instanceof Error ? /at position (\d+)/.exec(error.message)?.[1] : undefined;
  return at === undefined ? 'it ends too early or is malformed' : `it's malformed at position ${at}`;
}

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;
export const isJson = (type: string | undefined): boolean => type !== undefined && JSON_TYPE.test(type);

/** In bytes: a body of this size takes many milliseconds to parse and to validate. */
const LARGE_BODY = 1_048_576;

/** Memory for bodies is limited where the entrance has opened a share for the call. The operators' listener has no calls. */
export function acceptJson(app: FastifyInstance): void {
  app.decorateRequest('bodyBytes', null);
  app.decorateRequest('bodyOutline', null);
  app.decorateRequest('bodyAsSent', null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(JSON_TYPE, (request, payload, done) => {
    const call: RequestContext | undefined = request.call;
    const share = call?.share ?? null;
    gatherBody({ request, payload, share }, (...[failure, bytes]) => {
      if (failure !== null) return done(failure);
      // A DELETE has no body; some clients send a content type anyway.
      if (request.method === 'DELETE' && bytes.length === 0) return done(null, undefined);
      const read = () => {
        try {
          const { value, outline } = parse(bytes);
          request.bodyBytes = bytes;
          request.bodyOutline = outline;
          share?.endReading();
          share?.lowerTo(bytes.length * BODY_WEIGHT);
          done(null, value);
        } catch (error) {
          // `parse` throws GatewayError only.
          done(error as GatewayError);
        }
      };
      if (bytes.length < LARGE_BODY) read();
      else void ownTurn().then(read);
    });
  });
}

/** The parsed body together with its bytes. */
export function jsonBodyOf(request: FastifyRequest): JsonBody {
  // The parser accepts objects only.
  const value = request.bodyAsSent ?? (request.body as Readonly<Record<string, unknown>>);
  const { bodyBytes: bytes, bodyOutline: outline } = request;
  return bytes && outline ? withoutTwins({ kind: 'json', value, bytes }, outline) : jsonBody(value);
}

type Done = (...result: [failure: Error] | [failure: null, bytes: Buffer]) => void;

interface Incoming {
  readonly request: FastifyRequest;
  /** The body after decompression. */
  readonly payload: RequestPayload;
  /** Null if memory for bodies isn't limited. */
  readonly share: BodyShare | null;
}

/** In bytes: a body of this size is put together as it arrives, so that it isn't in memory twice. */
const LARGE_CHUNK = 65_536;

function gatherBody({ request, payload, share }: Incoming, done: Done): void {
  const limit = routeOptionsOf(request).bodyLimit ?? 0;
  const isPlain = payload === request.raw;
  const weight = isPlain ? BODY_WEIGHT : PACKED_WEIGHT;
  const announced = Number(request.headers['content-length']);
  const pieces: Buffer[] = [];
  // Node reads no more of a plain body than was announced. The system provides memory only for the pages that are written.
  const whole = isPlain && announced > LARGE_CHUNK && announced <= limit ? Buffer.allocUnsafeSlow(announced) : null;
  let size = 0;
  let isOver = false;
  const end = (error: Error | null): void => {
    if (isOver) return;
    isOver = true;
    if (error) {
      pieces.length = 0;
      return void done(error);
    }
    const bytes = whole ?? joined(pieces, size);
    // Free the chunks before parsing, which needs as much memory again.
    pieces.length = 0;
    done(null, bytes);
  };
  const add = (piece: Buffer): void => {
    if (isOver) return;
    size += piece.length;
    const error = errorFor(piece.length);
    if (!error) return void (whole ? piece.copy(whole, size - piece.length) : pieces.push(piece));
    // The rest is discarded as it arrives and not decompressed.
    if (!isPlain) payload.destroy();
    end(error);
  };
  const errorFor = (bytes: number): Error | null => {
    if (Math.max(size, payload.receivedEncodedLength ?? 0) > limit) return new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
    return share?.take(bytes * weight) ?? null;
  };
  const finish = (): void => {
    const received = payload.receivedEncodedLength || size;
    const isShort = !Number.isNaN(announced) && received !== announced;
    end(isShort ? new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH() : null);
  };
  payload.on('data', add);
  payload.on('end', finish);
  payload.on('error', end);
  payload.resume();
}

/** A copy, unless there is one piece that owns its memory: a view would keep the whole buffer that the socket was read into. */
function joined(pieces: readonly Buffer[], size: number): Buffer {
  const [only] = pieces;
  return only && pieces.length === 1 && only.buffer.byteLength === size ? only : Buffer.concat(pieces, size);
}

/** Smaller texts can't hold enough values to matter. */
const HARMLESS_BYTES = 256 * 1024;
/**
 * More than any conversation has: one of 4,096 items with a hundred tools has half as many. The worst case is a tool's schema whose fields all have
 * different names: translating this many blocks the event loop for 100 ms.
 */
export const MAX_VALUES = 80_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** `,`, `[` and `{`: one of them precedes each value. */
const openers = new Uint8Array(256);
for (const character of ',[{') openers[character.charCodeAt(0)] = 1;

/** Whether the text holds more than `MAX_VALUES` values. Skips strings. For a text that isn't JSON the count means nothing. A plain loop is faster here than native searches, because the strings are short. */
export function isTooDense(bytes: Buffer): boolean {
  const { length } = bytes;
  if (length < HARMLESS_BYTES || isProbablySimple(bytes)) return false;
  let values = 0;
  let isInString = false;
  for (let at = 0; at < length && values <= MAX_VALUES; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) isInString = !isInString;
    else if (!isInString) values += openers[byte] ?? 0;
    else if (byte === BACKSLASH) at++;
  }
  return values > MAX_VALUES;
}

const BLOCK_BYTES = 64 * 1024;
const SAMPLE_BYTES = 4 * 1024;

/** Estimates from a random sample of each block, so that callers can't hide values between samples. Strings are counted too, so the estimate is rather too high. */
function isProbablySimple(bytes: Buffer): boolean {
  let found = 0;
  for (let block = 0; block < bytes.length; block += BLOCK_BYTES) {
    const start = block + Math.floor(Math.random() * (BLOCK_BYTES - SAMPLE_BYTES));
    const end = Math.min(start + SAMPLE_BYTES, bytes.length);
    for (let at = start; at < end; at++) found += openers[bytes[at] ?? 0] ?? 0;
  }
  return found * (BLOCK_BYTES / SAMPLE_BYTES) < MAX_VALUES / 2;
}

/** Reads the messages of AWS's binary event stream, and verifies their checksums. */
import { crc32 } from 'node:zlib';

export interface Message {
  /** String headers only, by name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly payload: Buffer;
}

const PRELUDE_LENGTH = 12;
const TRAILER_LENGTH = 4;
/** The same maximum as for a Server-Sent Events frame. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

export class AwsEventStreamReader {
  readonly #headerCache = new HeaderCache();
  #pendingChunks: Buffer[] = [];
  #pendingBytes = 0;
  /** Chunks are joined only once this many bytes have arrived, because a long message comes in many chunks. */
  #requiredBytes = PRELUDE_LENGTH;

  /** Returns complete messages, in order. Throws if a checksum is wrong or a message is too long. */
  push(chunk: Buffer): readonly Message[] {
    this.#pendingChunks.push(chunk);
    this.#pendingBytes += chunk.length;
    if (this.#pendingBytes < this.#requiredBytes) return [];
    let bytes = this.#pendingChunks.length === 1 ? chunk : Buffer.concat(this.#pendingChunks);
    const messages: Message[] = [];
    let length = readLength(bytes);
    while (length <= bytes.length) {
      messages.push(readMessage(bytes.subarray(0, length), this.#headerCache));
      bytes = bytes.subarray(length);
      length = readLength(bytes);
    }
    this.#pendingChunks = bytes.length === 0 ? [] : [bytes];
    this.#pendingBytes = bytes.length;
    this.#requiredBytes = length;
    return messages;
  }

  /** Whether the stream ended inside a message. */
  get hasPartialMessage(): boolean {
    return this.#pendingBytes > 0;
  }
}

/**
 * Returns the bytes needed for the next message, or for its prelude if that is incomplete. Checks the prelude's checksum before waiting for more; a
 * complete message is covered by its own checksum.
 */
function readLength(bytes: Buffer): number {
  if (bytes.length < PRELUDE_LENGTH) return PRELUDE_LENGTH;
  const length = bytes.readUInt32BE(0);
  if (length > bytes.length && crc32(bytes.subarray(0, 8)) !== bytes.readUInt32BE(8))
    throw createInvalidStreamError('the checksum of a message prelude is wrong');
  if (length < PRELUDE_LENGTH + TRAILER_LENGTH || length > MAX_MESSAGE_BYTES)
    throw createInvalidStreamError(`a message has an invalid length of ${length} bytes`);
  return length;
}

const createInvalidStreamError = (reason: string): Error => new Error(`The event stream is invalid: ${reason}.`);

function readMessage(bytes: Buffer, headerCache: HeaderCache): Message {
  const end = bytes.length - TRAILER_LENGTH;
  if (crc32(bytes.subarray(0, end)) !== bytes.readUInt32BE(end)) throw createInvalidStreamError('the checksum of a message is wrong');
  const headersEnd = PRELUDE_LENGTH + bytes.readUInt32BE(4);
  if (headersEnd > end) throw createInvalidStreamError('the headers of a message are longer than the message');
  return { headers: headerCache.read(bytes.subarray(PRELUDE_LENGTH, headersEnd)), payload: bytes.subarray(headersEnd, end) };
}

/** Caches the previous message's headers: events of one kind have identical header bytes, which are parsed once. */
class HeaderCache {
  #bytes = Buffer.alloc(0);
  #headers: ReadonlyMap<string, string> = new Map();

  read(bytes: Buffer): ReadonlyMap<string, string> {
    if (bytes.equals(this.#bytes)) return this.#headers;
    this.#headers = readHeaders(bytes);
    this.#bytes = Buffer.from(bytes);
    return this.#headers;
  }
}

/** Value size in bytes by type. Types 6 and 7 start with their length. */
const valueSizes: Readonly<Record<number, number>> = { 0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16 };
const STRING_TYPE = 7;

function readHeaders(bytes: Buffer): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  let at = 0;
  const requireBytes = (count: number): void => {
    if (at + count > bytes.length) throw createInvalidStreamError('a header is longer than the headers');
  };
  while (at < bytes.length) {
    const nameEnd = at + 1 + bytes.readUInt8(at);
    requireBytes(nameEnd - at + 1);
    const name = bytes.toString('utf8', at + 1, nameEnd);
    const type = bytes.readUInt8(nameEnd);
    at = nameEnd + 1;
    const hasLengthPrefix = type === STRING_TYPE || type === 6;
    if (hasLengthPrefix) requireBytes(2);
    const size = hasLengthPrefix ? bytes.readUInt16BE(at) : valueSizes[type];
    if (size === undefined) throw createInvalidStreamError(`a header has the unknown type ${type}`);
    if (hasLengthPrefix) at += 2;
    requireBytes(size);
    if (type === STRING_TYPE) headers.set(name, bytes.toString('utf8', at, at + size));
    at += size;
  }
  return headers;
}

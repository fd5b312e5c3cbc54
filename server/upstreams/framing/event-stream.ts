/** Messages of AWS's event stream, cut out of the bytes of an answer wherever these are split. */
import { crc32 } from 'node:zlib';

export interface Message {
  /** By name; only texts. */
  readonly headers: ReadonlyMap<string, string>;
  readonly payload: Buffer;
}

const PRELUDE = 12;
const TRAILER = 4;
/** As much as a frame of Server-Sent Events may have. */
const MOST_BYTES = 16 * 1024 * 1024;

export class EventStreamReader {
  readonly #known = new KnownHeaders();
  #waiting: Buffer[] = [];
  #size = 0;
  /** Joined anew only when this many bytes are here: a long message comes in many chunks. */
  #needed = PRELUDE;

  /** Whole messages, in order. Throws for a sum that is wrong, and for a message that is too long. */
  take(chunk: Buffer): readonly Message[] {
    this.#waiting.push(chunk);
    this.#size += chunk.length;
    if (this.#size < this.#needed) return [];
    let bytes = this.#waiting.length === 1 ? chunk : Buffer.concat(this.#waiting);
    const messages: Message[] = [];
    let length = lengthOf(bytes);
    while (length <= bytes.length) {
      messages.push(readMessage(bytes.subarray(0, length), this.#known));
      bytes = bytes.subarray(length);
      length = lengthOf(bytes);
    }
    this.#waiting = bytes.length === 0 ? [] : [bytes];
    this.#size = bytes.length;
    this.#needed = length;
    return messages;
  }

  /** Whether the bytes ended inside a message. */
  get isInside(): boolean {
    return this.#size > 0;
  }
}

/** How many bytes are needed for the next message; for its opening while that is not here. The first sum is checked before a length is waited for; of a message that is here, the second sum covers all. */
function lengthOf(bytes: Buffer): number {
  if (bytes.length < PRELUDE) return PRELUDE;
  const length = bytes.readUInt32BE(0);
  if (length > bytes.length && crc32(bytes.subarray(0, 8)) !== bytes.readUInt32BE(8)) throw broken('the sum of its opening is wrong');
  if (length < PRELUDE + TRAILER || length > MOST_BYTES) throw broken(`a message has ${length} bytes`);
  return length;
}

const broken = (why: string): Error => new Error(`The event stream is broken: ${why}.`);

function readMessage(bytes: Buffer, known: KnownHeaders): Message {
  const end = bytes.length - TRAILER;
  if (crc32(bytes.subarray(0, end)) !== bytes.readUInt32BE(end)) throw broken('the sum of a message is wrong');
  const headersEnd = PRELUDE + bytes.readUInt32BE(4);
  if (headersEnd > end) throw broken('the headers of a message are longer than it');
  return { headers: known.read(bytes.subarray(PRELUDE, headersEnd)), payload: bytes.subarray(headersEnd, end) };
}

/** The headers of the message before: those of events of one kind are the same bytes, and are read once. */
class KnownHeaders {
  #bytes = Buffer.alloc(0);
  #headers: ReadonlyMap<string, string> = new Map();

  read(bytes: Buffer): ReadonlyMap<string, string> {
    if (bytes.equals(this.#bytes)) return this.#headers;
    this.#headers = readHeaders(bytes);
    this.#bytes = Buffer.from(bytes);
    return this.#headers;
  }
}

/** How long a value is by its type; 6 and 7 begin with their length. */
const sizes: Readonly<Record<number, number>> = { 0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16 };
const TEXT = 7;

function readHeaders(bytes: Buffer): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  let at = 0;
  const need = (count: number): void => {
    if (at + count > bytes.length) throw broken('a header is longer than the headers');
  };
  while (at < bytes.length) {
    const nameEnd = at + 1 + bytes.readUInt8(at);
    need(nameEnd - at + 1);
    const name = bytes.toString('utf8', at + 1, nameEnd);
    const type = bytes.readUInt8(nameEnd);
    at = nameEnd + 1;
    const isLong = type === TEXT || type === 6;
    if (isLong) need(2);
    const size = isLong ? bytes.readUInt16BE(at) : sizes[type];
    if (size === undefined) throw broken(`a header has the type ${type}`);
    if (isLong) at += 2;
    need(size);
    if (type === TEXT) headers.set(name, bytes.toString('utf8', at, at + size));
    at += size;
  }
  return headers;
}

/** Writes JSON in pieces, so that a long text, which may be an image of many megabytes, becomes bytes without another copy. */
import { randomUUID } from 'node:crypto';
import { isFields } from '../../contract/rule.ts';

/** A text of at least so many characters is written as bytes. */
const LONG = 65_536;
/** So many characters of a long text are escaped at a time. */
const AT_ONCE = 32_768;

/** A long text in a JSON document. `bytes` is its written length, with its quotes. */
interface LongText {
  readonly text: string;
  readonly bytes: number;
  /** Whether it needs no escapes and each character is one byte. */
  readonly isPlain: boolean;
}

/** A document, or any part of one. */
export interface Pieces {
  readonly parts: readonly (string | LongText)[];
  readonly bytes: number;
}

/** Stands for a long text while the rest is written. It is random, so that no caller can send it. */
const MARK = randomUUID();

/** What JSON.stringify writes of this value, in pieces. */
export function jsonPieces(value: unknown): Pieces {
  if (!holdsLong(value)) return plainPieces(JSON.stringify(value));
  const long: LongText[] = [];
  const written = JSON.stringify(value, (_name, inner: unknown) => (isLong(inner) ? `${MARK}:${long.push(measure(inner)) - 1}` : inner));
  const [first = '', ...rest] = written.split(`"${MARK}:`);
  const parts = [first, ...rest.flatMap((piece) => withLong(piece, long))];
  return { parts, bytes: sum(parts) };
}

/** Each piece begins with the index of the long text before it, and a quote. */
function withLong(piece: string, long: readonly LongText[]): readonly (string | LongText)[] {
  const quote = piece.indexOf('"');
  return [long[Number(piece.slice(0, quote))] ?? '', piece.slice(quote + 1)];
}

/** A text that is JSON already, as pieces. */
export const plainPieces = (text: string): Pieces => ({ parts: [text], bytes: Buffer.byteLength(text) });

/** The pieces in order. */
export const joinPieces = (all: readonly Pieces[]): Pieces => ({
  parts: all.flatMap(({ parts }) => parts),
  bytes: all.reduce((total, { bytes }) => total + bytes, 0),
});

/** A string; a buffer with memory of its own when one of the texts is long. */
export function writePieces({ parts, bytes }: Pieces): string | Buffer<ArrayBuffer> {
  if (parts.every((part) => typeof part === 'string')) return parts.join('');
  const out = Buffer.allocUnsafeSlow(bytes);
  let at = 0;
  for (const part of parts) at += typeof part === 'string' ? out.write(part, at) : writeLong(part, out, at);
  return out;
}

const isLong = (value: unknown): value is string => typeof value === 'string' && value.length >= LONG;

function holdsLong(value: unknown): boolean {
  if (typeof value === 'string') return isLong(value);
  if (Array.isArray(value)) return value.some(holdsLong);
  return isFields(value) && Object.values(value).some(holdsLong);
}

const sum = (parts: Pieces['parts']): number =>
  parts.reduce((total, part) => total + (typeof part === 'string' ? Buffer.byteLength(part) : part.bytes), 0);

function measure(text: string): LongText {
  let bytes = 2;
  for (const escaped of eachEscaped(text)) bytes += Buffer.byteLength(escaped);
  return { text, bytes, isPlain: bytes === text.length + 2 };
}

/** Returns the number of bytes written. */
function writeLong({ text, bytes, isPlain }: LongText, out: Buffer, start: number): number {
  let at = start + out.write('"', start);
  if (isPlain) at += out.write(text, at, 'latin1');
  else for (const escaped of eachEscaped(text)) at += out.write(escaped, at);
  out.write('"', at);
  return bytes;
}

/** The escaped text between its quotes, in parts. */
function* eachEscaped(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const end = at + AT_ONCE - (isLeading(text.charCodeAt(at + AT_ONCE - 1)) ? 1 : 0);
    yield JSON.stringify(text.slice(at, end)).slice(1, -1);
    at = end;
  }
}

/** Whether it is a leading surrogate, which must not be separated from its second half. */
const isLeading = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

/** Writes JSON in pieces: long texts are escaped part by part and written as bytes. */
import { randomUUID } from 'node:crypto';
import { isFields } from '../primitives/fields.ts';

/** In characters. Longer texts are written as bytes. */
const LONG_TEXT_LENGTH = 65_536;

/** Characters of a long text that are escaped at a time. */
const ESCAPE_CHUNK_LENGTH = 32_768;

/** A long text in a JSON document. `bytes` is its serialized length, including the quotes. */
interface LongText {
  readonly text: string;
  readonly bytes: number;
  /** Whether the text needs no escapes and each character is one byte. */
  readonly isPlain: boolean;
}

/** A JSON document, or any part of one. */
export interface JsonPieces {
  readonly parts: readonly (string | LongText)[];
  readonly bytes: number;
}

/** Stands for a long text while the other fields are serialized. Random, so that no caller can send it. */
const PLACEHOLDER = randomUUID();

/** Returns the output of JSON.stringify for this value, in pieces. */
export function toJsonPieces(value: unknown): JsonPieces {
  if (!hasLongText(value)) return toPlainPieces(JSON.stringify(value));
  const longTexts: LongText[] = [];
  const markedJson = JSON.stringify(value, (_name, inner: unknown) =>
    isLongText(inner) ? `${PLACEHOLDER}:${longTexts.push(measureText(inner)) - 1}` : inner,
  );
  const [first = '', ...pieces] = markedJson.split(`"${PLACEHOLDER}:`);
  const parts = [first, ...pieces.flatMap((piece) => insertLongText(piece, longTexts))];
  return { parts, bytes: sumBytes(parts) };
}

/** Each piece starts with the index of the long text before it, and a quote. */
function insertLongText(piece: string, longTexts: readonly LongText[]): readonly (string | LongText)[] {
  const quote = piece.indexOf('"');
  return [longTexts[Number(piece.slice(0, quote))] ?? '', piece.slice(quote + 1)];
}

/** Converts text that is already JSON to pieces. */
export const toPlainPieces = (text: string): JsonPieces => ({ parts: [text], bytes: Buffer.byteLength(text) });

export const joinPieces = (all: readonly JsonPieces[]): JsonPieces => ({
  parts: all.flatMap(({ parts }) => parts),
  bytes: all.reduce((total, { bytes }) => total + bytes, 0),
});

/** Returns a string, or a buffer with separate memory if one of the texts is long. */
export function writePieces({ parts, bytes }: JsonPieces): string | Buffer<ArrayBuffer> {
  if (parts.every((part) => typeof part === 'string')) return parts.join('');
  const output = Buffer.allocUnsafeSlow(bytes);
  let offset = 0;
  for (const part of parts) offset += typeof part === 'string' ? output.write(part, offset) : writeLongText(part, output, offset);
  return output;
}

const isLongText = (value: unknown): value is string => typeof value === 'string' && value.length >= LONG_TEXT_LENGTH;

function hasLongText(value: unknown): boolean {
  if (typeof value === 'string') return isLongText(value);
  if (Array.isArray(value)) return value.some(hasLongText);
  return isFields(value) && Object.values(value).some(hasLongText);
}

const sumBytes = (parts: JsonPieces['parts']): number =>
  parts.reduce((total, part) => total + (typeof part === 'string' ? Buffer.byteLength(part) : part.bytes), 0);

function measureText(text: string): LongText {
  let bytes = 2;
  for (const escaped of escapeInParts(text)) bytes += Buffer.byteLength(escaped);
  return { text, bytes, isPlain: bytes === text.length + 2 };
}

/** Returns the number of bytes written. */
function writeLongText({ text, bytes, isPlain }: LongText, output: Buffer, start: number): number {
  let offset = start + output.write('"', start);
  if (isPlain) offset += output.write(text, offset, 'latin1');
  else for (const escaped of escapeInParts(text)) offset += output.write(escaped, offset);
  output.write('"', offset);
  return bytes;
}

/** Yields the escaped text without its quotes, in parts. */
function* escapeInParts(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = start + ESCAPE_CHUNK_LENGTH - (isLeadingSurrogate(text.charCodeAt(start + ESCAPE_CHUNK_LENGTH - 1)) ? 1 : 0);
    yield JSON.stringify(text.slice(start, end)).slice(1, -1);
    start = end;
  }
}

/** A leading surrogate must stay in the same part as its second half. */
const isLeadingSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

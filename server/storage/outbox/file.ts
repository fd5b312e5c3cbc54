/** One file of the spool: its lines, each with a checksum, in room that was taken from the disk beforehand. */
import { closeSync, constants, fdatasync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, write, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { syncFolder } from './sync-folder.ts';

/** A line that reads as it was written, and where it is. */
export interface SpooledLine {
  readonly offset: number;
  readonly bytes: number;
  readonly record: unknown;
}

export interface Scan {
  readonly lines: readonly SpooledLine[];
  /** Lines before the last sound one that do not match their checksum: something else than a crash has damaged them. */
  readonly damaged: number;
  /** Behind the last sound line. */
  readonly end: number;
}

/** Bytes that are taken at the start, so that a disk that is full later still takes some thousand records. */
export const RESERVED_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;
const CHECKSUM_LENGTH = 8;

const writeTo = promisify(write);
const syncData = promisify(fdatasync);

/** Private to its owner, its room taken, and on disk with its name. Room without a record is empty lines. */
export function openSpoolFile(path: string): number {
  const file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  try {
    const { size } = fstatSync(file);
    // Written and not only set as its size: a hole has no room of its own.
    if (size < RESERVED_BYTES) writeSync(file, emptyLines(RESERVED_BYTES - size), 0, RESERVED_BYTES - size, size);
    fsyncSync(file);
    syncFolder(dirname(path));
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** `length`: how much of the file is read. */
export function scan(file: number, length = fstatSync(file).size): Scan {
  const text = Buffer.alloc(length);
  return scanText(text.subarray(0, readSync(file, text, 0, length, 0)));
}

/** A torn line at the end is left out without a word, and written over by the next record: nobody was told that it is kept. */
function scanText(text: Buffer): Scan {
  const lines: SpooledLine[] = [];
  let [end, damaged, unsound] = [0, 0, 0];
  for (let offset = 0; offset < text.length; ) {
    // The empty lines of the reserved room are a million: nothing is made for them.
    if (text[offset] === NEWLINE) {
      offset++;
      continue;
    }
    const found = text.indexOf(NEWLINE, offset);
    const stop = found < 0 ? text.length : found;
    const payload = found < 0 ? undefined : payloadOf(text.subarray(offset, stop));
    if (payload === undefined) unsound++;
    else {
      lines.push({ offset, bytes: stop - offset, record: JSON.parse(payload, untag) });
      [end, damaged, unsound] = [stop + 1, damaged + unsound, 0];
    }
    offset = stop + 1;
  }
  return { lines, damaged, end };
}

function payloadOf(line: Buffer): string | undefined {
  if (line.length <= CHECKSUM_LENGTH + 1 || line[CHECKSUM_LENGTH] !== 0x20) return undefined;
  const payload = line.subarray(CHECKSUM_LENGTH + 1);
  return line.toString('latin1', 0, CHECKSUM_LENGTH) === checksumOf(payload) ? payload.toString() : undefined;
}

const checksumOf = (payload: Buffer): string => crc32(payload).toString(16).padStart(CHECKSUM_LENGTH, '0');

/** JSON keeps its line breaks escaped, so that a record is one line. */
export function frameRecord(record: object): Buffer {
  const payload = Buffer.from(JSON.stringify(record, tag));
  return Buffer.concat([Buffer.from(`${checksumOf(payload)} `), payload, Buffer.of(NEWLINE)]);
}

/** JSON has no bigint: it is a string that begins with `n:`, and a string that begins so gets an `s:` before it. */
const tag = (_: string, value: unknown): unknown => {
  if (typeof value === 'bigint') return `n:${value}`;
  return typeof value === 'string' && /^[ns]:/.test(value) ? `s:${value}` : value;
};

const untag = (_: string, value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  if (value.startsWith('n:')) return BigInt(value.slice(2));
  return value.startsWith('s:') ? value.slice(2) : value;
};

/** On disk when it resolves. */
export async function writeDurably(file: number, pieces: readonly { readonly bytes: Buffer; readonly offset: number }[]): Promise<void> {
  for (const { bytes, offset } of pieces) {
    for (let done = 0; done < bytes.length; ) {
      done += (await writeTo(file, bytes, done, bytes.length - done, offset + done)).bytesWritten;
    }
  }
  await syncData(file);
}

export const emptyLines = (length: number): Buffer => Buffer.alloc(length, NEWLINE);

/** Gives back what a long outage took beyond the reserved room. */
export function shrink(file: number): void {
  if (fstatSync(file).size > RESERVED_BYTES) ftruncateSync(file, RESERVED_BYTES);
}

/** Reads the plain kind of PNG that people upload: eight bits a channel, not interlaced, no palette. */
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { createPicture, type Picture } from './picture.ts';
import { pngSignature } from './png.ts';

const inflateAsync = promisify(inflate);
/** A small file may claim to be a huge picture. */
const MOST_PIXELS = 12_000_000;
const channelsOfType: Readonly<Record<number, number>> = { 0: 1, 2: 3, 4: 2, 6: 4 };

interface Header {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
}

/** null: no PNG, or one of a kind that is not read here, or a broken one. */
export async function readPng(file: Buffer): Promise<Picture | null> {
  const header = readHeader(file);
  if (!header) return null;
  const size = (header.width * header.channels + 1) * header.height;
  const rows = await inflateAsync(joinData(file), { maxOutputLength: size }).catch(() => null);
  if (rows?.length !== size) return null;
  unfilter(rows, header);
  return toPicture(rows, header);
}

function readHeader(file: Buffer): Header | null {
  if (file.length < 45 || !file.subarray(0, 8).equals(pngSignature)) return null;
  const width = file.readUInt32BE(16);
  const height = file.readUInt32BE(20);
  const channels = channelsOfType[file.readUInt8(25)];
  const isPlain = file.readUInt8(24) === 8 && file.readUInt8(28) === 0;
  const fits = width > 0 && height > 0 && width * height <= MOST_PIXELS;
  return channels && isPlain && fits ? { width, height, channels } : null;
}

function joinData(file: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 8; at + 12 <= file.length; ) {
    const length = file.readUInt32BE(at);
    if (file.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(file.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  return Buffer.concat(parts);
}

/** Adds back, in place, what each row's filter took away. */
function unfilter(rows: Buffer, { width, height, channels }: Header): void {
  const stride = width * channels + 1;
  for (let y = 0; y < height; y += 1) {
    const start = y * stride + 1;
    const filter = rows[start - 1] ?? 0;
    for (let at = start; filter > 0 && at < start + stride - 1; at += 1) {
      const left = at - channels < start ? 0 : (rows[at - channels] ?? 0);
      const above = y === 0 ? 0 : (rows[at - stride] ?? 0);
      const corner = y === 0 || at - channels < start ? 0 : (rows[at - stride - channels] ?? 0);
      rows[at] = (rows[at] ?? 0) + predict(filter, { left, above, corner });
    }
  }
}

function predict(filter: number, { left, above, corner }: { left: number; above: number; corner: number }): number {
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  const guess = left + above - corner;
  const [toLeft, toAbove, toCorner] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

function toPicture(rows: Buffer, { width, height, channels }: Header): Picture {
  const picture = createPicture(width, height);
  const isGrey = channels < 3;
  const hasOpacity = channels % 2 === 0;
  for (let y = 0, to = 0; y < height; y += 1) {
    for (let x = 0, from = y * (width * channels + 1) + 1; x < width; x += 1, from += channels, to += 4) {
      picture.bytes[to] = rows[from] ?? 0;
      picture.bytes[to + 1] = rows[isGrey ? from : from + 1] ?? 0;
      picture.bytes[to + 2] = rows[isGrey ? from : from + 2] ?? 0;
      picture.bytes[to + 3] = hasOpacity ? (rows[from + channels - 1] ?? 0) : 255;
    }
  }
  return picture;
}

/** PNG files, written and read without the code of the simulator, to check it against the format. */
import { crc32, deflateSync, inflateSync } from 'node:zlib';

export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  /** Rows one after another, without filter bytes. */
  readonly bytes: Buffer;
}

const channelsOfType = new Map([
  [0, 1],
  [2, 3],
  [4, 2],
  [6, 4],
]);

/** Checks signature, checksums and order of the chunks. Only reads filters that need no row above. */
export function readPng(file: Buffer): Raster {
  if (file.toString('latin1', 0, 8) !== '\x89PNG\r\n\x1a\n') throw new Error('no PNG signature');
  const chunks: { type: string; data: Buffer }[] = [];
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at);
    const type = file.toString('latin1', at + 4, at + 8);
    if (crc32(file.subarray(at + 4, at + 8 + length)) !== file.readUInt32BE(at + 8 + length)) throw new Error(`bad checksum of ${type}`);
    chunks.push({ type, data: file.subarray(at + 8, at + 8 + length) });
    at += length + 12;
  }
  const [header, ...others] = chunks;
  if (header?.type !== 'IHDR' || others.map(({ type }) => type).join() !== 'IDAT,IEND') throw new Error('unexpected chunks');
  const [width, height] = [header.data.readUInt32BE(0), header.data.readUInt32BE(4)];
  const channels = channelsOfType.get(header.data.readUInt8(9)) ?? 0;
  const rows = inflateSync(others[0]?.data ?? Buffer.alloc(0));
  if (rows.length !== (width * channels + 1) * height) throw new Error('wrong amount of data');
  const bytes = Buffer.alloc(width * channels * height);
  for (let y = 0; y < height; y += 1) {
    const filter = rows[y * (width * channels + 1)] ?? 9;
    if (filter > 1) throw new Error(`filter ${filter}`);
    for (let x = 0; x < width * channels; x += 1) {
      const left = filter === 1 && x >= channels ? (bytes[y * width * channels + x - channels] ?? 0) : 0;
      bytes[y * width * channels + x] = (rows[y * (width * channels + 1) + 1 + x] ?? 0) + left;
    }
  }
  return { width, height, channels, bytes };
}

export function pixelAt({ width, channels, bytes }: Raster, x: number, y: number): number[] {
  return [...bytes.subarray((y * width + x) * channels, (y * width + x + 1) * channels)];
}

/** A file whose every row uses this filter, 0 to 4. */
export function writePng({ width, height, channels, bytes }: Raster, filter: number): Buffer {
  const stride = width * channels;
  const get = (x: number, y: number) => (x < 0 || y < 0 ? 0 : (bytes[y * stride + x] ?? 0));
  const rows = Buffer.alloc((stride + 1) * height);
  for (let y = 0; y < height; y += 1) {
    rows[y * (stride + 1)] = filter;
    for (let x = 0; x < stride; x += 1) {
      const guess = guesses[filter]?.(get(x - channels, y), get(x, y - 1), x < channels ? 0 : get(x - channels, y - 1));
      rows[y * (stride + 1) + 1 + x] = get(x, y) - (guess ?? 0);
    }
  }
  const type = [...channelsOfType].find(([, count]) => count === channels)?.[0] ?? 0;
  return assemblePng({ width, height, depth: 8, type, chunks: [['IDAT', deflateSync(rows)]] });
}

export interface Parts {
  readonly width: number;
  readonly height: number;
  /** Bits of a channel, or of a place in the palette. */
  readonly depth: number;
  /** As in the PNG header. */
  readonly type: number;
  readonly interlacing?: number;
  /** Between the first chunk and the last. */
  readonly chunks: readonly (readonly [name: string, data: Buffer])[];
}

export function assemblePng({ width, height, depth, type, interlacing = 0, chunks }: Parts): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, type, 0, 0, interlacing], 8);
  const all = [['IHDR', header] as const, ...chunks, ['IEND', Buffer.alloc(0)] as const];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...all.map(([name, data]) => chunk(name, data))]);
}

/** The prediction of each filter for a byte, from the bytes on its left, above it, and above that on its left. */
const guesses: readonly ((a: number, b: number, c: number) => number)[] = [() => 0, (a) => a, (_a, b) => b, (a, b) => (a + b) >> 1, paeth];

/** An image from a function of its coordinates. */
export function paint(width: number, height: number, pixel: (x: number, y: number) => readonly number[]): Raster {
  const channels = pixel(0, 0).length;
  const bytes = Buffer.alloc(width * height * channels);
  for (let place = 0; place < width * height; place++) bytes.set(pixel(place % width, Math.floor(place / width)), place * channels);
  return { width, height, channels, bytes };
}

function paeth(a: number, b: number, c: number): number {
  const guess = a + b - c;
  const order = [a, b, c].map((value, rank) => ({ value, rank, distance: Math.abs(guess - value) }));
  return order.toSorted((one, other) => one.distance - other.distance || one.rank - other.rank)[0]?.value ?? 0;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** PNG files of edits, decoded at no more cost than an image of their size. */
import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readPng } from '../../../server/simulator/images/request.ts';
import { assemblePng, paint, writePng } from './png.ts';

/** The bytes of an image of 64 by 64, and a thousand times as many. */
const [own, more] = [(64 * 3 + 1) * 64, (64 * 3 + 1) * 64 * 1_000];
const swollen = (interlacing: number, bytes: number) =>
  assemblePng({ width: 64, height: 64, depth: 8, type: 2, interlacing, chunks: [['IDAT', deflateSync(Buffer.alloc(bytes))]] });
const plain = writePng(
  paint(64, 64, () => [1, 2, 3]),
  0,
);

test.each([
  ['has a thousand times the data of its size', swollen(0, more)],
  ['is interlaced, and has a thousand times the data of its size', swollen(1, more)],
  ['has less data than its size needs', swollen(0, own - 1)],
  ['claims to be huge', assemblePng({ width: 30_000, height: 30_000, depth: 8, type: 2, chunks: [] })],
  ['is cut off', plain.subarray(0, 60)],
  ['is not a PNG', Buffer.alloc(100)],
])('a file that %s is not read', async (_, file) => {
  expect(await readPng(file)).toBeNull();
});

test('an image is read with anything behind its end', async () => {
  for (const file of [plain, swollen(0, own), Buffer.concat([plain, Buffer.from('made by a camera')])]) {
    expect(await readPng(file)).toMatchObject({ width: 64, height: 64 });
  }
});

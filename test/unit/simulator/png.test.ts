/** The PNG of an edit is read as far as it costs no more than a picture of its size, and nothing but the file stands in what is read. */
import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readPng } from '../../../server/simulator/images/png-reader.ts';
import { assemblePng, paint, writePng } from './png.ts';

/** As many bytes as a picture of 64 by 64 has, and a thousand times that. */
const [own, more] = [(64 * 3 + 1) * 64, (64 * 3 + 1) * 64 * 1_000];
const swollen = (interlacing: number, bytes: number) =>
  assemblePng({ width: 64, height: 64, depth: 8, type: 2, interlacing, chunks: [['IDAT', deflateSync(Buffer.alloc(bytes))]] });
const plain = writePng(
  paint(64, 64, () => [1, 2, 3]),
  0,
);

test.each([
  ['holds a thousand times what its size says', swollen(0, more)],
  ['is interlaced, and holds a thousand times what its size says', swollen(1, more)],
  ['has less in it than its size says', swollen(0, own - 1)],
  ['claims to be huge', assemblePng({ width: 30_000, height: 30_000, depth: 8, type: 2, chunks: [] })],
  ['is cut off', plain.subarray(0, 60)],
  ['is none', Buffer.alloc(100)],
])('a file that %s is not read', async (_, file) => {
  expect(await readPng(file)).toBeNull();
});

test('a picture is read whatever lies behind its end', async () => {
  for (const file of [plain, swollen(0, own), Buffer.concat([plain, Buffer.from('made by a camera')])]) {
    expect(await readPng(file)).toMatchObject({ width: 64, height: 64 });
  }
});

/** JPEG files of edits, decoded within a budget of passes over their pixels. */
import jpeg from 'jpeg-js';
import { expect, test } from 'vitest';
import { countPasses, readImageRequest, readJpeg, readOriginals } from '../../../server/simulator/images/request.ts';
import { createRequest } from './ask.ts';

const plain = (width: number, height: number) =>
  Buffer.from(jpeg.encode({ width, height, data: Buffer.alloc(width * height * 4, 90) }, 80).data);

/** The same file, with its only scan repeated. */
function withScans(file: Buffer, scans: number): Buffer {
  const start = file.indexOf(Buffer.from([0xff, 0xda]));
  const scan = file.subarray(start, -2);
  return Buffer.concat([file.subarray(0, start), ...Array.from({ length: scans }, () => scan), file.subarray(-2)]);
}

const firstOf = async (file: Buffer) => {
  const image_url = `data:image/jpeg;base64,${file.toString('base64')}`;
  return (await readOriginals(readImageRequest(createRequest('editImages', { prompt: 'x', images: [{ image_url }] })))).first;
};

test('A12: a JPEG of three thousand scans is not decoded, however small it is', async () => {
  const file = withScans(plain(16, 16), 3_000);
  expect(countPasses(file)).toBe(9_000);
  expect(await firstOf(file)).toBeNull();
});

test('A12: a larger JPEG may have fewer passes', () => {
  expect(readJpeg(withScans(plain(64, 64), 100))).toMatchObject({ width: 64, height: 64 });
  expect(readJpeg(withScans(plain(2_048, 2_048), 1))).toMatchObject({ width: 2_048 });
  // 4.2 megapixels by 150 passes.
  expect(readJpeg(withScans(plain(2_048, 2_048), 50))).toBeNull();
});

test('A12: a scan that names a channel many times counts as many passes', () => {
  const file = plain(16, 16);
  file[file.indexOf(Buffer.from([0xff, 0xda])) + 4] = 255;
  expect(countPasses(file)).toBe(255);
});

test('a JPEG is read with anything behind its end', async () => {
  const file = plain(32, 24);
  const film = Buffer.concat(Array.from({ length: 1_000 }, () => Buffer.from([0xff, 0xda, 0, 12, 200])));
  for (const whole of [file, Buffer.concat([file, film])]) expect(await firstOf(whole)).toMatchObject({ width: 32, height: 24 });
});

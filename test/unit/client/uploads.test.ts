/** Uploads for image edits, as multipart forms. */
import { randomBytes } from 'node:crypto';
import { createReadStream, openAsBlob } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ImageEditUpload } from '../../../client/sdk/src/index.ts';
import { type Asked, failure, json, openServer } from './server.ts';

const edit = { model: 'gpt-image-2', prompt: 'Füge einen Hut hinzu' };
const list = { created: 1, data: [{ b64_json: 'AAAA' }] };

interface Part {
  readonly name: string;
  readonly text?: string;
  readonly filename?: string;
  readonly type?: string;
  readonly bytes?: Buffer;
}

/** Parsed by the form reader of the runtime. */
async function partsOf({ headers, body }: Asked): Promise<Part[]> {
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': String(headers['content-type']) } }).formData();
  return Promise.all(
    [...form].map(async ([name, value]) =>
      typeof value === 'string'
        ? { name, text: value }
        : { name, filename: value.name, type: value.type, bytes: Buffer.from(await value.arrayBuffer()) },
    ),
  );
}

async function upload(body: ImageEditUpload, options = {}): Promise<Part[]> {
  const { connect, asked } = await openServer(json(200, list));
  expect(await connect().editImages({ ...body, stream: false }, options)).toEqual(list);
  const [first] = asked;
  if (!first) throw new Error('Nothing was sent.');
  return partsOf(first);
}

/** Every byte value, line ends and a text that looks like a boundary. */
const picture = Buffer.concat([
  Buffer.from(Uint8Array.from({ length: 256 }, (_, byte) => byte)),
  Buffer.from('\r\n------boundary--\r\n'),
  randomBytes(70_000),
]);

let folder = '';
/** The bytes on disk. */
let file = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'modelgate-uploads-'));
  file = join(folder, 'cat.png');
  await writeFile(file, picture);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('sends one image as `image`, several as `image[]`, byte for byte', async () => {
  const one = await upload({ ...edit, image: new Uint8Array(picture) });
  expect(one).toContainEqual({ name: 'image', filename: 'image', type: 'application/octet-stream', bytes: picture });
  const several = await upload({ ...edit, image: [picture, new Blob([picture], { type: 'image/webp' })] });
  expect(several.filter(({ bytes }) => bytes).map(({ name }) => name)).toEqual(['image[]', 'image[]']);
  expect(several.every(({ bytes }) => bytes === undefined || bytes.equals(picture))).toBe(true);
});

test('keeps the name and type of a file, and accepts both for bytes', async () => {
  const parts = await upload({
    ...edit,
    image: [
      new File([picture], 'кот "1".png', { type: 'image/png' }),
      { data: picture, name: 'b.jpg', type: 'image/jpeg' },
      { data: new Blob([picture], { type: 'image/webp' }), name: 'c.webp' },
      { data: picture.buffer.slice(picture.byteOffset, picture.byteOffset + picture.byteLength) as ArrayBuffer, name: 'd' },
    ],
  });
  const files = parts.filter(({ name }) => name === 'image[]').map(({ filename, type, bytes }) => [filename, type, bytes?.equals(picture)]);
  expect(files).toEqual([
    ['кот "1".png', 'image/png', true],
    ['b.jpg', 'image/jpeg', true],
    ['c.webp', 'image/webp', true],
    ['d', 'application/octet-stream', true],
  ]);
});

test.each([
  ['a file that Node opens', () => openAsBlob(file)],
  ['a file that Node reads', () => readFile(file)],
  ['a Node stream', () => buffer(createReadStream(file))],
  ['a web stream', () => new Response(new Blob([picture]).stream()).blob()],
  ['a response', () => new Response(picture).blob()],
  ['bytes of a response, with a name', async () => ({ data: await new Response(picture).arrayBuffer(), name: 'cat.png' })],
])('uploads %s byte for byte', async (_source, read) => {
  const parts = await upload({ ...edit, image: await read() });
  expect(parts.find(({ name }) => name === 'image')?.bytes).toEqual(picture);
});

test('sends only the bytes of a view of a larger buffer', async () => {
  const [image] = await upload({ ...edit, image: picture.subarray(10, 20) }).then((parts) => parts.filter(({ bytes }) => bytes));
  expect(image?.bytes).toEqual(picture.subarray(10, 20));
});

test('sends the mask and all options that are set', async () => {
  const mask = { data: picture, name: 'mask.png', type: 'image/png' };
  const options = { n: 2, size: 'auto', output_compression: 0, quality: null, user: undefined };
  const parts = await upload({ ...edit, ...options, image: picture, mask }, { extraBody: { fresh: { a: 1 }, style: 'x' } });
  expect(parts.find(({ name }) => name === 'mask')).toEqual({ name: 'mask', filename: 'mask.png', type: 'image/png', bytes: picture });
  const texts = Object.fromEntries(parts.flatMap(({ name, text }) => (text === undefined ? [] : [[name, text]])));
  expect(texts).toEqual({ ...edit, n: '2', size: 'auto', output_compression: '0', stream: 'false', fresh: '{"a":1}', style: 'x' });
});

test('lets fetch set the boundary, whatever the headers of the client', async () => {
  const { connect, asked } = await openServer(json(200, list));
  await connect({ headers: { 'Content-Type': 'application/json' } }).editImages({ ...edit, image: picture });
  expect(asked[0]?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
});

test('sends a retried upload whole again', async () => {
  const { connect, asked } = await openServer(failure(503, {}, { 'retry-after-ms': '1' }), json(200, list));
  await connect().editImages({ ...edit, image: new Blob([picture]) });
  const parts = await Promise.all(asked.map(partsOf));
  expect(parts).toHaveLength(2);
  expect(parts[1]).toEqual(parts[0]);
  expect(parts[1]?.find(({ name }) => name === 'image')?.bytes).toEqual(picture);
});

test('sends data URLs as JSON', async () => {
  const { connect, asked } = await openServer(json(200, list));
  const body = { ...edit, images: [{ image_url: 'data:image/png;base64,AAAA' }] };
  await connect().editImages(body);
  expect(JSON.parse(String(asked[0]?.body))).toEqual(body);
});

/** The OpenAI SDK for JavaScript, unchanged but for base URL and key: drawing and editing images. */
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import OpenAI, { toFile } from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drawPng } from '../fakes/images.ts';
import { type BehindFake, imagePlaces, openBehindFake, type Place } from './places.ts';

const model = 'gpt-image-2';
const prompt = 'A lighthouse in the fog';
const [first, second, third] = [drawPng(32, 32, 1), drawPng(32, 32, 2), drawPng(32, 32, 3)];
const pngSignature = '89504e470d0a1a0a';

const pictureOf = (base64: string | undefined): Buffer => Buffer.from(base64 ?? '', 'base64');
const startOf = (picture: Buffer): string => picture.toString('hex', 0, 8);
/** Width and height, from the header of the PNG. */
const sizeOf = (picture: Buffer): string => `${picture.readUInt32BE(16)}x${picture.readUInt32BE(20)}`;

describe.each(imagePlaces)('over $name', ({ open }) => {
  let place: Place;
  let client: OpenAI;
  beforeAll(async () => {
    place = await open();
    client = new OpenAI({ baseURL: place.gateway.baseURL, apiKey: place.gateway.key });
  });
  afterAll(() => place.close());

  test('generates n PNG images of the requested size', async () => {
    const images = await client.images.generate({ model, prompt, n: 2, size: '1024x1536' });
    const pictures = (images.data ?? []).map(({ b64_json }) => pictureOf(b64_json));
    expect(pictures.map(startOf)).toEqual([pngSignature, pngSignature]);
    expect(pictures.map(sizeOf)).toEqual(['1024x1536', '1024x1536']);
    expect(images).toMatchObject({ size: '1024x1536', output_format: 'png' });
    expect(images.usage?.total_tokens).toBeGreaterThan(0);
  });

  test('streams the partial images of generate in order, then the complete one', async () => {
    const stream = await client.images.generate({ model, prompt, stream: true, partial_images: 2, size: '1024x1024' });
    const events = [];
    for await (const event of stream) events.push(event);
    expect(events.map(({ type }) => type)).toEqual([
      'image_generation.partial_image',
      'image_generation.partial_image',
      'image_generation.completed',
    ]);
    expect(events.map((event) => ('partial_image_index' in event ? event.partial_image_index : 'whole'))).toEqual([0, 1, 'whole']);
    expect(events.map(({ b64_json }) => startOf(pictureOf(b64_json)))).toEqual([pngSignature, pngSignature, pngSignature]);
  });

  test('edits a file from the disk', async () => {
    const file = join(place.gateway.folder, 'lighthouse.png');
    await writeFile(file, first);
    const images = await client.images.edit({ model, prompt: 'Turn the light on', image: createReadStream(file) });
    expect(startOf(pictureOf(images.data?.[0]?.b64_json))).toBe(pngSignature);
  });

  test('edits two images with a mask', async () => {
    const image = [await toFile(first, 'one.png'), await toFile(second, 'two.png', { type: 'image/png' })];
    const mask = await toFile(third, 'mask.png', { type: 'image/png' });
    const images = await client.images.edit({ model, prompt: 'Put both into one picture', image, mask, n: 2 });
    expect(images.data).toHaveLength(2);
  });

  test('F40: rejects the same files with one of them as the mask, under one idempotency key, as another request', async () => {
    const [one, two] = [await toFile(first, 'one.png'), await toFile(second, 'two.png')];
    const options = { headers: { 'idempotency-key': crypto.randomUUID() } };
    await client.images.edit({ model, prompt: 'Put both into one picture', image: [one, two] }, options);
    const masked = client.images.edit({ model, prompt: 'Put both into one picture', image: [one], mask: two }, options);
    await expect(masked).rejects.toBeInstanceOf(OpenAI.BadRequestError);
  });

  test('streams a partial image of edit, then the complete one', async () => {
    const image = await toFile(first, 'one.png', { type: 'image/png' });
    const stream = await client.images.edit({ model, prompt: 'Turn the light on', image, stream: true, partial_images: 1 });
    const types: string[] = [];
    for await (const { type } of stream) types.push(type);
    expect(types).toEqual(['image_edit.partial_image', 'image_edit.completed']);
  });

  test("throws BadRequestError with its param for a file that isn't an image", async () => {
    const rejected = client.images.edit({ model, prompt: 'Turn the light on', image: await toFile(Buffer.from('no picture'), 'one.png') });
    await expect(rejected).rejects.toBeInstanceOf(OpenAI.BadRequestError);
    await expect(rejected).rejects.toMatchObject({ code: 'invalid_image_format', param: 'image' });
  });
});

describe('the upstream request', () => {
  let behind: BehindFake;
  let client: OpenAI;
  beforeAll(async () => {
    behind = await openBehindFake();
    client = new OpenAI({ baseURL: behind.gateway.baseURL, apiKey: behind.gateway.key });
  });
  afterAll(() => behind.close());

  test('carries one file as one part, byte for byte, with its true content type', async () => {
    await client.images.edit({ model, prompt: 'Turn the light on', image: await toFile(first, 'one.png'), size: '1024x1024' });
    const { parts = [], fields } = behind.fake.last;
    expect(fields).toMatchObject({ model, prompt: 'Turn the light on', size: '1024x1024' });
    const files = parts.filter(({ filename }) => filename !== null);
    expect(files).toMatchObject([{ name: 'image', filename: 'one.png', contentType: 'image/png' }]);
    expect(files[0]?.bytes.equals(first)).toBe(true);
  });

  test('carries several files in their order, and the mask', async () => {
    const image = [await toFile(first, 'one.png'), await toFile(second, 'two.png')];
    await client.images.edit({ model, prompt: 'Both', image, mask: await toFile(third, 'mask.png') });
    const files = (behind.fake.last.parts ?? []).filter(({ filename }) => filename !== null);
    expect(files.map(({ name, filename }) => `${name} ${filename}`)).toEqual(['image[] one.png', 'image[] two.png', 'mask mask.png']);
    expect(files.map(({ bytes }) => bytes)).toEqual([first, second, third]);
  });
});

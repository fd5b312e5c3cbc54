/** Status 400 on image generations and on image edits by JSON: options and images that are not valid. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../contract/errors.ts';
import { drawPng } from '../fakes/images.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { expectRefusal } from '../harness/refusal.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

type Row = readonly [title: string, change: Record<string, unknown>, code: ErrorCode, param: string | null, says: string];

const dataUrl = (bytes: Buffer, type = 'image/png') => `data:${type};base64,${bytes.toString('base64')}`;
const picture = (more: object = {}) => ({ image_url: dataUrl(drawPng()), ...more });

/** Mistakes that are the same on both operations. */
const sharedRows: readonly Row[] = [
  ['leaves the model out', { model: undefined }, 'missing_required_parameter', 'model', "'model'"],
  ['leaves the prompt out', { prompt: undefined }, 'missing_required_parameter', 'prompt', "'prompt'"],
  ['sends an empty prompt', { prompt: '' }, 'empty_string', 'prompt', 'at least 1'],
  ['sends a prompt of 32,001 letters', { prompt: 'x'.repeat(32_001) }, 'string_above_max_length', 'prompt', 'at most 32000'],
  ['asks for 0 images', { n: 0 }, 'integer_below_min_value', 'n', 'at least 1'],
  ['asks for 11 images', { n: 11 }, 'integer_above_max_value', 'n', 'at most 10'],
  ['sends n as a string', { n: 'two' }, 'invalid_type', 'n', 'expected a number, got a string'],
  ['asks for a size in words', { size: 'large' }, 'invalid_value', 'size', '1024x1024'],
  ['asks for a size that is no multiple of 16', { size: '1000x1000' }, 'invalid_value', 'size', 'multiples of 16'],
  ['asks for a size with sides of 4 to 1', { size: '2048x512' }, 'invalid_value', 'size', '3 times'],
  ['asks for a size that is too large', { size: '4096x4096' }, 'invalid_value', 'size', '3840x2160'],
  ['asks for an unknown quality', { quality: 'xhigh' }, 'invalid_value', 'quality', "'auto', 'low', 'medium', 'high'"],
  ['asks for a transparent jpeg', { background: 'transparent', output_format: 'jpeg' }, 'invalid_value', 'background', 'png or webp'],
  ['compresses a png', { output_compression: 50 }, 'invalid_value', 'output_compression', 'jpeg or webp'],
  [
    'asks for output_compression 101',
    { output_format: 'jpeg', output_compression: 101 },
    'integer_above_max_value',
    'output_compression',
    '100',
  ],
  ['asks for partial images without a stream', { partial_images: 2 }, 'invalid_value', 'partial_images', "'stream: true'"],
  ['asks for four partial images', { stream: true, partial_images: 4 }, 'integer_above_max_value', 'partial_images', 'at most 3'],
  ['streams two images at once', { stream: true, n: 2 }, 'unsupported_value', 'n', "'n' must be 1"],
  ['asks for a URL of the image', { response_format: 'url' }, 'unsupported_value', 'response_format', 'b64_json'],
  ['asks for a style of older models', { style: 'vivid' }, 'unsupported_parameter', 'style', "isn't supported by 'gpt-image-2'"],
  ['sends messages', { messages: [{ role: 'user', content: 'a cat' }] }, 'unknown_parameter', 'messages', "'prompt'"],
  ['sends a temperature', { temperature: 1 }, 'unknown_parameter', 'temperature', 'text model'],
  ['names a text model', { model: 'gpt-5.4' }, 'unsupported_value', 'model', 'POST /v1/chat/completions'],
];

const generationRows: readonly Row[] = [
  ['sends images', { images: [picture()] }, 'unknown_parameter', 'images', 'POST /v1/images/edits'],
  ['sends a mask', { mask: picture() }, 'unknown_parameter', 'mask', 'POST /v1/images/edits'],
];

const editRows: readonly Row[] = [
  ['leaves the images out', { images: undefined }, 'missing_required_parameter', 'images', "'images'"],
  ['sends no image', { images: [] }, 'empty_array', 'images', 'at least 1'],
  ['sends 17 images', { images: Array(17).fill(picture()) }, 'array_above_max_length', 'images', 'at most 16'],
  ['sends `image` in place of `images`', { images: undefined, image: picture() }, 'unknown_parameter', 'image', "'images: ["],
  [
    'sends an image as a string',
    { images: ['data:image/png;base64,AAAA'] },
    'invalid_type',
    'images[0]',
    'expected an object, got a string',
  ],
  ['names a file of the simulator', { images: [picture(), { file_id: 'file_1' }] }, 'invalid_image_url', 'images[1].file_id', 'simulator'],
  ['names a mask of the simulator', { mask: { file_id: 'file_1' } }, 'invalid_image_url', 'mask.file_id', 'simulator'],
  ['sends both a URL and a file ID', { images: [picture({ file_id: 'file_1' })] }, 'invalid_value', 'images[0].file_id', 'both'],
  ['sends an image without image_url and file_id', { images: [{}] }, 'missing_required_parameter', 'images[0].image_url', 'file_id'],
  [
    'sends an https URL to the simulator',
    { images: [{ image_url: 'https://example.com/cat.png' }] },
    'invalid_image_url',
    'images[0].image_url',
    'simulator',
  ],
  ...['http://example.com/cat.png', 'ftp://example.com/cat.png', 'https://', 'file:///etc/passwd', 'cat.png'].map(
    (url): Row => [`sends ${url} as image_url`, { images: [{ image_url: url }] }, 'invalid_image_url', 'images[0].image_url', 'https URL'],
  ),
  [
    'sends a data URL of text',
    { images: [{ image_url: 'data:text/plain;base64,AAAA' }] },
    'invalid_image_url',
    'images[0].image_url',
    'data URL',
  ],
  [
    'sends invalid base64',
    { images: [{ image_url: 'data:image/png;base64,****' }] },
    'invalid_base64_image',
    'images[0].image_url',
    'base64',
  ],
  [
    // A1: the time for paddings grew as the square of their number, before the balance was checked.
    'sends 600,000 padding characters',
    { images: [{ image_url: `data:image/png;base64,${'='.repeat(600_000)}A` }] },
    'invalid_base64_image',
    'images[0].image_url',
    'base64',
  ],
  [
    'sends an empty data URL',
    { images: [{ image_url: 'data:image/png;base64,' }] },
    'invalid_base64_image',
    'images[0].image_url',
    'base64',
  ],
  [
    'sends text as a PNG',
    { images: [picture(), { image_url: dataUrl(Buffer.from('just some text')) }] },
    'invalid_image_format',
    'images[1].image_url',
    'PNG, JPEG, or WebP',
  ],
  ['sends a mask of another size', { mask: { image_url: dataUrl(drawPng(32, 16)) } }, 'invalid_value', 'mask', '32x16'],
  [
    'sends a mask that is a JPEG',
    { mask: { image_url: dataUrl(Buffer.from('ffd8ffe000104a464946', 'hex'), 'image/jpeg') } },
    'invalid_image_format',
    'mask',
    'PNG',
  ],
];

const good = {
  '/images/generations': { model: 'gpt-image-2', prompt: 'a lighthouse' },
  '/images/edits': { model: 'gpt-image-2', prompt: 'a hat', images: [picture()] },
};

describe.each([
  ['/images/generations', [...sharedRows, ...generationRows]],
  ['/images/edits', [...sharedRows, ...editRows]],
] as const)('on %s', (path, rows) => {
  test.each(rows)('returns 400 with code, field and remedy to a caller who %s', async (_title, change, code, param, says) => {
    await expectRefusal(await gateway.call(path, { json: { ...good[path], ...change } }), { code, param, says });
  });

  test('accepts fields of other operations as null', async () => {
    const json = { ...good[path], size: '16x16', style: null, messages: null, output_compression: null, response_format: null };
    expect((await gateway.call(path, { json })).status).toBe(200);
  });
});

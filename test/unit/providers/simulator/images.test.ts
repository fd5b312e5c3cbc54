import { describe, expect, it } from 'vitest';
import { ImageEditEvent, ImageGenerationEvent, ImageList } from '../../../../contract/images.ts';
import type { ImageFile } from '../../../../server/providers/upstream.ts';
import { drawPng } from '../../../fakes/images.ts';
import { readEvents, readFrames, readJson, send, sendForm, startedAt, type Wire } from './ask.ts';
import { pixelAt, type Raster, readPng } from './png.ts';

const small = { prompt: 'A lighthouse in the fog', size: '64x48' };

async function generate(value: Wire) {
  return ImageList.parse(await readJson(send('generateImages', value)));
}
function fileOf(list: { data: readonly { b64_json?: string | undefined }[] }, index = 0): Buffer {
  return Buffer.from(list.data[index]?.b64_json ?? '', 'base64');
}
const pngFile = (width = 64): ImageFile => ({ filename: 'a.png', contentType: 'image/png', bytes: drawPng(width, 48) });
const dataUrl = (file: ImageFile) => `data:${file.contentType};base64,${file.bytes.toString('base64')}`;

describe('a caller who generates an image', () => {
  it('gets a PNG of the requested size', async () => {
    for (const [size, width, height] of [
      ['64x48', 64, 48],
      ['48x144', 48, 144],
      ['16x16', 16, 16],
    ] as const) {
      expect(readPng(fileOf(await generate({ ...small, size })))).toMatchObject({ width, height });
    }
  });

  it('gets the size, quality and usage that were used, never auto', async () => {
    const list = await generate({ prompt: 'A cat', size: 'auto', quality: 'auto', background: 'auto' });
    expect(list).toMatchObject({ created: startedAt, background: 'opaque', output_format: 'png', quality: 'medium', size: '1024x1024' });
    expect(readPng(fileOf(list))).toMatchObject({ width: 1024, height: 1024 });
    expect(list.usage).toEqual({
      input_tokens: 2,
      output_tokens: 1056,
      total_tokens: 1058,
      input_tokens_details: { text_tokens: 2, image_tokens: 0 },
      output_tokens_details: { image_tokens: 1056, text_tokens: 0 },
    });
  });

  it('gets the same image for the same prompt and another for another', async () => {
    const [first, again, other] = await Promise.all([generate(small), generate(small), generate({ ...small, prompt: 'A fox' })]);
    expect(fileOf(first)).toEqual(fileOf(again));
    expect(fileOf(first)).not.toEqual(fileOf(other));
  });

  it('gets n different images', async () => {
    const list = await generate({ ...small, n: 3 });
    expect(list.data).toHaveLength(3);
    expect(new Set(list.data.map(({ b64_json }) => b64_json)).size).toBe(3);
    expect(list.usage?.output_tokens).toBe(((await generate(small)).usage?.output_tokens ?? 0) * 3);
  });

  it('sees the label of the simulator on the image', async () => {
    const [one, other] = await Promise.all(
      ['AAAA', 'BBBB'].map(async (prompt) => readPng(fileOf(await generate({ prompt, size: '256x256' })))),
    );
    const ink = (raster: Raster, top: number, bottom: number) => {
      const rows = Array.from({ length: bottom - top }, (_, row) =>
        Array.from({ length: raster.width }, (_, x) => pixelAt(raster, x, top + row)),
      );
      return rows
        .map((row) => row.map(([red = 0, green = 0, blue = 0]) => (Math.min(red, green, blue) > 200 ? '#' : '.')).join(''))
        .join('\n');
    };
    if (!one || !other) throw new Error('no pictures');
    const caption = ink(one, 234, 243);
    expect(caption.split('#').length).toBeGreaterThan(200);
    expect(ink(other, 234, 243)).toBe(caption);
    expect(ink(one, 244, 255)).not.toBe(ink(other, 244, 255));
    expect(ink(one, 244, 255)).toContain('.###..');
  });

  it('gets transparent pixels with background transparent', async () => {
    const list = await generate({ ...small, background: 'transparent' });
    const raster = readPng(fileOf(list));
    expect(list.background).toBe('transparent');
    expect(pixelAt(raster, 1, 0)[3]).toBe(0);
    expect(pixelAt(raster, 32, 40)[3]).toBe(255);
  });

  it('gets 400 for what the simulator cannot draw', async () => {
    const refusals: [Wire, boolean, string, string][] = [
      [{ output_format: 'webp' }, false, 'unsupported_value', 'output_format'],
      [{ output_format: 'webp' }, true, 'unsupported_value', 'output_format'],
      [{ output_format: 'jpeg' }, false, 'unsupported_value', 'output_format'],
      [{ size: '100x100' }, false, 'invalid_value', 'size'],
      [{ size: '8192x8192' }, false, 'invalid_value', 'size'],
    ];
    for (const [value, stream, code, param] of refusals) {
      const answer = await send('generateImages', { ...small, ...value }, stream);
      expect(answer.status).toBe(400);
      expect(await readJson(answer)).toEqual({ error: { message: expect.any(String), type: 'invalid_request_error', param, code } });
    }
  });
});

describe('a caller who streams an image', () => {
  it('gets previews of growing size, then the image, and no [DONE]', async () => {
    const frames = await readFrames(send('generateImages', { ...small, size: '256x256', partial_images: 3 }, true));
    expect(frames.some(({ data }) => data === '[DONE]')).toBe(false);
    const events = frames.map(({ data }) => ImageGenerationEvent.parse(JSON.parse(data)));
    expect(frames.map(({ event }) => event)).toEqual(events.map(({ type }) => type));
    expect(events.map((event) => ('partial_image_index' in event ? event.partial_image_index : 'done'))).toEqual([0, 1, 2, 'done']);
    const sizes = events.map((event) => Buffer.from('b64_json' in event ? String(event.b64_json) : '', 'base64').length);
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
    const settings = { created_at: startedAt, background: 'opaque', output_format: 'png', quality: 'medium', size: '256x256' };
    for (const event of events) expect(event).toEqual(expect.objectContaining(settings));
    expect(events.map((event) => 'usage' in event)).toEqual([false, false, false, true]);
  });

  it('gets the image of an answer without a stream', async () => {
    const [event] = await readEvents(send('generateImages', small, true));
    expect(event).toMatchObject({ type: 'image_generation.completed', b64_json: (await generate(small)).data[0]?.b64_json });
  });
});

describe('a caller who edits an image', () => {
  const edit = async (images: readonly ImageFile[], mask?: ImageFile) => ImageList.parse(await readJson(sendForm(small, images, mask)));

  it('gets a picture, the same by form and by JSON, in another colour than that of the prompt alone', async () => {
    const form = await edit([pngFile()]);
    const json = await readJson(send('editImages', { ...small, images: [{ image_url: dataUrl(pngFile()) }] }));
    expect(form).toEqual(json);
    const [edited, drawn] = [readPng(fileOf(form)), readPng(fileOf(await generate(small)))];
    expect(edited).toMatchObject({ width: 64, height: 48 });
    expect(pixelAt(edited, 5, 5)).not.toEqual(pixelAt(drawn, 5, 5));
    expect(form.usage?.input_tokens_details.image_tokens).toBeGreaterThan(0);
  });

  it('gets another picture for other images and for another mask', async () => {
    const edits = await Promise.all([edit([pngFile()]), edit([pngFile(32)]), edit([pngFile(), pngFile()]), edit([pngFile()], pngFile())]);
    expect(new Set(edits.map((list) => fileOf(list).toString('base64'))).size).toBe(4);
  });

  it('gets 400 that names the unusable image', async () => {
    const refusals: [Wire, string, string][] = [
      [{ images: [{ image_url: 'https://example.com/a.png' }] }, 'invalid_image_url', 'images[0].image_url'],
      [{ images: [{ image_url: dataUrl(pngFile()) }, { file_id: 'file_1' }] }, 'invalid_image_url', 'images[1].file_id'],
      [{ images: [{ image_url: 'data:image/png;base64,' }] }, 'invalid_base64_image', 'images[0].image_url'],
    ];
    for (const [value, code, param] of refusals) {
      const answer = await send('editImages', { ...small, ...value });
      expect(answer.status).toBe(400);
      expect(await readJson(answer)).toMatchObject({ error: { code, param } });
    }
  });

  it('gets events under the names of edits', async () => {
    const value = { ...small, images: [{ image_url: dataUrl(pngFile()) }], partial_images: 1 };
    const events = (await readEvents(send('editImages', value, true))).map((event) => ImageEditEvent.parse(event));
    expect(events.map(({ type }) => type)).toEqual(['image_edit.partial_image', 'image_edit.completed']);
  });
});

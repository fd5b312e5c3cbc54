import { describe, expect, it } from 'vitest';
import { ImageList } from '../../../../contract/images.ts';
import type { ImageFile } from '../../../../server/providers/upstream.ts';
import { drawPng } from '../../../fakes/images.ts';
import { readJson, send, sendForm, type Wire } from './ask.ts';
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
  it('gets the same image for the same prompt and another for another', async () => {
    const [first, again, other] = await Promise.all([generate(small), generate(small), generate({ ...small, prompt: 'A fox' })]);
    expect(fileOf(first)).toEqual(fileOf(again));
    expect(fileOf(first)).not.toEqual(fileOf(other));
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
});

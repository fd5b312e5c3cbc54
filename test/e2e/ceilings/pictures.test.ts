/** The number of pictures: those beyond the number that the caller asked for are neither charged nor forwarded. */
import { describe, expect, test } from 'vitest';
import { ImageList } from '../../../contract/images.ts';
import { json } from '../../fakes/delivery.ts';
import { drawPng, images, imageUsage } from '../../fakes/images.ts';
import { useOpened } from '../../harness/opened.ts';
import { openStage } from './stage.ts';

const stage = useOpened(() => openStage());

const png = drawPng();
function edit(n: number | undefined): FormData {
  const form = new FormData();
  form.set('model', 'painter');
  form.set('prompt', 'A cat');
  if (n !== undefined) form.set('n', String(n));
  form.set('image', new Blob([new Uint8Array(png)], { type: 'image/png' }), 'cat.png');
  return form;
}

const asking = {
  drawn: (n?: number) => stage.gateway.call('/images/generations', { json: { model: 'painter', prompt: 'A cat', n } }),
  edited: (n?: number) => stage.gateway.call('/images/edits', { method: 'POST', body: edit(n) }),
};

describe.each(Object.entries(asking))('B5: images that are %s', (_how, ask) => {
  test.each([
    [undefined, 1, '0.04'],
    [1, 1, '0.04'],
    [3, 3, '0.12'],
  ])('accepts n: %s, and forwards and charges %i of the 50 that the provider returns', async (n, count, cost) => {
    const made = images({ n: 50, quality: 'low', extra: null });
    stage.fake.next(json(made));
    const answer = await ask(n);
    const list = ImageList.parse(await answer.json());
    expect(list).toEqual({ ...made, data: ImageList.parse(made).data.slice(0, count) });
    expect(Number(answer.headers.get('x-modelgate-cost'))).toBe(Number(cost));
  });

  test('charges only the returned images when the provider returns fewer than requested', async () => {
    stage.fake.next(json(images({ n: 2 })));
    const answer = await ask(5);
    expect(ImageList.parse(await answer.json()).data).toHaveLength(2);
    expect(Number(answer.headers.get('x-modelgate-cost'))).toBe(0.08);
  });
});

test('B5: pictures beyond the number are also removed from an answer of several MB, whose other fields stay', async () => {
  const data = Array.from({ length: 4 }, () => ({ b64_json: 'A'.repeat(600_000) }));
  stage.fake.next(json({ created: 1, data, usage: imageUsage }));
  const answer = await asking.drawn(2);
  expect(await answer.json()).toEqual({ created: 1, data: data.slice(0, 2), usage: imageUsage });
  expect(Number(answer.headers.get('x-modelgate-cost'))).toBe(0.08);
});

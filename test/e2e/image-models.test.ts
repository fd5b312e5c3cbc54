/** What each image model accepts: known by its name, configured, or left to its provider; and what animations cost. */
import { describe, expect, test } from 'vitest';
import { drawPng } from '../fakes/images.ts';
import { startGateway } from '../harness/gateway.ts';
import { useFake, useOpened } from '../harness/opened.ts';
import { expectRefusal } from '../harness/refusal.ts';

const vendor = useFake();
const gateway = useOpened(() => {
  const prices = { images: { '*/low': '0.01', '*/xhigh': '0.5', default: '0.1' } };
  const image = (id: string, more: object = {}) => ({ id, kind: 'image', prices, ...more });
  return startGateway({
    upstreams: { openai: { kind: 'openai', baseUrl: vendor.url, apiKey: 'sk-vendor' } },
    models: [
      image('gpt-image-2'),
      image('gpt-image-2.5-flare'),
      image('another'),
      image('draws-svg', { images: { fields: ['svg'], formats: ['svg'], edits: false, sizes: ['512x512'] } }),
    ],
  });
});

const picture = { image_url: `data:image/png;base64,${drawPng().toString('base64')}` };
const generate = (fields: object): Promise<Response> =>
  gateway.call('/images/generations', { method: 'POST', json: { model: 'gpt-image-2', prompt: 'A boat', ...fields } });
const edit = (fields: object): Promise<Response> =>
  gateway.call('/images/edits', { method: 'POST', json: { model: 'gpt-image-2', prompt: 'A hat', images: [picture], ...fields } });
const costOf = (answer: Response): string | null => answer.headers.get('x-modelgate-cost');

describe.each([
  ['quality', { quality: 'xhigh' }],
  ['output_format', { output_format: 'gif' }],
  ['complexity', { complexity: 'high' }],
  ['frame_count', { frame_count: 4 }],
  ['frame_duration_ms', { frame_duration_ms: 100 }],
  ['svg', { svg: { model: 'a' } }],
  ['markup', { markup: picture }],
  ['style', { style: 'vivid' }],
])('%s', (param, fields) => {
  const code = param === 'quality' || param === 'output_format' ? 'invalid_value' : 'unsupported_parameter';

  test("returns 400 for gpt-image-2, which doesn't have it, with a message that names the model", async () => {
    for (const ask of [generate, edit]) await expectRefusal(await ask(fields), { code, param, says: "isn't supported by 'gpt-image-2'" });
    expect(vendor.requests).toEqual([]);
  });

  const isOpen = param !== 'svg';
  test(`returns ${isOpen ? '200' : '400'} for an unknown model`, async () => {
    const answer = await generate({ model: 'another', ...fields });
    if (isOpen) expect([answer.status, vendor.last.fields]).toMatchObject([200, fields]);
    else await expectRefusal(answer, { code, param, says: 'another' });
  });
});

test('accepts the fields of a model known by its name, and no others', async () => {
  const fields = { model: 'gpt-image-2.5-flare', quality: 'max', complexity: 'low' };
  expect([(await generate(fields)).status, vendor.last.fields]).toMatchObject([200, fields]);
  await expectRefusal(await generate({ model: 'gpt-image-2.5-flare', style: 'vivid' }), { code: 'unsupported_parameter', param: 'style' });
  await expectRefusal(await generate({ model: 'gpt-image-2.5-flare', size: '1000x1000' }), { code: 'invalid_value', param: 'size' });
});

test("accepts only the values in the model's entry", async () => {
  const fields = { model: 'draws-svg', output_format: 'svg', svg: { model: 'gpt-5.5' }, size: '512x512' };
  expect([(await generate(fields)).status, vendor.last.fields]).toMatchObject([200, fields]);
  await expectRefusal(await generate({ ...fields, size: '1024x1024' }), { code: 'invalid_value', param: 'size', says: '512x512' });
  await expectRefusal(await edit({ model: 'draws-svg' }), { code: 'unsupported_value', param: 'model', says: '/v1/images/generations' });
});

test('charges the price of the quality, and each frame of an animation as an image', async () => {
  expect(costOf(await generate({ model: 'gpt-image-2.5-flare', quality: 'xhigh', size: '1024x1024' }))).toBe('0.500000');
  const gif = { model: 'gpt-image-2.5-flare', quality: 'low', size: '1024x1024', output_format: 'gif' };
  expect(costOf(await generate({ ...gif, frame_count: 4 }))).toBe('0.040000');
  expect(costOf(await generate(gif))).toBe('0.090000');
});

test('charges and rejects the same fields in a form', async () => {
  const form = new FormData();
  form.set('image', new Blob([drawPng()], { type: 'image/png' }), 'a.png');
  form.set('prompt', 'A hat');
  form.set('model', 'gpt-image-2.5-flare');
  form.set('output_format', 'gif');
  form.set('frame_count', '3');
  form.set('quality', 'low');
  expect(costOf(await gateway.call('/images/edits', { method: 'POST', body: form }))).toBe('0.030000');
  form.set('model', 'gpt-image-2');
  await expectRefusal(await gateway.call('/images/edits', { method: 'POST', body: form }), {
    code: 'invalid_value',
    param: 'output_format',
  });
});

test('forwards the markup file of a form to the models that accept one', async () => {
  const markup = Buffer.concat([drawPng(), Buffer.from('the marks')]);
  const send = (model: string, ...files: readonly string[]): Promise<Response> => {
    const form = new FormData();
    form.set('model', model);
    form.set('prompt', 'A hat');
    form.set('image', new Blob([drawPng()], { type: 'image/png' }), 'a.png');
    for (const name of files) form.append(name, new Blob([markup], { type: 'image/png' }), 'm.png');
    return gateway.call('/images/edits', { method: 'POST', body: form });
  };
  expect((await send('gpt-image-2.5-flare', 'markup')).status).toBe(200);
  expect(vendor.last.parts?.find(({ name }) => name === 'markup')).toMatchObject({ filename: 'm.png', bytes: markup });
  await expectRefusal(await send('gpt-image-2', 'markup'), { code: 'unsupported_parameter', param: 'markup' });
  await expectRefusal(await send('gpt-image-2.5-flare', 'markup', 'markup'), { code: 'array_above_max_length', param: 'markup' });
});

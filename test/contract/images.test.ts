/** POST /v1/images/generations without a stream: from the simulator by the contract, from a vendor byte by byte. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ImageList } from '../../contract/images.ts';
import { json } from '../fakes/delivery.ts';
import { images } from '../fakes/images.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { type BehindVendor, bytesOf, openBehindVendor } from '../harness/vendor.ts';

const ask = { model: 'gpt-image-2', prompt: 'a lighthouse in the fog', size: '64x32' };

/** Width and height of a PNG. */
const sizeOf = (base64 = '') => {
  const bytes = Buffer.from(base64, 'base64');
  expect(bytes.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a');
  return `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`;
};

describe('over the simulator', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  test('returns n images of the requested size', async () => {
    const answer = await gateway.call('/images/generations', { json: { ...ask, n: 3 } });
    const list = ImageList.parse(await answer.json());
    expect(list.data.map(({ b64_json }) => sizeOf(b64_json))).toEqual(['64x32', '64x32', '64x32']);
    expect(list).toMatchObject({ size: '64x32', output_format: 'png' });
    expect(list.usage?.total_tokens).toBe((list.usage?.input_tokens ?? 0) + (list.usage?.output_tokens ?? 0));
    expect(await gateway.lineOf(answer)).toMatchObject({ route: '/v1/images/generations', outputTokens: list.usage?.output_tokens });
  });
});

describe('over a provider', () => {
  let vendor: BehindVendor;
  beforeAll(async () => {
    const models = [
      { id: 'gpt-image-2', kind: 'image' },
      { id: 'painter', kind: 'image', upstreamModel: 'gpt-image-real' },
    ];
    vendor = await openBehindVendor({ upstream: { fields: { allow: ['x_new'] } }, settings: { models } });
  });
  afterAll(() => vendor.close());

  test('forwards request and response unchanged', async () => {
    const text =
      '{ "model":"gpt-image-2", "prompt":"a \\ud83c\\udf0d", "n" : 2, "size":"64x32","x_new":{"weight":1.0,"huge":12345678901234567890} }';
    const answer = await vendor.post('/images/generations', text);
    const bytes = await bytesOf(answer);
    expect(vendor.fake.last.body.toString()).toBe(text);
    expect(bytes.equals(vendor.fake.last.sent)).toBe(true);
    expect(ImageList.parse(JSON.parse(bytes.toString())).data).toHaveLength(2);
    expect(await vendor.gateway.lineOf(answer)).toMatchObject({ inputTokens: 50, outputTokens: 1056 });
  });

  test('forwards a response of twelve megabytes unchanged, and logs its usage', async () => {
    const data = Array.from({ length: 4 }, (_, index) => ({ b64_json: String(index).repeat(3_000_000) }));
    vendor.fake.next(json({ ...images({ n: 0 }), data, usage: images().usage }));
    const answer = await vendor.post('/images/generations', JSON.stringify({ ...ask, n: 4 }));
    expect((await bytesOf(answer)).equals(vendor.fake.last.sent)).toBe(true);
    expect(await vendor.gateway.lineOf(answer)).toMatchObject({ inputTokens: 50, outputTokens: 1056 });
  });

  test('forwards a response with a URL in place of an image', async () => {
    vendor.fake.next(json({ created: 1_790_000_000, data: [{ url: 'https://example.com/a.png', revised_prompt: 'a lighthouse' }] }));
    const answer = await vendor.post('/images/generations', JSON.stringify(ask));
    expect(ImageList.parse(await answer.json()).data[0]?.url).toBe('https://example.com/a.png');
  });

  test('renames the model to its upstream name', async () => {
    await vendor.post('/images/generations', JSON.stringify({ ...ask, model: 'painter' }));
    expect(vendor.fake.last.fields).toEqual({ ...ask, model: 'gpt-image-real' });
  });
});

/** POST /v1/images/edits by form and by JSON: every file reaches the vendor byte by byte. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ImageList } from '../../contract/images.ts';
import { drawPng } from '../fakes/images.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { expectRefusal } from '../harness/refusal.ts';
import { readImages } from '../harness/transcript.ts';
import { type BehindVendor, bytesOf, openBehindVendor } from '../harness/vendor.ts';

interface Upload {
  readonly name?: string;
  readonly bytes: Buffer;
  readonly filename?: string;
  readonly type?: string;
}

function formOf(fields: Readonly<Record<string, string>>, uploads: readonly Upload[]): FormData {
  const form = new FormData();
  for (const { name = 'image', bytes, filename = 'upload', type = 'application/octet-stream' } of uploads) {
    form.append(name, new Blob([new Uint8Array(bytes)], { type }), filename);
  }
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

/** Bytes that a parser of lines or text would change, behind a valid header. */
const png = (size = 2_000) =>
  Buffer.concat([drawPng(), Buffer.from('\r\n--modelgate-\r\n\r\n--\r\n\u0000'), randomBytes(size), Buffer.from('\r\n')]);
const jpeg = () => Buffer.concat([Buffer.from('ffd8ffe000104a46494600', 'hex'), randomBytes(500)]);
const webp = () => Buffer.concat([Buffer.from('RIFF\u0024\u0000\u0000\u0000WEBPVP8 '), randomBytes(500)]);

const toDataUrl = (bytes: Buffer) => `data:image/png;base64,${bytes.toString('base64')}`;

const fields = { model: 'gpt-image-2', prompt: 'a hat' };

describe('over a provider', () => {
  let vendor: BehindVendor;
  beforeAll(async () => {
    const models = [
      { id: 'gpt-image-2', kind: 'image' },
      { id: 'painter', kind: 'image', upstreamModel: 'gpt-image-real' },
    ];
    vendor = await openBehindVendor({ upstream: { fields: { allow: ['x_future', 'x', 'x_new'] } }, settings: { models } });
  });
  afterAll(() => vendor.close());

  const edit = (form: FormData) => vendor.gateway.call('/images/edits', { body: form });
  const files = () => (vendor.fake.last.parts ?? []).filter((part) => part.filename !== null);

  test('F43: sends one image once, as `image`, byte by byte', async () => {
    const image = png();
    expect((await edit(formOf(fields, [{ bytes: image, filename: 'a.png', type: 'image/png' }]))).status).toBe(200);
    expect(files()).toEqual([{ name: 'image', filename: 'a.png', contentType: 'image/png', bytes: image }]);
    expect(vendor.fake.last.fields).toEqual(fields);
  });

  test.each(['image[]', 'image'])(
    'F43: sends three images named %s and a mask in their order, none lost and none doubled',
    async (name) => {
      const uploads = [png(), jpeg(), webp()].map((bytes, index) => ({ name, bytes, filename: `${index}` }));
      const mask = drawPng();
      expect((await edit(formOf(fields, [{ name: 'mask', bytes: mask, filename: 'm.png' }, ...uploads]))).status).toBe(200);
      expect(files()).toEqual([
        { name: 'image[]', filename: '0', contentType: 'image/png', bytes: uploads[0]?.bytes },
        { name: 'image[]', filename: '1', contentType: 'image/jpeg', bytes: uploads[1]?.bytes },
        { name: 'image[]', filename: '2', contentType: 'image/webp', bytes: uploads[2]?.bytes },
        { name: 'mask', filename: 'm.png', contentType: 'image/png', bytes: mask },
      ]);
    },
  );

  test('sends images named by index in their order', async () => {
    const uploads = [png(), png()].map((bytes, index) => ({ name: `image[${index}]`, bytes }));
    await edit(formOf(fields, uploads));
    expect(files().map(({ bytes }) => bytes)).toEqual(uploads.map(({ bytes }) => bytes));
  });

  test('sends sixteen images', async () => {
    expect(
      (
        await edit(
          formOf(
            fields,
            Array.from({ length: 16 }, () => ({ name: 'image[]', bytes: png(50) })),
          ),
        )
      ).status,
    ).toBe(200);
    expect(files()).toHaveLength(16);
  });

  test('sends an image of 8 MB', async () => {
    const image = png(8_000_000);
    expect((await edit(formOf(fields, [{ bytes: image }]))).status).toBe(200);
    expect(files()[0]?.bytes.equals(image)).toBe(true);
  });

  test('forwards a file with a wrong content type with the type of its bytes', async () => {
    await edit(formOf(fields, [{ bytes: jpeg(), filename: 'a.png', type: 'image/png' }]));
    expect(files()[0]).toMatchObject({ filename: 'a.png', contentType: 'image/jpeg' });
  });

  test.each(['my "best" photo.png', 'Grüße ☕ 🌍.png', 'a\r\nb.png', '%22.png', 'semi;colon=.png'])(
    'keeps the file name %j',
    async (filename) => {
      await edit(formOf(fields, [{ bytes: png(), filename }]));
      expect(files()).toHaveLength(1);
      expect(decodeURIComponent(files()[0]?.filename?.replace(/%(?!0D|0A|22)/g, '%25') ?? '')).toBe(filename.replace('%22', '"'));
    },
  );

  test('forwards every option as text, also an additional one that the operator allows', async () => {
    const options = { n: '2', size: '1024x1024', quality: 'high', background: 'opaque', output_format: 'jpeg', output_compression: '80' };
    const more = { input_fidelity: 'high', moderation: 'low', user: 'u1', safety_identifier: 's1', x_future: ' "quoted" \r\n é ' };
    expect((await edit(formOf({ ...fields, ...options, ...more }, [{ bytes: png() }]))).status).toBe(200);
    expect(vendor.fake.last.fields).toEqual({ ...fields, ...options, ...more });
  });

  test('omits a form field with the text null', async () => {
    await edit(formOf({ ...fields, size: 'null', stream: 'null', n: 'null' }, [{ bytes: png() }]));
    expect(vendor.fake.last.fields).toEqual(fields);
  });

  test('renames the model to its upstream name', async () => {
    await edit(formOf({ ...fields, model: 'painter' }, [{ bytes: png() }]));
    expect(vendor.fake.last.fields).toEqual({ ...fields, model: 'gpt-image-real' });
  });

  test("forwards the response unchanged, logs its usage, and doesn't send the caller's key upstream", async () => {
    const answer = await edit(formOf(fields, [{ bytes: png() }]));
    const bytes = await bytesOf(answer);
    expect(bytes.equals(vendor.fake.last.sent)).toBe(true);
    ImageList.parse(JSON.parse(bytes.toString()));
    expect(await vendor.gateway.lineOf(answer)).toMatchObject({ route: '/v1/images/edits', inputTokens: 50, outputTokens: 1056 });
    expect(vendor.fake.last.headers).toMatchObject({
      authorization: 'Bearer sk-vendor-secret',
      'content-length': String(vendor.fake.last.body.length),
    });
    expect(vendor.fake.last.rawHeaders.join() + vendor.fake.last.body.toString('latin1')).not.toContain(vendor.gateway.key);
  });

  test('forwards an edit by JSON unchanged', async () => {
    const images = [{ image_url: toDataUrl(png()) }, { image_url: toDataUrl(drawPng()) }];
    const text = `{ "model":"gpt-image-2","prompt":"a \\ud83c\\udf0d", "images":${JSON.stringify(images)},"mask" :{"image_url":"${toDataUrl(drawPng())}"},"x":1.0 }`;
    const answer = await vendor.post('/images/edits', text);
    expect(vendor.fake.last.body.toString()).toBe(text);
    expect((await bytesOf(answer)).equals(vendor.fake.last.sent)).toBe(true);
  });

  test.each([
    ['an https URL', { image_url: 'https://pictures.example/a.png?sig=a%2Fb' }],
    ['a file ID', { file_id: 'file-abc123' }],
  ])('forwards an edit whose images and mask are given by %s, which the upstream resolves itself', async (_, reference) => {
    const text = JSON.stringify({ ...fields, images: [reference, { image_url: toDataUrl(png()) }], mask: reference });
    const answer = await vendor.post('/images/edits', text);
    expect(answer.status).toBe(200);
    expect(vendor.fake.last.body.toString()).toBe(text);
    expect(await vendor.gateway.lineOf(answer)).toMatchObject({ end: 'completed' });
  });

  test('returns 400 for a data URL next to an https URL when its bytes are not an image', async () => {
    const images = [{ image_url: 'https://pictures.example/a.png' }, { image_url: toDataUrl(Buffer.from('text')) }];
    const answer = await vendor.post('/images/edits', JSON.stringify({ ...fields, images }));
    await expectRefusal(answer, { code: 'invalid_image_format', param: 'images[1].image_url' });
  });

  test('streams an edit, by form and by JSON', async () => {
    const byForm = await edit(formOf({ ...fields, stream: 'true', partial_images: '2', size: '64x32' }, [{ bytes: png() }]));
    expect(byForm.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(vendor.fake.last.fields).toMatchObject({ stream: 'true', partial_images: '2' });
    expect(vendor.fake.last.headers.accept).toBe('text/event-stream');
    const images = [{ image_url: `data:image/png;base64,${drawPng().toString('base64')}` }];
    const byJson = await vendor.post(
      '/images/edits',
      JSON.stringify({ ...fields, images, stream: true, partial_images: 2, size: '64x32' }),
    );
    for (const answer of [byForm, byJson]) {
      const types = readImages(await answer.text(), 'image_edit').map(({ type }) => type);
      expect(types).toEqual(['image_edit.partial_image', 'image_edit.partial_image', 'image_edit.completed']);
      expect(await vendor.gateway.lineOf(answer)).toMatchObject({ end: 'completed', inputTokens: 50, outputTokens: 1056 });
    }
  });
});

describe('over the simulator', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  test('returns an edited image, as JSON and as a stream', async () => {
    const order = { ...fields, size: '64x32' };
    const whole = await gateway.call('/images/edits', { body: formOf(order, [{ bytes: drawPng() }, { name: 'mask', bytes: drawPng() }]) });
    expect(ImageList.parse(await whole.json()).data).toHaveLength(1);
    const stream = await gateway.call('/images/edits', {
      body: formOf({ ...order, stream: 'true', partial_images: '1' }, [{ bytes: drawPng() }]),
    });
    expect(readImages(await stream.text(), 'image_edit').at(-1)).toMatchObject({ type: 'image_edit.completed', size: '64x32' });
  });
});

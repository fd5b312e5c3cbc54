/** Images and files by URL over Gemini and Vertex AI: the provider fetches them, with the type that their extension names. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Fake, openFake } from '../../fakes/upstream.ts';
import { startGateway, type TestGateway } from '../../harness/gateway.ts';
import { say } from '../../harness/pairs.ts';
import { expectRefusal } from '../../harness/refusal.ts';

let fake: Fake;
let gateway: TestGateway;
beforeAll(async () => {
  fake = await openFake();
  const { origin } = new URL(fake.url);
  gateway = await startGateway({
    upstreams: {
      gemini: { kind: 'gemini', baseUrl: `${origin}/v1beta`, apiKey: 'AIza-key' },
      vertex: { kind: 'gemini', baseUrl: `${origin}/v1`, google: {}, apiKey: 'AQ.express-key-0123456789' },
    },
    models: ['gemini', 'vertex'].map((id) => ({ id, kind: 'text', upstream: id, upstreamModel: 'gemini-3.5-flash' })),
  });
});
beforeEach(() => {
  fake.clear();
  fake.always((request) => say('gemini', request, { text: 'A cat.' }));
});
afterAll(async () => {
  await gateway.close();
  await fake.close();
});

const partsOf = ({ fields }: { readonly fields: unknown }): unknown =>
  (fields as { contents: readonly { parts: unknown }[] }).contents.at(-1)?.parts;

const image = {
  chat: (model: string, url: string) =>
    gateway.call('/chat/completions', {
      json: { model, messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }] },
    }),
  responses: (model: string, url: string) =>
    gateway.call('/responses', { json: { model, input: [{ role: 'user', content: [{ type: 'input_image', image_url: url }] }] } }),
} as const;
const file = (model: string, url: string) =>
  gateway.call('/responses', { json: { model, input: [{ role: 'user', content: [{ type: 'input_file', file_url: url }] }] } });

const types = [
  ['https://pictures.example/a.png', 'image/png'],
  ['https://pictures.example/a.JPG?sig=a%2Fb.png', 'image/jpeg'],
  ['HTTPS://pictures.example/a.jpeg', 'image/jpeg'],
  ['https://pictures.example/a.webp', 'image/webp'],
  ['https://pictures.example/a.gif#b', 'image/gif'],
  ['https://pictures.example/a.heic', 'image/heic'],
  ['https://pictures.example/a.heif', 'image/heif'],
  ['https://pictures.example/a.pdf', 'application/pdf'],
  ['https://pictures.example/a.constructor', 'image/jpeg'],
  ['https://pictures.example/a', 'image/jpeg'],
] as const;

describe.each(['chat', 'responses'] as const)('%s', (caller) => {
  test.each(types)('sends an image at %s as a URL of type %s', async (fileUri, mimeType) => {
    expect((await image[caller]('gemini', fileUri)).status).toBe(200);
    expect(partsOf(fake.last)).toEqual([{ fileData: { fileUri, mimeType } }]);
  });

  test('sends a data URL as inline data', async () => {
    expect((await image[caller]('gemini', 'data:image/png;base64,aGVsbG8=')).status).toBe(200);
    expect(partsOf(fake.last)).toEqual([{ inlineData: { mimeType: 'image/png', data: 'aGVsbG8=' } }]);
  });

  test.each(['http://pictures.example/a.png', 'gs://bucket/a.png', 'ftp://pictures.example/a.png', 'https://', 'a.png'])(
    'returns 400 for an image at %s over the Gemini API',
    async (url) => {
      const param = `${caller === 'chat' ? 'messages' : 'input'}[0].content[0]`;
      await expectRefusal(await image[caller]('gemini', url), { code: 'unsupported_parameter', param, says: 'an https URL' });
      expect(fake.requests).toEqual([]);
    },
  );

  test.each(['https://pictures.example/a.png', 'http://pictures.example/a.png', 'gs://bucket/a.png'])(
    'sends an image at %s as a URL over Vertex AI',
    async (fileUri) => {
      expect((await image[caller]('vertex', fileUri)).status).toBe(200);
      expect(partsOf(fake.last)).toEqual([{ fileData: { fileUri, mimeType: 'image/png' } }]);
    },
  );
});

test.each([
  ['https://papers.example/a.pdf', 'application/pdf'],
  ['https://papers.example/a', 'application/pdf'],
  ['https://papers.example/a.png', 'image/png'],
])('sends a file at %s as a URL of type %s', async (fileUri, mimeType) => {
  expect((await file('gemini', fileUri)).status).toBe(200);
  expect(partsOf(fake.last)).toEqual([{ fileData: { fileUri, mimeType } }]);
});

test('returns 400 for a file at an http URL over the Gemini API', async () => {
  const answer = await file('gemini', 'http://papers.example/a.pdf');
  await expectRefusal(answer, { code: 'unsupported_parameter', param: 'input[0].content[0]' });
});

test('sends the image of a tool result as a URL after the result', async () => {
  const fileUri = 'https://pictures.example/a.png';
  const input = [
    { role: 'user', content: 'Look.' },
    { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{}' },
    { type: 'function_call_output', call_id: 'call_1', output: [{ type: 'input_image', image_url: fileUri }] },
  ];
  expect((await gateway.call('/responses', { json: { model: 'gemini', input } })).status).toBe(200);
  expect(partsOf(fake.last)).toMatchObject([{ functionResponse: { name: 'look' } }, { fileData: { fileUri, mimeType: 'image/png' } }]);
});

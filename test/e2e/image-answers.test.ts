/** Image responses in the other form than the caller asked for: they are delivered and charged, and no image is generated twice. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ImageList } from '../../contract/images.ts';
import { type Delivery, json, stream } from '../fakes/delivery.ts';
import { html } from '../fakes/faults.ts';
import { drawPng, imageFrames, images, imageUsage } from '../fakes/images.ts';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { expectRefusal } from '../harness/refusal.ts';
import { readImages } from '../harness/transcript.ts';

let main: Fake;
let backup: Fake;
let gateway: TestGateway;
beforeAll(async () => {
  [main, backup] = await Promise.all([openFake(), openFake()]);
  gateway = await startGateway({
    upstreams: {
      main: { kind: 'openai', baseUrl: main.url, apiKey: 'sk-main' },
      backup: { kind: 'openai', baseUrl: backup.url, apiKey: 'sk-backup' },
    },
    models: [
      {
        id: 'gpt-image-2',
        kind: 'image',
        prices: { images: { '*/low': '0.01', '1024x1024/high': '0.25', default: '0.4' } },
        candidates: [{ upstream: 'main' }, { upstream: 'backup', priority: 2 }],
      },
    ],
    routing: { maxAttempts: 3, breaker: { failures: 100 } },
  });
});
beforeEach(() => {
  main.clear();
  backup.clear();
});
afterAll(async () => {
  await gateway.close();
  await Promise.all([main.close(), backup.close()]);
});

const picture = { image_url: `data:image/png;base64,${drawPng().toString('base64')}` };
const calls = [
  { operation: 'image_generation', path: '/images/generations', fields: {} },
  { operation: 'image_edit', path: '/images/edits', fields: { images: [picture] } },
] as const;
const ask = (path: string, fields: object): Promise<Response> =>
  gateway.call(path, { json: { model: 'gpt-image-2', prompt: 'A boat', ...fields } });
const asked = (): readonly number[] => [main.requests.length, backup.requests.length];

describe.each(calls)('$path', ({ operation, path, fields }) => {
  test('streams the completed event of an image that the upstream returned as JSON, and charges it', async () => {
    main.next(json(images({ extra: null })));
    const answer = await ask(path, { ...fields, stream: true, partial_images: 2 });
    expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const events = readImages(await answer.text(), operation);
    const { created, data: _, ...more } = images({ extra: null });
    expect(events).toEqual([
      { type: `${operation}.completed`, ...more, created_at: created, b64_json: drawPng(1024, 1024).toString('base64') },
    ]);
    expect(asked()).toEqual([1, 0]);
    expect(await gateway.lineOf(answer)).toMatchObject({ end: 'completed', cost: '0.250000', inputTokens: imageUsage.input_tokens });
  });

  test('returns JSON for an image that the upstream streamed, and charges it', async () => {
    main.next(stream(imageFrames({ operation, partials: 2 })));
    const answer = await ask(path, fields);
    expect(answer.headers.get('content-type')).toMatch('application/json');
    const list = ImageList.parse(await answer.json());
    expect(list).toMatchObject({ created: images().created, data: images().data, size: '1024x1024', usage: imageUsage });
    expect(list).not.toHaveProperty('type');
    expect(answer.headers.get('x-modelgate-cost')).toBe('0.250000');
    expect(asked()).toEqual([1, 0]);
  });
});

const cut: Delivery = { stopAfter: { bytes: 200 }, ending: 'cut' };

test.each([
  ['a stream', 'a page of HTML', true, html()],
  ['a stream', 'JSON without an image', true, json({ created: 1, data: [] })],
  ['a stream', 'JSON with a broken connection', true, json(images(), cut)],
  ['a stream', 'a stream with a broken connection', true, stream(imageFrames(), cut)],
  ['JSON', 'a page of HTML', false, html()],
  ['JSON', 'JSON with a broken connection', false, json(images(), cut)],
  ['JSON', 'a stream without an image', false, stream(imageFrames({ partials: 1 }).slice(0, 1))],
  ['JSON', 'a stream with a broken connection', false, stream(imageFrames(), cut)],
])('returns 502 and asks no upstream again when %s was requested and the upstream returns %s', async (_, __, isStream, script) => {
  main.next(script);
  await expectRefusal(await ask('/images/generations', { stream: isStream }), { code: 'upstream_error' });
  expect(asked()).toEqual([1, 0]);
});

test('returns the error that the upstream streamed for a request without streaming', async () => {
  main.next(stream([{ event: 'error', data: { type: 'error', error: { code: 'moderation_blocked', message: 'No.', param: null } } }]));
  await expectRefusal(await ask('/images/generations', {}), { code: 'moderation_blocked' });
  expect(asked()).toEqual([1, 0]);
});

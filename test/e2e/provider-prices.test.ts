/** What a provider charged the operator stays out of everything that a caller reads. */
import { expect, test } from 'vitest';
import { chatCompletion, chatFrames, chatUsage } from '../fakes/chat.ts';
import { json, stream } from '../fakes/delivery.ts';
import { imageFrames, images, imageUsage } from '../fakes/images.ts';
import { response, responseFrames, responseUsage } from '../fakes/responses.ts';
import { startGateway } from '../harness/gateway.ts';
import { useFake, useOpened } from '../harness/opened.ts';

const vendor = useFake();
const gateway = useOpened(() => {
  const prices = { input: '1', output: '4' };
  return startGateway({
    upstreams: { vendor: { kind: 'openai', baseUrl: vendor.url, apiKey: 'sk-vendor' } },
    models: [
      { id: 'text', kind: 'text', upstream: 'vendor', prices },
      { id: 'image', kind: 'image', upstream: 'vendor', prices: { images: { default: '0.04' } } },
    ],
  });
});

/** As OpenRouter, Perplexity, xAI, and DeepInfra report their prices. */
const reported = [
  { cost: 0.77123, cost_details: { upstream_inference_cost: 0.77123 }, is_byok: false },
  { cost: { input_tokens_cost: 0.77123, request_cost: 0.005, total_cost: 0.77123 } },
  { cost_in_usd_ticks: 77123 },
  { estimated_cost: 0.77123, prompt_tokens_details: { cached_tokens: 3, cache_discount: 0.77123 } },
];
/** As Vercel reports them. */
const metadata = { provider_metadata: { gateway: { cost: '0.77123', marketCost: '0.77123', generationId: 'gen_1' } } };

const withMetadata = (name: 'message' | 'delta', body: Record<string, unknown>): Record<string, unknown> => ({
  ...body,
  cost: 0.77123,
  choices: Object.values(body.choices ?? {}).map((choice) => ({ ...choice, [name]: { ...choice[name], ...metadata } })),
});

const operations = {
  '/chat/completions': {
    asked: { model: 'text', messages: [{ role: 'user', content: 'Hello' }] },
    whole: (prices: object) => withMetadata('message', chatCompletion({ usage: { ...chatUsage, ...prices } })),
    frames: (prices: object) =>
      chatFrames({ includeUsage: true, usage: { ...chatUsage, ...prices } }).map((frame) =>
        typeof frame.data === 'object' ? { ...frame, data: withMetadata('delta', Object(frame.data)) } : frame,
      ),
  },
  '/responses': {
    asked: { model: 'text', input: 'Hello' },
    whole: (prices: object) => response({ usage: { ...responseUsage, ...prices }, echo: { cost: 0.77123 } }),
    frames: (prices: object) => responseFrames({ usage: { ...responseUsage, ...prices }, echo: { cost: 0.77123 } }),
  },
  '/images/generations': {
    asked: { model: 'image', prompt: 'A fjord' },
    whole: (prices: object) => ({ ...images(), usage: { ...imageUsage, ...prices } }),
    frames: (prices: object) =>
      imageFrames().map((frame) => ({ ...frame, data: { ...Object(frame.data), usage: { ...imageUsage, ...prices } } })),
  },
} as const;
type Path = keyof typeof operations;
const headers = { 'x-litellm-response-cost': '0.77123' };

const cases = (['/chat/completions', '/responses', '/images/generations'] as const).flatMap((path) =>
  reported.flatMap((prices) => [false, true].map((isStream) => ({ path, prices, isStream, name: Object.keys(prices)[0] }))),
);

async function call(
  path: Path,
  prices: object,
  fields: Record<string, unknown>,
): Promise<{ readonly text: string; readonly headers: string }> {
  const { asked, whole, frames } = operations[path];
  vendor.clear();
  vendor.always(() => (fields.stream === true ? stream(frames(prices), { headers }) : json(whole(prices), { headers })));
  const answer = await gateway.call(path, { method: 'POST', json: { ...asked, ...fields } });
  const text = await answer.text();
  expect([answer.status, text.includes('"error":{')]).toEqual([200, false]);
  return { text, headers: JSON.stringify([...answer.headers]) };
}

test.each(cases)('omits $name of $path (stream: $isStream)', async ({ path, prices, isStream }) => {
  const answer = await call(path, prices, {
    stream: isStream,
    ...(path === '/chat/completions' && { stream_options: isStream ? { include_usage: true } : undefined }),
  });
  expect(answer.text).not.toMatch(/77123|cost_details|is_byok/);
  expect(answer.headers).not.toContain('77123');
  expect(answer.text).toMatch(/"usage":\{"/);
});

test.each(['/chat/completions', '/responses'] as const)('returns its own cost alone when a caller of %s requests it', async (path) => {
  for (const isStream of [false, true]) {
    const { text } = await call(path, reported[0] ?? {}, { stream: isStream, usage: { include: true } });
    expect(text).not.toMatch(/77123|cost_details/);
    expect(text).toMatch(/"cost":0\.0000\d+/);
  }
});

test('omits prices of stored responses', async () => {
  const { text } = await call('/responses', reported[0] ?? {}, { store: true });
  const stored = await (await gateway.call(`/responses/${JSON.parse(text).id}`)).text();
  expect(stored).toContain('"usage"');
  expect(stored).not.toContain('77123');
});

test('omits prices of an image response of several megabytes', async () => {
  const data = [{ b64_json: 'A'.repeat(3_000_000) }];
  for (const usage of [
    { ...imageUsage, cost_in_usd_ticks: 77123 },
    { ...imageUsage, estimated_cost: 0.77123 },
  ]) {
    vendor.always(() => json({ created: 1, data, usage }));
    const text = await (
      await gateway.call('/images/generations', { method: 'POST', json: operations['/images/generations'].asked })
    ).text();
    expect(text.length).toBeGreaterThan(3_000_000);
    expect(text.slice(3_000_000)).not.toContain('77123');
  }
});

test('keeps names like prices in what the caller and the model wrote', async () => {
  const tools = [
    { type: 'function', name: 'quote', parameters: { type: 'object', properties: { cost: { type: 'number' } } }, strict: false },
  ];
  const echo = { metadata: { cost: '12' }, tools };
  vendor.always(() => json(response({ echo })));
  const answer = await gateway.call('/responses', {
    method: 'POST',
    json: { model: 'text', input: 'Hello', metadata: echo.metadata, tools },
  });
  expect(await answer.json()).toMatchObject(echo);
});

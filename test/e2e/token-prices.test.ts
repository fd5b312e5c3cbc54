/** Prices that depend on a request's length, its service tier, and its media: each call is charged by what the provider says it did. */
import { describe, expect, test } from 'vitest';
import { Receipt } from '../../contract/usage.ts';
import { chatCompletion, chatFrames } from '../fakes/chat.ts';
import { json, stream } from '../fakes/delivery.ts';
import type { SseEvent } from '../fakes/frames.ts';
import { geminiAnswer, geminiFrames } from '../fakes/gemini.ts';
import { imageFrames, images } from '../fakes/images.ts';
import { response, responseFrames } from '../fakes/responses.ts';
import type { Script } from '../fakes/script.ts';
import { startGateway } from '../harness/gateway.ts';
import { useFake, useOpened } from '../harness/opened.ts';

type Fields = Record<string, unknown>;

const vendor = useFake();
const gateway = useOpened(() => {
  const prices = {
    input: '2.5',
    cachedInput: '0.25',
    output: '15',
    audioInput: '32',
    audioOutput: '64',
    longContext: { 272000: { input: '5', cachedInput: '0.5', output: '22.5' } },
    serviceTiers: { flex: '0.5', priority: '2' },
  };
  const tokens = { input: '5', cachedInput: '1.25', imageInput: '8', output: '30' };
  return startGateway({
    upstreams: {
      openai: { kind: 'openai', baseUrl: vendor.url, apiKey: 'sk-vendor' },
      google: { kind: 'gemini', baseUrl: vendor.url, apiKey: 'sk-vendor' },
    },
    models: [
      { id: 'gpt', kind: 'text', upstream: 'openai', prices },
      { id: 'translated', kind: 'text', upstream: 'openai', protocols: ['chat'], prices },
      { id: 'untiered', kind: 'text', upstream: 'openai', prices: { input: '2.5', output: '15' } },
      { id: 'gemini', kind: 'text', upstream: 'google', prices },
      { id: 'image', kind: 'image', upstream: 'openai', prices: tokens },
      { id: 'image-each', kind: 'image', upstream: 'openai', prices: { images: { default: '0.05', partial: '0.003' } } },
    ],
  });
});

function answerWith(script: Script): void {
  vendor.clear();
  vendor.always(script);
}

/** A call with its receipt. */
async function charged(path: string, body: Fields) {
  const answer = await gateway.call(path, { method: 'POST', json: body });
  await answer.text();
  expect(answer.status).toBe(200);
  const receipt = await gateway.call(`/usage/${answer.headers.get('x-request-id')}`);
  return Receipt.parse(await receipt.json());
}

const chatBody = (model: string, fields: Fields) => ({ model, messages: [{ role: 'user', content: 'Hello' }], ...fields });
const withTier = (tier: unknown) => (frame: SseEvent) =>
  typeof frame.data === 'object' ? { ...frame, data: { ...Object(frame.data), service_tier: tier } } : frame;

interface Protocol {
  readonly path: string;
  readonly model: string;
  readonly body: (model: string, fields: Fields) => Fields;
  /** A response with this usage, as OpenAI counts it, processed in this tier; undefined doesn't name one. */
  readonly whole: (usage: Tokens, tier: unknown) => unknown;
  readonly frames: (usage: Tokens, tier: unknown) => readonly SseEvent[];
}
interface Tokens {
  readonly input: number;
  readonly cached?: number;
  readonly output: number;
}

const chatUsage = ({ input, cached = 0, output }: Tokens) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
  prompt_tokens_details: { cached_tokens: cached },
});
const responsesUsage = ({ input, cached = 0, output }: Tokens) => ({
  input_tokens: input,
  output_tokens: output,
  total_tokens: input + output,
  input_tokens_details: { cached_tokens: cached },
  output_tokens_details: { reasoning_tokens: 0 },
});
const chat: Pick<Protocol, 'whole' | 'frames'> = {
  whole: (usage, tier) => ({ ...chatCompletion({ usage: chatUsage(usage) }), service_tier: tier }),
  frames: (usage, tier) => chatFrames({ includeUsage: true, usage: chatUsage(usage) }).map(withTier(tier)),
};
const protocols: Readonly<Record<string, Protocol>> = {
  chat: { path: '/chat/completions', model: 'gpt', body: chatBody, ...chat },
  responses: {
    path: '/responses',
    model: 'gpt',
    body: (model, fields) => ({ model, input: 'Hello', ...fields }),
    whole: (usage, tier) => ({ ...response({ usage: responsesUsage(usage) }), service_tier: tier }),
    frames: (usage, tier) => responseFrames({ usage: responsesUsage(usage), echo: { service_tier: tier } }),
  },
  'responses over chat': {
    path: '/responses',
    model: 'translated',
    body: (model, fields) => ({ model, input: 'Hello', ...fields }),
    ...chat,
  },
};

const cases = Object.keys(protocols).flatMap((name) => [false, true].map((isStream) => ({ name, isStream })));

describe.each(cases)('a call of $name (streamed: $isStream)', ({ name, isStream }) => {
  const { path, model, body, whole, frames } = protocols[name] ?? expect.fail('no such protocol');
  const call = (usage: Tokens, tier: unknown, fields: Fields = {}) => {
    answerWith(isStream ? stream(frames(usage, tier)) : json(whole(usage, tier)));
    return charged(path, body(model, { ...fields, ...(isStream && { stream: true }) }));
  };

  test('costs the prices of its length', async () => {
    const short = await call({ input: 272_000, cached: 100_000, output: 1_000 }, 'default');
    expect([short.cost, short.service_tier]).toEqual(['0.470000', null]);
    const long = await call({ input: 300_000, cached: 100_000, output: 1_000 }, 'default');
    expect(long.cost).toBe('1.072500');
    expect(long.lines.map((line) => [line.class, line.price])).toEqual([
      ['input', '5.000000'],
      ['cached_input', '0.500000'],
      ['output', '22.500000'],
    ]);
  });

  test('costs the factor of the service tier that the provider answers', async () => {
    const usage = { input: 1_000, output: 100 };
    const costs = async (asked: string | undefined, answered: unknown) => {
      const { cost, service_tier, held, charged: taken } = await call(usage, answered, asked === undefined ? {} : { service_tier: asked });
      expect(Number(held)).toBeGreaterThanOrEqual(Number(cost));
      expect(taken).toBe(cost);
      return [cost, service_tier];
    };
    expect(await costs('flex', 'flex')).toEqual(['0.002000', 'flex']);
    expect(await costs('priority', 'priority')).toEqual(['0.008000', 'priority']);
    expect(await costs('priority', 'default')).toEqual(['0.004000', null]);
    expect(await costs('auto', 'priority')).toEqual(['0.008000', 'priority']);
    expect(await costs(undefined, 'priority')).toEqual(['0.008000', 'priority']);
    // Many providers don't name it.
    expect(await costs('flex', undefined)).toEqual(['0.002000', 'flex']);
  });
});

test('returns 400 when the service tier has no price', async () => {
  for (const model of ['gpt', 'untiered']) {
    const answer = await gateway.call('/chat/completions', { method: 'POST', json: chatBody(model, { service_tier: 'scale' }) });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { code: 'unsupported_value', param: 'service_tier' } });
  }
  expect(vendor.requests).toEqual([]);
});

test.each([false, true])('charges audio by its own prices over chat and Gemini (streamed: %s)', async (isStream) => {
  const fields = isStream ? { stream: true } : {};
  const chatCounts = {
    prompt_tokens: 1_000,
    completion_tokens: 500,
    total_tokens: 1_500,
    prompt_tokens_details: { audio_tokens: 800, cached_tokens: 0 },
    completion_tokens_details: { audio_tokens: 400, reasoning_tokens: 0 },
  };
  const lines = [
    { class: 'input', quantity: 200 },
    { class: 'audio_input', quantity: 800, price: '32.000000' },
    { class: 'output', quantity: 100 },
    { class: 'audio_output', quantity: 400, price: '64.000000' },
  ];
  const reply = { includeUsage: true, usage: chatCounts };
  answerWith(isStream ? stream(chatFrames(reply)) : json(chatCompletion(reply)));
  expect((await charged('/chat/completions', chatBody('gpt', fields))).lines).toMatchObject(lines);
  const usage = {
    promptTokenCount: 1_000,
    candidatesTokenCount: 500,
    totalTokenCount: 1_500,
    promptTokensDetails: [
      { modality: 'TEXT', tokenCount: 200 },
      { modality: 'AUDIO', tokenCount: 800 },
    ],
    candidatesTokensDetails: [{ modality: 'AUDIO', tokenCount: 400 }],
  };
  answerWith(isStream ? stream(geminiFrames({ usage, text: ['Hello.'] })) : json(geminiAnswer({ usage })));
  expect((await charged('/chat/completions', chatBody('gemini', fields))).lines).toMatchObject(lines);
});

test('holds the prices of audio only for a request with audio', async () => {
  answerWith(json(chatCompletion({ text: 'Hello.' })));
  const limit = { max_completion_tokens: 1_000, service_tier: 'default' };
  const audioFields = { modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'wav' } };
  const getHeld = async (fields: Fields) => Number((await charged('/chat/completions', chatBody('gpt', { ...limit, ...fields }))).held);
  const [text, audio] = [await getHeld({}), await getHeld(audioFields)];
  // 1,000 output tokens cost $0.015 as text and $0.064 as audio.
  expect(text).toBeGreaterThan(0.015);
  expect(text).toBeLessThan(0.02);
  expect(audio).toBeGreaterThan(0.064);
});

describe.each([false, true])('an image (streamed: %s)', (isStream) => {
  const fields = { prompt: 'A fjord', quality: 'low', size: '1024x1024', ...(isStream && { stream: true, partial_images: 2 }) };
  const usage = {
    input_tokens: 50,
    output_tokens: 272,
    total_tokens: 322,
    input_tokens_details: { text_tokens: 50, image_tokens: 0 },
  };

  test('costs the price of its tokens', async () => {
    answerWith(isStream ? stream(imageFrames({ usage, partials: 2 })) : json(images({ usage })));
    const receipt = await charged('/images/generations', { model: 'image', ...fields });
    expect([receipt.cost, receipt.estimated]).toEqual(['0.008410', false]);
    expect(Number(receipt.held)).toBeGreaterThan(0.0084);
  });

  test('costs the tokens of its size and quality when the provider counts none', async () => {
    answerWith(isStream ? stream(imageFrames({ usage: null, partials: 2 })) : json(images({ usage: null })));
    const receipt = await charged('/images/generations', { model: 'image', ...fields });
    expect(receipt.estimated).toBe(true);
    expect(Number(receipt.cost)).toBeGreaterThan(0.008);
    expect(Number(receipt.cost)).toBeLessThan(0.0135);
  });

  test('costs a price per image, with partial images separate', async () => {
    answerWith(isStream ? stream(imageFrames({ usage, partials: 2 })) : json(images({ usage })));
    const receipt = await charged('/images/generations', { model: 'image-each', ...fields });
    const partials = isStream ? [{ class: 'partial', quantity: 2, price: '0.003000', per: 'image' }] : [];
    expect(receipt.lines).toMatchObject([{ class: '1024x1024/low', quantity: 1, price: '0.050000' }, ...partials]);
    expect(receipt.held).toBe(isStream ? '0.056000' : '0.050000');
  });
});

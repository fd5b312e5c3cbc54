/** The AI SDK with its OpenAI provider: pieces of a stream, errors, and images. Its tool loops are in sdk-loops. */
import { createOpenAI, type OpenAIProvider } from '@ai-sdk/openai';
import { APICallError, generateImage, generateText, streamText } from 'ai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../harness/gateway.ts';

let gateway: TestGateway;
let openai: OpenAIProvider;
beforeAll(async () => {
  gateway = await startGateway();
  openai = createOpenAI({ baseURL: gateway.baseURL, apiKey: gateway.key });
});
afterAll(() => gateway.close());

describe.each(['chat', 'responses'] as const)('%s', (mode) => {
  test('streams text in pieces, and the usage at the end', async () => {
    const result = streamText({ model: openai[mode]('gpt-5.4'), prompt: 'Say: Good morning from the gateway.' });
    const pieces: string[] = [];
    for await (const piece of result.textStream) pieces.push(piece);
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join('')).toBe('Good morning from the gateway.');
    expect((await result.usage).totalTokens).toBeGreaterThan(0);
  });

  test('throws an APICallError with the status and the message of the gateway', async () => {
    const failed = generateText({ model: openai[mode]('gpt-0'), prompt: 'Hi' });
    await expect(failed).rejects.toBeInstanceOf(APICallError);
    await expect(failed).rejects.toMatchObject({ statusCode: 404, isRetryable: false, message: expect.stringContaining('gpt-0') });
  });
});

test('generates a PNG', async () => {
  const { image } = await generateImage({ model: openai.image('gpt-image-2'), prompt: 'A lighthouse', size: '1024x1024' });
  expect(image.mediaType).toBe('image/png');
});

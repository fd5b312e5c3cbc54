/** V13: a text model of Gemini answers with a picture. Neither caller can be given it as text: both read that it was there. */
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { json, stream } from '../../fakes/delivery.ts';
import { openStage, type Stage } from '../ceilings/stage.ts';

let stage: Stage;
let client: OpenAI;
beforeAll(async () => {
  stage = await openStage({}, [], { pictured: { kind: 'gemini' } });
  client = new OpenAI({ baseURL: stage.gateway.baseURL, apiKey: stage.gateway.key, maxRetries: 0 });
});
beforeEach(() => stage.fake.clear());
afterAll(() => stage.close());

const picture = { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } };
const piece = (parts: readonly object[], finishReason?: string) => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...(finishReason !== undefined && { finishReason }) }],
  usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 1_290, totalTokenCount: 1_295 },
  modelVersion: 'gemini-2.5-flash-image',
  responseId: 'answer-1',
});

/** One event for each group of parts; the last one ends the answer. */
const say = (streamed: boolean, ...groups: readonly (readonly object[])[]) =>
  stage.fake.next(
    streamed
      ? stream(
          groups.map((parts, at) => ({
            raw: `data: ${JSON.stringify(piece(parts, at === groups.length - 1 ? 'STOP' : undefined))}\r\n\r\n`,
          })),
        )
      : json(piece(groups.flat(), 'STOP')),
  );

async function readChat(streamed: boolean) {
  const ask = { model: 'pictured', messages: [{ role: 'user' as const, content: 'Draw a cat.' }] };
  if (!streamed) {
    const { choices } = await client.chat.completions.create(ask);
    return { text: choices[0]?.message.content ?? '', told: choices[0]?.message.refusal ?? '' };
  }
  const read = { text: '', told: '' };
  for await (const { choices } of await client.chat.completions.create({ ...ask, stream: true })) {
    read.text += choices[0]?.delta.content ?? '';
    read.told += choices[0]?.delta.refusal ?? '';
  }
  return read;
}

async function readResponse(streamed: boolean) {
  const ask = { model: 'pictured', input: 'Draw a cat.', store: false };
  const { output } = streamed ? await client.responses.stream(ask).finalResponse() : await client.responses.create(ask);
  const parts = output.flatMap((item) => (item.type === 'message' ? item.content : []));
  return {
    text: parts.map((part) => (part.type === 'output_text' ? part.text : '')).join(''),
    told: parts.map((part) => (part.type === 'refusal' ? part.refusal : '')).join(''),
  };
}

const TOLD = "The model returned data of type 'image/png', which the gateway can't forward.";

describe.each([
  ['whole', false],
  ['streamed', true],
] as const)('%s', (_, streamed) => {
  describe.each([
    ['a chat caller', readChat],
    ['a responses caller', readResponse],
  ] as const)('%s', (_caller, read) => {
    test('reads of a picture alone that it was there', async () => {
      say(streamed, [picture]);
      expect(await read(streamed)).toEqual({ text: '', told: TOLD });
    });

    test('reads the text around pictures, and of the pictures once', async () => {
      say(streamed, [{ text: 'Here ' }], [picture, picture], [{ text: 'it is.' }]);
      expect(await read(streamed)).toEqual({ text: 'Here it is.', told: TOLD });
    });

    test('reads nothing of a picture among the thoughts', async () => {
      say(streamed, [{ ...picture, thought: true }], [{ text: 'Done.' }]);
      expect(await read(streamed)).toEqual({ text: 'Done.', told: '' });
    });
  });
});

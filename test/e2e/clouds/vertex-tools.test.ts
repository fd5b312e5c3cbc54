/** Calls of tools over Google Vertex AI: both callers, whole and as streams, by the SDK of OpenAI and the AI SDK. */
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, isStepCount, streamText, tool } from 'ai';
import type OpenAI from 'openai';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Fake } from '../../fakes/upstream.ts';
import { type VertexReply, type VertexRules, vertex } from '../../fakes/vertex.ts';
import type { TestGateway } from '../../harness/gateway.ts';
import { openVertex, type VertexStage } from './vertex-stage.ts';

let vendor: Fake;
let gateway: TestGateway;
let sdk: OpenAI;
let rules: VertexRules;
let serve: VertexStage['serve'];
beforeAll(async () => {
  const stage = await openVertex();
  ({ vendor, gateway, sdk, rules, serve } = stage);
  return stage.close;
});
beforeEach(() => serve());
afterEach(() => vendor.clear());

const messages = [{ role: 'user' as const, content: 'Hi' }];

describe('tools', () => {
  const parameters = { type: 'object', properties: { city: { type: 'string' } } };
  const chatTools = [{ type: 'function' as const, function: { name: 'look', parameters } }];
  const tools = [{ type: 'function' as const, name: 'look', parameters, strict: false }];
  const calling = (id?: string): VertexReply => ({
    gemini: { thoughts: 'Hm.', calls: [{ name: 'look', args: { city: 'Oslo' }, ...(id !== undefined && { id, signature: 'c2ln' }) }] },
    claude: { toolCalls: [{ id: 'toolu_vrtx_01', name: 'look', arguments: ['{"city":', '"Oslo"}'] }] },
  });
  /** The ids of the call and of its result in the last request. */
  const sentIds = (): unknown[] => {
    const parts = JSON.parse(JSON.stringify(vendor.last.fields.contents ?? [])).flatMap((content: { parts: object[] }) => content.parts);
    return parts.flatMap((part: { functionCall?: { id?: string }; functionResponse?: { id?: string } }) => {
      const joined = part.functionCall ?? part.functionResponse;
      return joined ? [joined.id ?? null] : [];
    });
  };

  describe.each([
    ['gemini', 'call_3257537', ['call_3257537', 'call_3257537']],
    ['old', undefined, [null, null]],
    ['claude', undefined, []],
  ])('over %s, with the id %s', (model, id, sent) => {
    test.each([false, true])('are called by a chat caller, who sends the result (streamed: %s)', async (streamed) => {
      serve(calling(id));
      const asked = { model, messages, tools: chatTools };
      const first = streamed ? await sdk.chat.completions.stream(asked).finalChatCompletion() : await sdk.chat.completions.create(asked);
      const message = first.choices[0]?.message ?? expect.fail('no answer');
      const [call] = message.tool_calls ?? [];
      expect(call).toMatchObject({ function: { name: 'look', arguments: '{"city":"Oslo"}' } });
      serve();
      const result = { role: 'tool' as const, tool_call_id: call?.id ?? '', content: 'wet' };
      const second = await sdk.chat.completions.create({ ...asked, messages: [...messages, message, result] });
      expect(second.choices[0]?.message.content).toBeTruthy();
      expect(sentIds()).toEqual(sent);
    });

    test.each([false, true])('are called by a responses caller, who sends the result (streamed: %s)', async (streamed) => {
      serve(calling(id));
      const asked = { model, input: 'Hi', tools };
      const first = streamed ? await sdk.responses.stream(asked).finalResponse() : await sdk.responses.create(asked);
      const call = first.output.flatMap((item) => (item.type === 'function_call' ? [item] : []))[0] ?? expect.fail('no call');
      serve();
      const input = [{ type: 'function_call_output' as const, call_id: call.call_id, output: 'wet' }];
      const second = await sdk.responses.create({ model, input, tools, previous_response_id: first.id });
      expect(second.output_text).toBeTruthy();
      expect(sentIds()).toEqual(sent);
      if (id !== undefined) expect(JSON.stringify(vendor.last.fields)).toContain('"thoughtSignature":"c2ln"');
    });
  });
});

describe.each(['gemini', 'old', 'claude'])('the AI SDK over %s', (model) => {
  const called = { name: 'look', args: { city: 'Oslo' } };
  const replies: readonly VertexReply[] = [
    {
      // Both calls of the third generation have ids, and the first one carries the signature of both.
      gemini: {
        calls:
          model === 'old'
            ? [called, called]
            : [
                { ...called, id: 'a1', signature: 'c2ln' },
                { ...called, id: 'b2' },
              ],
      },
      claude: {
        toolCalls: ['toolu_vrtx_1', 'toolu_vrtx_2'].map((id) => ({ id, name: 'look', arguments: ['{"city":', '"Oslo"}'] })),
      },
    },
    { gemini: { text: ['Wet ', 'twice.'] }, claude: { text: ['Wet ', 'twice.'] } },
  ];

  test.each([
    ['chat', false],
    ['chat', true],
    ['responses', false],
    ['responses', true],
  ] as const)('makes two calls at once and answers, as a caller of %s (streamed: %s)', async (caller, streamed) => {
    vendor.clear();
    for (const reply of replies) vendor.next(vertex(rules, reply));
    const asked = {
      model: createOpenAI({ baseURL: gateway.baseURL, apiKey: gateway.key })[caller](model),
      prompt: 'Look twice.',
      tools: { look: tool({ inputSchema: z.object({ city: z.string() }), execute: async ({ city }) => `wet in ${city}` }) },
      stopWhen: isStepCount(3),
    };
    expect(await (streamed ? streamText(asked).text : (await generateText(asked)).text)).toBe('Wet twice.');
    expect(vendor.last.body.toString().split('wet in Oslo')).toHaveLength(3);
  });
});

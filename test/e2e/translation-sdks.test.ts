/** Tool loops of the AI SDK and LangChain over every kind of upstream, in both protocols. */
import { createOpenAI } from '@ai-sdk/openai';
import { type AIMessageChunk, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { generateText, isStepCount, Output, streamText, tool } from 'ai';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { callers, kinds, modelOver, openPairs, type Pairs, type Reply, simulatedOver } from '../harness/pairs.ts';

let pairs: Pairs;
beforeAll(async () => {
  pairs = await openPairs();
});
beforeEach(() => {
  for (const kind of kinds) pairs.fakes[kind].clear();
});
afterAll(() => pairs.close());

const question = 'What is the weather in Oslo and in Rome, and after that in Lima?';
const City = z.object({ city: z.string() });
const call = (city: string) => ({ id: `call_${city.toLowerCase()}`, name: 'get_weather', input: JSON.stringify({ city }) });
/** Two calls at once, then one, then the answer. */
const loop: readonly Reply[] = [
  { thought: 'Two at first.', calls: [call('Oslo'), call('Rome')] },
  { thought: 'One is left.', text: 'Nearly done. ', calls: [call('Lima')] },
  { text: ['Wet, ', 'hot and ', 'dry ☕.'] },
];
const answer = 'Wet, hot and dry ☕.';
const forecasts: Readonly<Record<string, string>> = { Oslo: 'wet', Rome: 'hot', Lima: 'dry' };

const pairsOf = callers.flatMap((caller) => kinds.map((kind) => ({ caller, kind })));

describe.each(pairsOf)('$caller over $kind', ({ caller, kind }) => {
  const openai = () => createOpenAI({ baseURL: pairs.gateway.baseURL, apiKey: pairs.gateway.key })[caller](modelOver(kind));
  const weather = (asked: string[]) =>
    tool({
      description: 'Weather of a city',
      inputSchema: City,
      execute: async ({ city }) => {
        asked.push(city);
        return forecasts[city] ?? 'unknown';
      },
    });
  /** Expects the results of all calls in the last request. */
  const expectResults = () => {
    expect(pairs.fakes[kind].requests).toHaveLength(3);
    for (const forecast of Object.values(forecasts)) expect(pairs.fakes[kind].last.body.toString()).toContain(forecast);
  };

  test('the AI SDK makes the tool calls step by step and returns the answer', async () => {
    pairs.expectToSay(kind, ...loop);
    const asked: string[] = [];
    const { text, steps } = await generateText({
      model: openai(),
      prompt: question,
      tools: { get_weather: weather(asked) },
      stopWhen: isStepCount(5),
    });
    expect(asked.toSorted()).toEqual(['Lima', 'Oslo', 'Rome']);
    expect(steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'tool-calls', 'stop']);
    expect(text).toBe(answer);
    expectResults();
  });

  test('the AI SDK makes the tool calls over streams and returns the answer', async () => {
    pairs.expectToSay(kind, ...loop);
    const asked: string[] = [];
    const result = streamText({ model: openai(), prompt: question, tools: { get_weather: weather(asked) }, stopWhen: isStepCount(5) });
    expect(await result.text).toBe(answer);
    expect((await result.steps).map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'tool-calls', 'stop']);
    expect(asked.toSorted()).toEqual(['Lima', 'Oslo', 'Rome']);
    expectResults();
  });

  test('F08: the AI SDK gets an output that fits its schema', async () => {
    pairs.expectToSay(kind, { text: ['{"city":', '"Oslo"}'] });
    const { output } = await generateText({ model: openai(), output: Output.object({ schema: City }), prompt: 'Name a city.' });
    expect(output).toEqual({ city: 'Oslo' });
    // Converse takes the schema as a text.
    expect(pairs.fakes[kind].last.body.toString().replaceAll('\\', '')).toContain('"city"');
  });

  test.each([false, true])(
    'LangChain makes the tool calls, sends the results back and gets the answer (streamed: %s)',
    async (isStream) => {
      pairs.expectToSay(kind, ...loop);
      const configuration = { baseURL: pairs.gateway.baseURL };
      const chat = new ChatOpenAI({
        model: modelOver(kind),
        apiKey: pairs.gateway.key,
        configuration,
        useResponsesApi: caller === 'responses',
      });
      const bound = chat.bindTools([{ name: 'get_weather', description: 'Weather of a city', schema: City }]);
      const messages: BaseMessage[] = [new HumanMessage(question)];
      const last = await runLangChain(messages, async (sent) => (isStream ? joined(await bound.stream(sent)) : bound.invoke(sent)));
      expect(last).toBe(answer);
      expectResults();
    },
  );
});

async function joined(chunks: AsyncIterable<AIMessageChunk>): Promise<AIMessageChunk> {
  let whole: AIMessageChunk | undefined;
  for await (const chunk of chunks) whole = whole?.concat(chunk) ?? chunk;
  if (!whole) throw new Error('a stream without a chunk');
  return whole;
}

async function runLangChain(
  messages: BaseMessage[],
  invoke: (messages: BaseMessage[]) => Promise<BaseMessage & { tool_calls?: { id?: string; args: Record<string, unknown> }[] }>,
): Promise<string> {
  for (let step = 0; step < 5; step++) {
    const said = await invoke(messages);
    messages.push(said);
    if (!said.tool_calls?.length) return said.text;
    for (const { id, args } of said.tool_calls) {
      messages.push(new ToolMessage({ content: forecasts[String(args.city)] ?? 'unknown', tool_call_id: id ?? '' }));
    }
  }
  throw new Error('the loop did not end');
}

const crossed = [
  { caller: 'chat', protocol: 'responses' },
  { caller: 'responses', protocol: 'chat' },
] as const;
test.each(crossed)('over a simulator with $protocol only, the AI SDK as a $caller caller runs a tool loop of two steps', async (pair) => {
  const openai = createOpenAI({ baseURL: pairs.gateway.baseURL, apiKey: pairs.gateway.key })[pair.caller](simulatedOver(pair.protocol));
  const asked: unknown[] = [];
  const get_weather = tool({
    description: 'Weather of a city',
    inputSchema: City,
    execute: async (input) => {
      asked.push(input);
      return 'rain, 7 degrees';
    },
  });
  const result = streamText({ model: openai, prompt: 'call get_weather for Oslo', tools: { get_weather }, stopWhen: isStepCount(2) });
  expect(await result.text).toMatch(/rain/);
  expect(asked).toEqual([{ city: 'Oslo' }]);
});

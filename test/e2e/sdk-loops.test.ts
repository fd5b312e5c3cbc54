/** The tool loops of SDKs over every kind of upstream: parallel calls, then one more, then the answer. Also structured output, and a loop over the simulator. */
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, isStepCount, Output, streamText, tool } from 'ai';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Script } from '../fakes/script.ts';
import { useOpened } from '../harness/opened.ts';
import { type Caller, callers, clearFakes, kinds, modelOver, openPairs, type Reply, say, seals, simulatedOver } from '../harness/pairs.ts';
import { loops } from './sdk-loops.ts';

const pairs = useOpened(() => openPairs(), clearFakes);

const call = (city: string) => ({ id: `call_${city.toLowerCase()}`, name: 'get_weather', input: JSON.stringify({ city }) });
const replies: readonly Reply[] = [
  { thought: 'Two at first.', calls: [call('Oslo'), call('Rome')] },
  { thought: 'One is left.', text: 'Nearly done. ', calls: [call('Lima')] },
  { text: ['Wet, ', 'hot and ', 'dry ☕.'] },
];
const City = z.object({ city: z.string() });
const aiSdk = (caller: Caller) => createOpenAI({ baseURL: pairs.gateway.baseURL, apiKey: pairs.gateway.key })[caller];
const forecasts: Readonly<Record<string, string>> = { Oslo: 'wet', Rome: 'hot', Lima: 'dry' };

/** Gives each turn its own ids, since some SDKs check that ids differ. */
const withFreshIds = (script: Script, turn: number): Script =>
  script.map((step) =>
    step.kind === 'write' ? { ...step, bytes: Buffer.from(Buffer.from(step.bytes).toString().replaceAll('_fake', `_fak${turn}`)) } : step,
  );

describe.each(kinds)('over %s', (kind) => {
  // Answers of Converse have no ids, and their framing has sums.
  const fresh = kind === 'converse' ? (script: Script): Script => script : withFreshIds;
  test.each(loops)('makes each tool call once and returns the answer, with $sdk', async ({ run, keepsThoughts }) => {
    for (const [turn, reply] of replies.entries()) pairs.fakes[kind].next((request) => fresh(say(kind, request, reply), turn));
    const asked: string[] = [];
    const { baseURL, key } = pairs.gateway;
    const text = await run({ baseURL, key, model: modelOver(kind) }, (city) => {
      asked.push(city);
      return forecasts[city] ?? 'unknown';
    });
    expect(text).toBe('Wet, hot and dry ☕.');
    expect(asked).toEqual(['Oslo', 'Rome', 'Lima']);
    const { requests, last } = pairs.fakes[kind];
    expect(requests).toHaveLength(3);
    // The last request has each call with its result.
    for (const [city, forecast] of Object.entries(forecasts)) {
      expect(last.body.toString()).toContain(city);
      expect(last.body.toString()).toContain(forecast);
    }
    // Chat completions have no field for earlier reasoning.
    if (keepsThoughts && kind !== 'chat') expect(last.body.toString().split(seals[kind])).toHaveLength(3);
  });

  test.each(callers)('F08: returns an output that fits its schema, with the AI SDK on %s', async (caller) => {
    pairs.expectToSay(kind, { text: ['{"city":', '"Oslo"}'] });
    const { output } = await generateText({
      model: aiSdk(caller)(modelOver(kind)),
      output: Output.object({ schema: City }),
      prompt: 'A city?',
    });
    expect(output).toEqual({ city: 'Oslo' });
    // Converse takes the schema as a text.
    expect(pairs.fakes[kind].last.body.toString().replaceAll('\\', '')).toContain('"city"');
  });
});

test.each([
  ['chat', 'responses'],
  ['responses', 'chat'],
] as const)('runs a loop of the AI SDK on %s over a simulator with %s only', async (caller, protocol) => {
  const execute = async ({ city }: z.infer<typeof City>) => `rain in ${city}`;
  const get_weather = tool({ description: 'Weather of a city', inputSchema: City, execute });
  const model = aiSdk(caller)(simulatedOver(protocol));
  const result = streamText({ model, prompt: 'call get_weather for Oslo', tools: { get_weather }, stopWhen: isStepCount(2) });
  expect(await result.text).toMatch(/rain in Oslo/);
});

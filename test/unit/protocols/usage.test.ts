/** Usage by classes of tokens: the counts of any upstream add up for callers and for charges. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anthropicDialect } from '../../../server/protocols/anthropic/dialect.ts';
import { readUsage as readGeminiUsage } from '../../../server/protocols/gemini/response.ts';
import { partitionUsage, readUsage, type Usage } from '../../../server/protocols/usage.ts';
import { anthropicFrames, anthropicMessage } from '../../fakes/anthropic.ts';
import { eventsOf, readStream, responsesTurn, settle } from './upstream-reading.ts';

/** Values that vendors have sent in place of a number. */
const oddCount = fc.oneof(
  fc.integer(),
  fc.nat({ max: 5000 }),
  fc.double(),
  fc.constantFrom<unknown>(
    null,
    undefined,
    '12',
    1e300,
    -0,
    2 ** 53,
    Number.MAX_SAFE_INTEGER,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    [],
    {},
    true,
  ),
);
const odd = (...names: readonly string[]) => fc.record(Object.fromEntries(names.map((name) => [name, oddCount])), { requiredKeys: [] });

function expectPartition(usage: Usage): void {
  const classes = partitionUsage(usage);
  for (const [name, count] of Object.entries(classes)) expect([name, Number.isSafeInteger(count) && count >= 0]).toEqual([name, true]);
  const { input, cachedInput, cacheWrite, imageInput, uncachedInput, output, reasoning, imageOutput, visibleOutput, total } = classes;
  expect(cachedInput + cacheWrite + imageInput + uncachedInput).toBe(input);
  expect(reasoning + imageOutput + visibleOutput).toBe(output);
  expect(total).toBe(input + output);
}

/** Usage under these names, with details or other values in their place. */
const openai = (input: string, output: string) =>
  fc.record({
    [input]: oddCount,
    [output]: oddCount,
    [`${input}_details`]: fc.oneof(odd('cached_tokens', 'cache_write_tokens', 'image_tokens', 'text_tokens'), oddCount),
    [`${output}_details`]: fc.oneof(odd('reasoning_tokens', 'image_tokens'), oddCount),
  });

describe('F34: the usage of an upstream', () => {
  test.each([
    ['chat', openai('prompt_tokens', 'completion_tokens')],
    ['responses and images', openai('input_tokens', 'output_tokens')],
  ])('adds up from %s, whatever it counts', (_name, counts) => {
    fc.assert(fc.property(counts, (value) => expectPartition(readUsage(value) ?? expect.fail('no usage'))));
  });

  test('adds up from gemini', () => {
    const names = ['promptTokenCount', 'toolUsePromptTokenCount', 'cachedContentTokenCount', 'candidatesTokenCount', 'thoughtsTokenCount'];
    fc.assert(
      fc.property(odd(...names), (value) => {
        const usage = readGeminiUsage(value);
        // Tokens from a cache are a part of others: without any of these it is no usage at all.
        if (names.every((name) => name === 'cachedContentTokenCount' || value[name] === undefined)) expect(usage).toBeNull();
        else expectPartition(usage ?? expect.fail('no usage'));
      }),
    );
  });

  test('adds up from anthropic, with and without streaming', () => {
    const names = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens', 'output_tokens'];
    const turn = responsesTurn({}, 'claude-fake');
    fc.assert(
      fc.property(odd(...names), (usage) => {
        const whole = anthropicDialect.readResponse(anthropicMessage({ usage }), turn);
        const streamed = readStream(anthropicDialect, turn, eventsOf(anthropicFrames({ usage })));
        for (const events of [whole, streamed])
          expectPartition(events.findLast((event) => event.kind === 'usage')?.usage ?? expect.fail('no usage'));
        expect(settle(whole)).toEqual(settle(streamed));
      }),
    );
  });

  test('adds up from any values', () => {
    const nothing: Usage = { input: 0, cached: 0, output: 0, reasoning: 0 };
    const counts = odd('input', 'cached', 'cacheWrite', 'imageInput', 'output', 'reasoning', 'imageOutput');
    fc.assert(fc.property(counts, (read) => expectPartition({ ...nothing, ...read })));
  });
});

test('F34: keeps consistent counts', () => {
  const usage = readUsage({
    input_tokens: 100,
    input_tokens_details: {
      cached_tokens: 60,
      cache_write_tokens: 30,
      cache_write_tokens_details: { ttl_30m_tokens: 20, ttl_12h_tokens: 10 },
      image_tokens: 4,
    },
    output_tokens: 50,
    output_tokens_details: { reasoning_tokens: 20, image_tokens: 25 },
    total_tokens: 9,
  });
  expect(partitionUsage(usage ?? expect.fail('no usage'))).toEqual({
    input: 100,
    cacheWrite1h: 0,
    cacheWrite12h: 10,
    cachedInput: 60,
    cacheWrite: 30,
    imageInput: 4,
    uncachedInput: 6,
    audioInput: 0,
    output: 50,
    reasoning: 20,
    imageOutput: 25,
    audioOutput: 0,
    visibleOutput: 5,
    total: 150,
  });
});

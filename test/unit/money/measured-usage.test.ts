/** Usage is taken from the report of the upstream, or counted here if there is no report; each text is counted once (F31 to F36, F42, promise G4). */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import type { UsageEvidence } from '../../../server/money/measured-usage.ts';
import { hasTokens, toInputEvidence } from '../../../server/money/metered-reader.ts';
import { ProducedText } from '../../../server/protocols/produced-text.ts';
import type { Usage } from '../../../server/protocols/usage.ts';
import { chatCompletion, chatFrames, type FakeToolCall } from '../../fakes/chat.ts';
import { frameBytes, type SseEvent } from '../../fakes/frames.ts';
import { imageFrames, images } from '../../fakes/images.ts';
import { response, responseFrames } from '../../fakes/responses.ts';
import { openMeteredReader, openMetering, prompt, request, toMetered } from './metering.ts';

const { charge, chargeWhole, count, measure } = openMetering();
const chatUsage = (prompt_tokens: unknown, completion_tokens: unknown, total_tokens: unknown) => ({
  prompt_tokens,
  completion_tokens,
  total_tokens,
});
const early = chatUsage(100, 40, 140);

const text = ['Grüße ', 'to \\ everyone, ', '"quoted" and ', '🌍, ', '\n{"content":"no"}\n', 'bye.'];
const tokens = countTokens(text.join(''));
const toolCalls: readonly FakeToolCall[] = [
  { id: 'call_1', name: 'look', arguments: ['{"where":', '"over the ', 'hills"}'] },
  { id: 'call_2', name: 'write', arguments: ['a line ', 'and another'], custom: true },
];
const said = toolCalls.map((call) => [call.arguments].flat().join('')).join('');

describe('G4: a stream that the caller leaves before its end', () => {
  test.each([
    ['chat', chatFrames({ text })],
    ['responses', responseFrames({ text }).slice(0, -1)],
  ] as const)('F31, F32: costs its text, each piece once: %s', async (protocol, frames) => {
    for (const inOne of [false, true]) {
      const { metered, isEstimated } = (await charge(protocol, frames, { inOne })) ?? expect.fail('nothing owed');
      expect({ output: metered.output, isEstimated }).toEqual({ output: tokens, isEstimated: true });
      expect(metered.input).toBe(countTokens(prompt));
    }
  });

  test.each([
    ['chat', chatFrames({ text: null, toolCalls })],
    ['responses', responseFrames({ text: null, toolCalls }).slice(0, -1)],
  ] as const)('F32: counts the arguments of its tool calls once, however often they are repeated: %s', async (protocol, frames) => {
    const { metered } = (await charge(protocol, frames)) ?? expect.fail('nothing owed');
    expect(metered.output).toBeGreaterThan(0);
    expect(Math.abs(metered.output - countTokens(said))).toBeLessThanOrEqual(1);
  });

  test('F31: counts reasoning that is shown', async () => {
    const frames = responseFrames({ text: null, reasoning: ['I think ', 'of it'] }).slice(0, -1);
    const { metered } = (await charge('responses', frames)) ?? expect.fail('nothing owed');
    expect(metered.output).toBe(countTokens('I think of it'));
  });
});

describe('G4: an estimate', () => {
  const nothing: UsageEvidence = { usage: null, producedText: null, imageCount: null, tools: {}, request: {} };
  const reported: Usage = { input: 10, cached: 0, output: 0, reasoning: 0 };
  const producedOf = (words: string) => {
    const produced = new ProducedText();
    produced.add(words);
    return produced;
  };

  test('counts one token of input at least, and marks the charge as estimated', async () => {
    expect(await measure(nothing)).toMatchObject({ metered: { input: 1, output: 0 }, isEstimated: true });
  });

  test('starts with the first token of output; without output there is none', async () => {
    for (const [words, output] of [
      ['', 0],
      ['a', 1],
    ] as const)
      expect(await measure({ ...nothing, usage: reported, producedText: producedOf(words) })).toMatchObject({
        metered: { input: 10, output },
        isEstimated: output > 0,
      });
  });

  test('scales the samples of a long text to all of it, rounded up', async () => {
    const produced = producedOf('lighthouse keeper climbs '.repeat(12_345));
    const { metered } = await measure({ ...nothing, usage: reported, producedText: produced });
    expect(produced.scale).toBeGreaterThan(4);
    const [counted = 0] = await count([produced.text]);
    expect(metered.output).toBe(Math.ceil(counted * produced.scale));
  });

  test('excludes text that the reported usage covers, even if that is a single token', async () => {
    const usage = chatUsage(5, 1, 6);
    const whole = await chargeWhole('chat', chatCompletion({ text, usage }));
    expect(whole).toMatchObject({ metered: { input: 5, output: 1 }, isEstimated: false });
    expect(await charge('chat', chatFrames({ text, usage, includeUsage: true }), { end: 'completed' })).toEqual(whole);
  });

  test('yields to a report with any tokens', () => {
    const reports = [null, [0, 0], [1, 0], [0, 1], [5, 5]] as const;
    expect(reports.map((one) => hasTokens(one && { ...reported, input: one[0], output: one[1] }))).toEqual([
      ...[false, false, true, true, true],
    ]);
  });
});

test('F32: counts no text twice that comes before the last reported usage', async () => {
  const counting = chatFrames({ text }).map(({ data }) => ({ data: typeof data === 'object' ? { ...data, usage: early } : data }));
  const { metered, isEstimated } = (await charge('chat', counting.slice(0, 5))) ?? expect.fail('nothing owed');
  expect({ ...metered, isEstimated }).toMatchObject({ input: 100, output: 40, isEstimated: false });
});

test('F32: counts no text twice before a report that comes with the end of the connection', async () => {
  const frames = chatFrames({ text, usage: early, includeUsage: true }).slice(0, -1);
  const bytes = Buffer.concat(frames.map((frame) => frameBytes(frame)));
  const reader = openMeteredReader('chat', [Buffer.from(bytes.toString().trimEnd())]);
  reader.flush();
  const evidence = reader.getEvidence('completed') ?? expect.fail('nothing owed');
  expect((await measure(evidence)).metered).toMatchObject({ input: 100, output: 40 });
});

test('F31: adds text after an early report of usage', async () => {
  const [first, ...rest] = chatFrames({ text }).slice(0, -2);
  const { metered, isEstimated } =
    (await charge('chat', [{ data: { ...Object(first?.data), usage: early } }, ...rest])) ?? expect.fail('nothing owed');
  expect({ ...metered, isEstimated }).toMatchObject({ input: 100, output: 40 + tokens, isEstimated: true });
});

describe('a stream that failed', () => {
  test('costs nothing if it failed before its text', async () => {
    expect(await charge('responses', responseFrames({ text }).slice(0, 4), { end: 'failed' })).toBeNull();
    expect(await charge('chat', chatFrames({ text }).slice(0, 1), { end: 'failed' })).toBeNull();
  });

  test('costs only the text before the failure, from the first character and without what may be hidden', async () => {
    const asked = { ...request, reasoning_effort: 'high' };
    for (const words of [text, ['a']])
      expect(await charge('chat', chatFrames({ text: words }).slice(0, -2), { end: 'failed', asked })).toMatchObject({
        metered: { output: countTokens(words.join('')) },
      });
  });

  test('costs nothing for usage that it reported before, nor if nothing is measured', async () => {
    const [first] = chatFrames({ text });
    expect(await charge('chat', [{ data: { ...Object(first?.data), usage: early } }], { end: 'failed' })).toBeNull();
    const blocks = chatFrames({ text }).map((frame) => frameBytes(frame));
    expect(openMeteredReader('chat', blocks, request, false).getEvidence('failed')).toBeNull();
  });

  test.each([false, true])('F33: costs the usage that it reports, and nothing else (all frames in one chunk: %s)', async (inOne) => {
    const usage = { input_tokens: 50, output_tokens: 9, total_tokens: 59 };
    const failed = responseFrames({ text, status: 'failed', usage });
    for (const frames of [failed, failed.slice(-1)]) {
      const { metered, isEstimated } = (await charge('responses', frames, { end: 'failed', inOne })) ?? expect.fail('nothing owed');
      expect({ ...metered, isEstimated }).toMatchObject({ input: 50, output: 9, isEstimated: false });
    }
  });

  test('F33: costs the usage in its error frame', async () => {
    const frames = [...chatFrames({ text }).slice(0, 3), { data: { error: { message: 'no' }, usage: chatUsage(50, 9, 59) } }];
    const { metered, isEstimated } = (await charge('chat', frames, { end: 'failed' })) ?? expect.fail('nothing owed');
    expect({ ...metered, isEstimated }).toMatchObject({ input: 50, output: 9, isEstimated: false });
  });

  test('costs nothing with a reported usage of zero', async () => {
    const failed = responseFrames({ status: 'failed', usage: { input_tokens: 0, output_tokens: 0, total_tokens: 0 } }).slice(-1);
    expect(await charge('responses', failed, { end: 'failed' })).toBeNull();
  });
});

describe('F42, G4: an impossible token count', () => {
  const counts = [-1, 0.5, 1e15, '7', null, Number.NaN, {}];
  test.each(counts)("gives way to an estimate of the text if it's %j", async (each) => {
    const usage = chatUsage(each, each, each);
    const whole = await chargeWhole('chat', chatCompletion({ text, usage }));
    expect({ ...whole.metered, isEstimated: whole.isEstimated }).toMatchObject({
      output: tokens,
      input: countTokens(prompt),
      isEstimated: true,
    });
    const streamed = await charge('chat', chatFrames({ text, usage, includeUsage: true }), { end: 'completed' });
    expect(streamed).toEqual(whole);
  });
});

test("F34: splits a usage into token classes that don't overlap", async () => {
  const usage: Usage = { input: 100, cached: 30, cacheWrite: 20, imageInput: 10, output: 50, reasoning: 40 };
  const evidence = toInputEvidence(toMetered('chat'), usage) ?? expect.fail('nothing owed');
  expect(await measure(evidence)).toEqual({
    metered: { input: 50, imageInput: 10, cachedInput: 30, cacheWrite: 20, output: 50, reasoning: 40, images: {} },
    isEstimated: false,
  });
});

describe('F35: the charge for images', () => {
  const draw = { model: 'gpt-image-2', prompt: 'a cat', size: 'auto', n: 3 };

  test('uses the size and quality of the response where none were requested', async () => {
    const { metered } = await chargeWhole('images', images({ n: 3, size: '1024x1024', quality: 'low' }), draw);
    expect(metered.images).toEqual({ '1024x1024/low': 3 });
  });

  test('includes none for a response without any', async () => {
    const { metered } = await chargeWhole('images', { ...images({ n: 1 }), data: [] }, draw);
    expect(metered.images).toEqual({});
  });

  test('uses the requested size and quality, whatever the response says', async () => {
    const asked = { ...draw, size: '1024x1024', quality: 'low' };
    const { metered } = await chargeWhole('images', images({ size: '4096x4096', quality: 'high' }), asked);
    expect(metered.images).toEqual({ '1024x1024/low': 1 });
  });

  test('estimates images if the caller got only a partial one; a failed stream or one without images is free', async () => {
    const partial = imageFrames({ partials: 1 }).slice(0, 1);
    expect(await charge('images', partial, { asked: draw })).toMatchObject({
      metered: { images: { '1024x1024/high': 1 } },
      isEstimated: true,
    });
    expect(await charge('images', partial, { asked: draw, end: 'failed' })).toBeNull();
    expect(await charge('images', [], { asked: draw })).toBeNull();
  });
});

describe('F35: the charge for hosted tools', () => {
  const asked = { ...request, tools: [{ type: 'web_search' }, { type: 'function', name: 'look' }] };
  const call = (type: string, status = 'completed') => ({ id: `${type}_1`, type, status });
  const items = [
    call('web_search_call'),
    call('web_search_call'),
    call('mcp_call', 'failed'),
    call('function_call'),
    call('image_generation_call'),
  ];

  test('counts calls by type, without failed calls and function calls', async () => {
    const { metered } = await chargeWhole('responses', { ...response({ text }), output: items }, asked);
    expect(metered.tools).toEqual({ web_search_call: 2, image_generation_call: 1 });
  });

  test("counts one call per tool offered to a chat, which doesn't show them, once the caller gets text", async () => {
    const searching = { ...request, web_search_options: {} };
    const frames = chatFrames({ text });
    const ends = [
      { end: 'completed', frames, tools: { web_search_call: 1 } },
      { end: 'client_disconnected', frames: frames.slice(0, 3), tools: { web_search_call: 1 } },
      { end: 'client_disconnected', frames: frames.slice(0, 1), tools: undefined },
    ] as const;
    for (const { end, frames: sent, tools } of ends)
      expect((await charge('chat', sent, { end, asked: searching }))?.metered.tools).toEqual(tools);
    expect(openMeteredReader('chat', [], searching).getEvidence('client_disconnected', true)?.tools).toEqual({ web_search_call: 1 });
  });

  test('counts calls in a stream that is cut off', async () => {
    const done = items.slice(0, 2).map((item, output_index): SseEvent => {
      const event = { type: 'response.output_item.done', output_index, item, sequence_number: 2 + output_index };
      return { event: event.type, data: event };
    });
    const streamed = await charge('responses', [...responseFrames().slice(0, 2), ...done], { asked });
    expect(streamed?.metered.tools).toEqual({ web_search_call: 2 });
  });
});

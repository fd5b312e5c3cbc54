import { describe, expect, it } from 'vitest';
import { ChatCompletion, ChatCompletionChunk } from '../../../contract/chat/completion.ts';
import { GatewayError } from '../../../server/primitives/errors.ts';
import type { CanonicalEvent } from '../../../server/protocols/canonical/canonical-events.ts';
import { chatCallerDialect } from '../../../server/protocols/chat/dialect.ts';
import { answers, fill, open, start, stop, text, thought, usage } from '../../fixtures/turn/answers.ts';
import { createHead } from '../../fixtures/turn/heads.ts';
import { makeAnswer } from '../../fixtures/turn/random.ts';
import { readData, type Wire, writeFrames } from './caller-frames.ts';

const withUsage = { stream_options: { include_usage: true } };
const frames = (events: readonly CanonicalEvent[], request: Wire = {}) =>
  writeFrames(chatCallerDialect.openStream(createHead('chatcmpl', request)), events);

/** The chunks of a complete stream, after checks that apply to all such streams. */
function stream(events: readonly CanonicalEvent[], request: Wire = {}): ChatCompletionChunk[] {
  const all = frames(events, request);
  expect(all.at(-1)).toEqual({ event: null, data: '[DONE]' });
  expect(all.filter(({ event, data }) => event !== null || data === '[DONE]')).toHaveLength(1);
  const chunks = readData(all).map((chunk) => ChatCompletionChunk.parse(chunk));
  const choices = chunks.flatMap((chunk) => chunk.choices);
  expect(choices.filter(({ delta }) => delta.role !== undefined)).toEqual([choices[0]]);
  expect(choices.filter(({ finish_reason }) => finish_reason !== null)).toEqual([choices.at(-1)]);
  return chunks;
}

const whole = (events: readonly CanonicalEvent[], request: Wire = {}) =>
  ChatCompletion.parse(chatCallerDialect.writeResponse(events, createHead('chatcmpl', request)));
const deltas = (events: readonly CanonicalEvent[], request: Wire = {}) =>
  stream(events, request).flatMap(({ choices }) => choices.map(({ delta }) => delta));
const finishOf = (events: readonly CanonicalEvent[]) => whole(events).choices[0]?.finish_reason;

/** Joins the chunks as a caller does. */
function collect(events: readonly CanonicalEvent[]): Wire {
  const pieces = deltas(events);
  const join = (texts: readonly (string | null | undefined)[]) => texts.map((piece) => piece ?? '').join('');
  const calls: { form: string | undefined; id: string | undefined; name: string | undefined; text: string }[] = [];
  for (const piece of pieces.flatMap((delta) => delta.tool_calls ?? [])) {
    const { name, ...said } = { ...piece.function, ...piece.custom };
    const known = calls[piece.index];
    if (known) expect([piece.id, piece.type, name]).toEqual([undefined, undefined, undefined]);
    else expect(piece.index).toBe(calls.push({ form: piece.type, id: piece.id, name, text: '' }) - 1);
    const call = calls[piece.index];
    if (call) call.text += join([said.arguments as string, said.input as string]);
  }
  return { content: join(pieces.map(({ content }) => content)), refusal: join(pieces.map(({ refusal }) => refusal)), calls };
}

describe.each(answers)('a chat caller, with $what as the answer,', ({ events }) => {
  it('gets a stream with the same content as the whole answer', () => {
    for (const request of [{}, withUsage]) stream(events, request);
    const message = whole(events).choices[0]?.message;
    const calls = (message?.tool_calls ?? []).map((call) => ({
      form: call.type,
      id: call.id,
      name: call.type === 'custom' ? call.custom.name : call.type === 'function' && call.function.name,
      text: call.type === 'custom' ? call.custom.input : call.type === 'function' && call.function.arguments,
    }));
    expect(collect(events)).toEqual({ content: message?.content ?? '', refusal: message?.refusal ?? '', calls });
    const last = stream(events).at(-1)?.choices[0];
    expect(last).toEqual({ index: 0, delta: {}, logprobs: null, finish_reason: finishOf(events) });
  });

  it('F01: gets one error frame as the last one wherever the upstream fails', () => {
    const error = new GatewayError('overloaded');
    for (const at of Array.from({ length: events.length + 1 }, (_, index) => index)) {
      const told = frames([...events.slice(0, at), { kind: 'failed', error }, ...events.slice(at), { kind: 'failed', error }], withUsage);
      expect(told.filter(({ data }) => data.startsWith('{"error":'))).toEqual([told.at(-1)]);
      expect(JSON.parse(told.at(-1)?.data ?? '')).toEqual(error.body);
      expect(told.map(({ data }) => data).join()).not.toMatch(/\[DONE\]$|"finish_reason":"/);
    }
  });

  it('F01: gets an error wherever the upstream is cut', () => {
    const finish = events.findIndex(({ kind }) => kind === 'finish');
    for (const at of Array.from({ length: finish + 1 }, (_, index) => index)) {
      expect(frames(events.slice(0, at)).at(-1)?.data).toContain('"code":"upstream_error"');
      expect(() => whole(events.slice(0, at))).toThrow(expect.objectContaining({ code: 'upstream_error' }));
    }
  });
});

describe('a chat caller', () => {
  it('gets a valid stream of any answer', () => {
    for (let seed = 0; seed < 400; seed++) {
      const events = makeAnswer(seed);
      const message = whole(events).choices[0]?.message;
      expect(collect(events)).toMatchObject({ content: message?.content ?? '', refusal: message?.refusal ?? '' });
    }
  });

  it('gets the role first, with content null when a call or a refusal is first', () => {
    expect(deltas([start, thought('Hm'), text('Hi'), stop])).toEqual([
      { role: 'assistant', content: '', refusal: null },
      { content: 'Hi' },
      {},
    ]);
    expect(deltas([open(0, 'f'), stop])[0]).toEqual({ role: 'assistant', content: null, refusal: null });
    expect(deltas([{ kind: 'refusal', text: 'No.' }, stop])[0]).toEqual({ role: 'assistant', content: null, refusal: null });
  });

  it('F06: gets id, type and name once per call, with indexes from 0', () => {
    const events = [open(5, 'a'), open(2, 'p', { form: 'custom' }), fill(2, '*'), fill(5, '{}'), stop];
    expect(deltas(events).flatMap(({ tool_calls }) => tool_calls ?? [])).toEqual([
      { index: 0, id: 'call_5', type: 'function', function: { name: 'a', arguments: '' } },
      { index: 1, id: 'call_2', type: 'custom', custom: { name: 'p', input: '' } },
      { index: 1, custom: { input: '*' } },
      { index: 0, function: { arguments: '{}' } },
    ]);
  });

  it('gets the usage in its own chunk with include_usage only', () => {
    const events = [text('Hi'), stop, usage];
    const asked = stream(events, withUsage);
    expect(asked.slice(0, -1).map((chunk) => chunk.usage)).toEqual([null, null, null]);
    expect(asked.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 } });
    expect(JSON.stringify(stream(events))).not.toContain('usage');
    expect(stream([text('Hi'), stop], withUsage).at(-1)?.choices).toHaveLength(1);
  });

  it('gets the usage of a whole answer with its details, and none when it is unknown', () => {
    expect(whole([text('Hi'), stop, usage]).usage).toMatchObject({
      prompt_tokens_details: { cached_tokens: 3 },
      completion_tokens_details: { reasoning_tokens: 2 },
    });
    expect(whole([text('Hi'), stop])).not.toHaveProperty('usage');
  });

  it('F09: gets the finish reason', () => {
    const length: CanonicalEvent = { kind: 'finish', reason: 'length' };
    expect(finishOf([text('Hi'), stop])).toBe('stop');
    expect(finishOf([text('Hi'), open(0, 'f'), stop])).toBe('tool_calls');
    expect(finishOf([text('Hi'), { kind: 'finish', reason: 'tool_calls' }])).toBe('stop');
    expect(finishOf([open(0, 'f'), length])).toBe('length');
    expect(finishOf([text('Hi'), { kind: 'finish', reason: 'content_filter' }])).toBe('content_filter');
  });

  it('gets only the usage after the finish reason', () => {
    const late = [text('Hi'), stop, text('!'), open(0, 'a'), { kind: 'finish', reason: 'length' } as const, usage];
    expect(stream(late, withUsage)).toEqual(stream([text('Hi'), stop, usage], withUsage));
  });

  it('gets {} for a call without arguments, but not when the answer was cut', () => {
    const argumentsOf = (reason: 'stop' | 'length') => whole([open(0, 'f'), { kind: 'finish', reason }]).choices[0]?.message.tool_calls;
    expect(argumentsOf('stop')).toMatchObject([{ function: { arguments: '{}' } }]);
    expect(argumentsOf('length')).toMatchObject([{ function: { arguments: '' } }]);
  });

  it('gets content, calls and refusal in a message', () => {
    const message = (events: readonly CanonicalEvent[]) => whole(events).choices[0]?.message;
    const base = { role: 'assistant', refusal: null, annotations: [] };
    expect(message([text('a'), open(0, 'f'), text('b'), stop])).toMatchObject({ ...base, content: 'ab' });
    expect(message([open(0, 'f'), stop])).toMatchObject({ ...base, content: null });
    expect(message([text('a'), stop])).toEqual({ ...base, content: 'a' });
    expect(message([{ kind: 'refusal', text: 'No.' }, stop])).toEqual({ ...base, content: null, refusal: 'No.' });
  });

  it('gets citations and log probabilities in chat form', () => {
    const citation = { url: 'https://example.com', title: 'There', start_index: 0, end_index: 2 };
    const logprob = { token: 'Hi', logprob: -0.1, bytes: [72, 105] };
    const events: CanonicalEvent[] = [
      { kind: 'text', text: 'Hi', logprobs: [{ ...logprob, top: [logprob] }] },
      { kind: 'annotation', annotation: { type: 'url_citation', ...citation } },
      stop,
    ];
    const expected = { content: [{ ...logprob, top_logprobs: [logprob] }], refusal: null };
    expect(whole(events).choices[0]).toMatchObject({
      message: { annotations: [{ type: 'url_citation', url_citation: citation }] },
      logprobs: expected,
    });
    expect(stream(events)[1]?.choices[0]?.logprobs).toEqual(expected);
  });

  it('gets function_call for a request with functions', () => {
    const legacy = { functions: [{ name: 'f' }] };
    const events = [open(0, 'f'), fill(0, '{"a":1}'), open(1, 'f'), fill(1, '{}'), stop];
    const choice = whole(events, legacy).choices[0];
    expect(choice).toMatchObject({ finish_reason: 'function_call', message: { function_call: { name: 'f', arguments: '{"a":1}' } } });
    expect(choice?.message).not.toHaveProperty('tool_calls');
    expect(deltas(events, legacy).flatMap(({ function_call }) => function_call ?? [])).toEqual([
      { name: 'f', arguments: '' },
      { arguments: '{"a":1}' },
    ]);
  });

  it('gets an error when the events of calls are inconsistent', () => {
    for (const events of [
      [fill(0, '{}'), stop],
      [open(0, 'a'), open(0, 'b'), stop],
    ]) {
      expect(frames(events).at(-1)?.data).toContain('upstream_error');
    }
  });

  it('F02: gets the first error thrown when a whole answer fails', () => {
    const error = new GatewayError('overloaded');
    const later = new GatewayError('upstream_error');
    const failing: CanonicalEvent[] = [start, text('Hi'), { kind: 'failed', error }, { kind: 'failed', error: later }, stop];
    expect(() => whole(failing)).toThrow(error);
  });
});

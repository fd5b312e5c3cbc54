/** Reading the answers of an Anthropic upstream, whole and streamed. */
import { describe, expect, test } from 'vitest';
import { anthropicDialect } from '../../../server/protocols/anthropic/dialect.ts';
import type { CanonicalEvent } from '../../../server/protocols/canonical/canonical-events.ts';
import { packReasoning } from '../../../server/protocols/canonical/packed-reasoning.ts';
import { type AnthropicReply, anthropicError, anthropicErrorFrame, anthropicFrames, anthropicMessage } from '../../fakes/anthropic.ts';
import { json, stream } from '../../fakes/delivery.ts';
import { readFrames } from '../../fakes/frames.ts';
import { openFake } from '../../fakes/upstream.ts';
import { asInput, collect, readStream, refusal, responsesTurn } from './foreign-turns.ts';

const tools = [
  { type: 'namespace', name: 'agents', tools: [{ type: 'function', name: 'close' }] },
  { type: 'custom', name: 'apply' },
  { type: 'function', name: 'now' },
];
const turn = responsesTurn({ tools }, 'claude-fake');
const streamed = (reply: AnthropicReply) => readStream(anthropicDialect, anthropicFrames(reply), turn);
const whole = (reply: AnthropicReply) => anthropicDialect.readResponse(anthropicMessage(reply), turn);
const sealed = (block: object): CanonicalEvent => ({
  kind: 'encrypted',
  encrypted: packReasoning('anthropic', { provider: 'anthropic', blocks: [block] }),
});

const usage = { input: 11, cached: 3, cacheWrite: 3, output: 7, reasoning: 2 };
const rich: AnthropicReply = {
  thoughts: [
    { text: ['Let me ', 'see.'], signature: 'c2ln' },
    { text: null, signature: 'a2VwdA==' },
  ],
  text: ['Look', 'ing.'],
  toolCalls: [
    { id: 'toolu_1', name: 'agents__close', arguments: ['{"id"', ':1}'] },
    { id: 'toolu_2', name: 'apply', arguments: ['{"inp', 'ut":"a\\', 'n\\u00fc', '\\"b"}'] },
    { id: 'toolu_3', name: 'now', arguments: '' },
  ],
};

test('the events of a stream are in the order of its blocks, and calls have their own indexes', () => {
  expect(streamed(rich)).toEqual([
    { kind: 'start' },
    { kind: 'usage', usage: { ...usage, output: 1, reasoning: 0 } },
    { kind: 'reasoning', part: 0, text: 'Let me ' },
    { kind: 'reasoning', part: 0, text: 'see.' },
    sealed({ type: 'thinking', thinking: 'Let me see.', signature: 'c2ln' }),
    sealed({ type: 'redacted_thinking', data: 'a2VwdA==' }),
    { kind: 'text', text: 'Look' },
    { kind: 'text', text: 'ing.' },
    { kind: 'call', index: 0, form: 'function', callId: 'call_1', name: 'close', namespace: 'agents' },
    { kind: 'arguments', index: 0, text: '{"id"' },
    { kind: 'arguments', index: 0, text: ':1}' },
    { kind: 'call', index: 1, form: 'custom', callId: 'call_2', name: 'apply', namespace: null },
    { kind: 'arguments', index: 1, text: 'a' },
    { kind: 'arguments', index: 1, text: '\nü' },
    { kind: 'arguments', index: 1, text: '"b' },
    { kind: 'call', index: 2, form: 'function', callId: 'call_3', name: 'now', namespace: null },
    { kind: 'arguments', index: 2, text: '{}' },
    { kind: 'usage', usage },
    { kind: 'finish', reason: 'tool_calls' },
  ]);
});

test.each([
  {},
  rich,
  {
    thoughts: [
      { text: 'a', signature: '' },
      { text: 'b', signature: 'cw==' },
    ],
  },
  { usage: null },
])('a whole answer gives the same events as its stream: %j', (reply) => expect(collect(whole(reply))).toEqual(collect(streamed(reply))));

test('answers over a socket give the same events', async () => {
  const fake = await openFake();
  fake.next(json(anthropicMessage(rich))).next(stream(anthropicFrames(rich), { chunkBytes: 7 }));
  const ask = () => fetch(`${fake.url}/messages`, { method: 'POST', body: '{}' });
  // The fake answers with JSON objects.
  const answer = (await (await ask()).json()) as Record<string, unknown>;
  const frames = readFrames(await (await ask()).text());
  await fake.close();
  const reader = anthropicDialect.openStream(turn);
  const events = frames.flatMap(({ event, data }) => reader.read(data as Record<string, unknown>, event));
  expect(reader.isComplete).toBe(true);
  expect(anthropicDialect.readResponse(answer, turn)).toEqual(whole(rich));
  expect(events).toEqual(streamed(rich));
});

test('signed thinking is sent back unchanged before its calls, streamed or whole', () => {
  for (const events of [streamed(rich), whole(rich)]) {
    const calls = asInput(events);
    const outputs = ['call_1', 'call_2', 'call_3'].map((call_id) => ({ type: 'function_call_output', call_id, output: 'ok' }));
    const input = [{ role: 'user', content: 'Hi' }, ...calls, ...outputs];
    const { messages } = anthropicDialect.writeRequest(responsesTurn({ tools, input }, 'claude-fake'));
    const content = anthropicMessage(rich).content as { type: string; id?: string; text?: string }[];
    const said = content.map((block) => {
      if (block.type === 'text') return { type: 'text', text: block.text };
      return block.type === 'tool_use' ? { ...block, id: block.id?.replace('toolu_', 'call_') } : block;
    });
    expect(messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      { role: 'assistant', content: said },
      { role: 'user', content: outputs.map(({ call_id }) => ({ type: 'tool_result', tool_use_id: call_id, content: 'ok' })) },
    ]);
  }
});

describe('the stop reason', () => {
  const call = { toolCalls: [{ id: 'a', name: 'now', arguments: '' }] };
  test.each([
    ['end_turn', {}, 'stop'],
    ['stop_sequence', {}, 'stop'],
    ['tool_use', call, 'tool_calls'],
    ['end_turn', call, 'tool_calls'],
    ['max_tokens', call, 'length'],
    ['max_tokens', {}, 'length'],
    ['model_context_window_exceeded', {}, 'length'],
    ['pause_turn', {}, 'length'],
    ['something_new', {}, 'length'],
    ['refusal', {}, 'content_filter'],
  ])('%s with %j is %s', (stopReason, more, reason) => {
    expect(whole({ ...more, stopReason }).at(-1)).toEqual({ kind: 'finish', reason });
    expect(streamed({ ...more, stopReason }).at(-1)).toEqual({ kind: 'finish', reason });
  });
});

test('the input of a custom call that the limit cut off inside its JSON is read as far as it goes', () => {
  const cut = anthropicFrames({
    toolCalls: [{ id: 'a', name: 'apply', arguments: ['{"input":"one\\ntw', 'o\\'] }],
    stopReason: 'max_tokens',
  });
  expect(collect(readStream(anthropicDialect, cut, turn))).toContainEqual({ kind: 'arguments', index: 0, text: 'one\ntwo' });
});

test('usage fields that a later event leaves out are kept', () => {
  const frames = anthropicFrames().map((frame) =>
    frame.event === 'message_delta'
      ? { ...frame, data: { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 9 } } }
      : frame,
  );
  const usages = readStream(anthropicDialect, frames, turn).filter(({ kind }) => kind === 'usage');
  expect(usages.at(-1)).toEqual({ kind: 'usage', usage: { input: 11, cached: 3, cacheWrite: 3, output: 9, reasoning: 0 } });
});

describe('an answer that fails', () => {
  const frames = anthropicFrames(rich);
  test('ends with one failure after a cut at any frame', () => {
    for (let at = 0; at < frames.length; at++) {
      const events = readStream(anthropicDialect, frames.slice(0, at), turn);
      expect(events.filter(({ kind }) => kind === 'failed' || kind === 'finish')).toMatchObject([
        { kind: 'failed', error: { code: 'upstream_error' } },
      ]);
    }
  });
  test.each([
    ['overloaded_error', 'upstream_unavailable'],
    ['rate_limit_error', 'rate_limit_exceeded'],
    ['timeout_error', 'upstream_timeout'],
    ['api_error', 'upstream_error'],
    ['authentication_error', 'upstream_error'],
    ['something_new', 'upstream_error'],
  ])('with the error %s inside its stream is %s, and nothing follows', (type, code) => {
    const events = readStream(anthropicDialect, [...frames.slice(0, 5), anthropicErrorFrame(type), ...frames.slice(5)], turn);
    expect(events.at(-1)).toMatchObject({ kind: 'failed', error: { code } });
    expect(refusal(() => anthropicDialect.readResponse(anthropicError(type, 'x'), turn))).toEqual({ code, param: null });
  });
  test.each([{}, { content: 'text' }, { content: [], stop_reason: null }])('is upstream_error when it is %j', (answer) => {
    expect(refusal(() => anthropicDialect.readResponse(answer, turn))).toEqual({ code: 'upstream_error', param: null });
  });
  test('is one without a stop reason', () => {
    expect(streamed({ stopReason: null }).at(-1)).toMatchObject({ kind: 'failed' });
  });
});

/** Reading the answers of a Gemini upstream, whole and streamed. */
import { describe, expect, test } from 'vitest';
import type { CanonicalEvent } from '../../../server/protocols/canonical/canonical-events.ts';
import { packReasoning } from '../../../server/protocols/canonical/packed-reasoning.ts';
import { geminiDialect } from '../../../server/protocols/gemini/dialect.ts';
import { stream } from '../../fakes/delivery.ts';
import { readFrames } from '../../fakes/frames.ts';
import { type GeminiReply, geminiAnswer, geminiError, geminiFrames } from '../../fakes/gemini.ts';
import { openFake } from '../../fakes/upstream.ts';
import { asInput, collect, readStream, refusal, responsesTurn } from './foreign-turns.ts';

const tools = [
  { type: 'namespace', name: 'agents', tools: [{ type: 'function', name: 'close' }] },
  { type: 'custom', name: 'apply' },
  { type: 'function', name: 'now' },
];
const model = 'gemini-3.5-flash';
const turn = responsesTurn({ tools }, model);
const streamed = (reply: GeminiReply, of = turn) => readStream(geminiDialect, geminiFrames(reply), of);
const whole = (reply: GeminiReply) => geminiDialect.readResponse(geminiAnswer(reply), turn);
const sealed = (on: string, signature: string, length: number): CanonicalEvent => ({
  kind: 'encrypted',
  encrypted: packReasoning('gemini', { provider: 'gemini', on, signature, length }),
});

/** The vendor's ids as callers get them. */
const marked = { g1: 'call_g1_10202895', g2: 'call_g2_0d2023dc', g3: 'call_g3_0e20256f' };
const usage = { input: 11, cached: 3, output: 7, reasoning: 2 };
const early = { input: 9, cached: 0, output: 0, reasoning: 0 };
const rich: GeminiReply = {
  thoughts: ['Let me ', 'see.'],
  text: ['Look', 'ing.'],
  calls: [
    { id: 'g1', name: 'agents__close', args: { id: 1 }, signature: 'c2ln' },
    { id: 'g2', name: 'apply', args: { input: 'a\n"b' } },
    { id: 'g3', name: 'now' },
  ],
};

test('the events of a stream are in the order of its parts, with the signature of a call before it', () => {
  expect(streamed(rich)).toEqual([
    { kind: 'start' },
    { kind: 'reasoning', part: 0, text: 'Let me ' },
    { kind: 'usage', usage: early },
    { kind: 'reasoning', part: 0, text: 'see.' },
    { kind: 'text', text: 'Look' },
    { kind: 'text', text: 'ing.' },
    sealed('call', 'c2ln', 0),
    { kind: 'call', index: 0, form: 'function', callId: marked.g1, name: 'close', namespace: 'agents' },
    { kind: 'arguments', index: 0, text: '{"id":1}' },
    { kind: 'call', index: 1, form: 'custom', callId: marked.g2, name: 'apply', namespace: null },
    { kind: 'arguments', index: 1, text: 'a\n"b' },
    { kind: 'call', index: 2, form: 'function', callId: marked.g3, name: 'now', namespace: null },
    { kind: 'arguments', index: 2, text: '{}' },
    { kind: 'usage', usage },
    { kind: 'finish', reason: 'tool_calls' },
  ]);
});

test.each([{}, rich, { usage: null }, { blockReason: 'SAFETY' }])('a whole answer gives the same events as its stream: %j', (reply) => {
  expect(collect(whole(reply))).toEqual(collect(streamed(reply)));
});

test('pieces that name the kind of traffic alone tell no usage', () => {
  const usages = (usage: object) => streamed({ text: ['a', 'b'], usage }).filter(({ kind }) => kind === 'usage');
  expect(usages({ trafficType: 'ON_DEMAND' })).toEqual([]);
  expect(usages({ trafficType: 'ON_DEMAND', promptTokenCount: 9 })).toEqual([{ kind: 'usage', usage: early }]);
});

test('a stream over a socket in small pieces gives the same events', async () => {
  const fake = await openFake();
  fake.next(stream(geminiFrames(rich), { chunkBytes: 5, lineEnd: '\r\n' }));
  const answer = await fetch(`${fake.url}beta/models/x:streamGenerateContent?alt=sse`, { method: 'POST', body: '{}' });
  const frames = readFrames(await answer.text());
  await fake.close();
  const reader = geminiDialect.openStream(turn);
  // The frames of this fake are JSON objects.
  expect(frames.flatMap(({ data }) => reader.read(data as Record<string, unknown>, null))).toEqual(streamed(rich));
  expect(reader.isComplete).toBe(true);
});

test('calls without ids get ids that are stable for one answer and differ between answers', () => {
  const idsOf = (events: readonly CanonicalEvent[]) => events.flatMap((event) => (event.kind === 'call' ? [event.callId] : []));
  const reply = { calls: [{ name: 'now' }, { name: 'now' }] };
  const later = responsesTurn(
    {
      tools,
      input: [
        { role: 'user', content: 'a' },
        { role: 'user', content: 'b' },
      ],
    },
    model,
  );
  const ids = idsOf(streamed(reply));
  expect(ids).toEqual(idsOf(whole(reply)));
  expect(ids.every((id) => /^call_[0-9a-f]{16}$/.test(id))).toBe(true);
  expect(new Set([...ids, ...idsOf(streamed(reply, later)), ...idsOf(streamed({ ...reply, responseId: 'other' }))]).size).toBe(6);
});

describe('signatures', () => {
  const again = (events: readonly CanonicalEvent[], outputs: object[] = []) =>
    geminiDialect.writeRequest(responsesTurn({ tools, input: [{ role: 'user', content: 'Hi' }, ...asInput(events), ...outputs] }, model));

  test('are sent back on their call, streamed or whole', () => {
    const outputs = Object.values(marked).map((call_id) => ({ type: 'function_call_output', call_id, output: 'ok' }));
    for (const events of [streamed(rich), whole(rich)]) {
      expect(again(events, outputs).contents).toMatchObject([
        { role: 'user' },
        {
          role: 'model',
          parts: [
            { text: 'Looking.' },
            { functionCall: { id: 'g1', name: 'agents__close', args: { id: 1 } }, thoughtSignature: 'c2ln' },
            { functionCall: { id: 'g2', name: 'apply', args: { input: 'a\n"b' } } },
            { functionCall: { id: 'g3', name: 'now', args: {} } },
          ],
        },
        { role: 'user', parts: Object.keys(marked).map((id) => ({ functionResponse: { id, response: { result: 'ok' } } })) },
      ]);
    }
  });
  test('are sent back on their part of text', () => {
    const signed = { text: ['One, ', 'two.'], textSignature: 'dGV4dA==' };
    expect(again(streamed(signed)).contents).toMatchObject([
      {},
      { parts: [{ text: 'One, ' }, { text: 'two.', thoughtSignature: 'dGV4dA==' }] },
    ]);
    expect(again(whole(signed)).contents).toMatchObject([{}, { parts: [{ text: 'One, two.', thoughtSignature: 'dGV4dA==' }] }]);
    expect(again(streamed({ ...signed, text: ['One', ''] })).contents).toMatchObject([
      {},
      { parts: [{ text: 'One' }, { text: '', thoughtSignature: 'dGV4dA==' }] },
    ]);
  });
});

describe('the finish reason', () => {
  const filters = ['SAFETY', 'RECITATION', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII', 'LANGUAGE', 'MODEL_ARMOR', 'IMAGE_SAFETY'];
  const mistakes = ['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS'];
  const endings: [string, GeminiReply, string][] = [
    ['STOP', {}, 'stop'],
    ['STOP', { calls: [{ name: 'now' }] }, 'tool_calls'],
    ['MAX_TOKENS', {}, 'length'],
    ...filters.map((word): [string, GeminiReply, string] => [word, {}, 'content_filter']),
  ];
  test.each(endings)('%s with %j is %s', (finishReason, more, reason) => {
    expect(whole({ ...more, finishReason }).at(-1)).toEqual({ kind: 'finish', reason });
    expect(streamed({ ...more, finishReason }).at(-1)).toEqual({ kind: 'finish', reason });
  });
  test.each(['OTHER', 'SOMETHING_NEW', ...mistakes])('%s is upstream_error', (finishReason) => {
    expect(refusal(() => whole({ finishReason }))).toEqual({ code: 'upstream_error', param: null });
    expect(streamed({ finishReason }).at(-1)).toMatchObject({ kind: 'failed', error: { code: 'upstream_error' } });
  });
  test('is content_filter when the prompt was blocked', () => {
    expect(streamed({ blockReason: 'SAFETY' })).toEqual([
      { kind: 'start' },
      { kind: 'usage', usage: early },
      { kind: 'finish', reason: 'content_filter' },
    ]);
  });
});

test('log probabilities come with the text', () => {
  const chosen = { token: 'Hi', tokenId: 1, logProbability: -0.1 };
  const logprobsResult = { chosenCandidates: [chosen], topCandidates: [{ candidates: [chosen, { token: 'Yo', logProbability: -2 }] }] };
  const hi = { token: 'Hi', logprob: -0.1, bytes: null };
  expect(whole({ text: 'Hi', logprobsResult })).toContainEqual({
    kind: 'text',
    text: 'Hi',
    logprobs: [{ ...hi, top: [hi, { token: 'Yo', logprob: -2, bytes: null }] }],
  });
});

describe('an answer that fails', () => {
  const frames = geminiFrames(rich);
  test('ends with one failure after a cut at any frame', () => {
    for (let at = 0; at < frames.length; at++) {
      const events = readStream(geminiDialect, frames.slice(0, at), turn);
      expect(events.filter(({ kind }) => kind === 'failed' || kind === 'finish')).toMatchObject([
        { kind: 'failed', error: { code: 'upstream_error' } },
      ]);
    }
  });
  test('inside its stream has the code of the error, and nothing follows', () => {
    const broken = { data: geminiError(503, 'UNAVAILABLE', 'busy') };
    expect(readStream(geminiDialect, [...frames.slice(0, 3), broken, ...frames.slice(3)], turn).at(-1)).toMatchObject({
      kind: 'failed',
      error: { code: 'upstream_unavailable' },
    });
  });
  test.each([{}, { candidates: [] }, { candidates: [{ content: { parts: [{ text: 'a' }] } }] }])(
    'is upstream_error when it is %j',
    (answer) => {
      expect(refusal(() => geminiDialect.readResponse(answer, turn))).toEqual({ code: 'upstream_error', param: null });
    },
  );
});

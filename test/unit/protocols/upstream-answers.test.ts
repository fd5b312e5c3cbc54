/** The answers of upstreams, a row each: the events that the gateway reads from a stream and from a whole answer, and how each answer ends. */
import { describe, expect, test } from 'vitest';
import { type AnthropicReply, anthropicError, anthropicErrorFrame, anthropicFrames, anthropicMessage } from '../../fakes/anthropic.ts';
import { type ChatReply, chatCompletion, chatFrames } from '../../fakes/chat.ts';
import { type GeminiReply, geminiAnswer, geminiError, geminiFrames } from '../../fakes/gemini.ts';
import { type ResponseReply, response, responseFrames } from '../../fakes/responses.ts';
import type { Dialect } from '../../fixtures/files.ts';
import { type Json, readRows } from '../../fixtures/rows.ts';
import { upstreams } from './fixture-answers.ts';
import { eventsOf, join, readStream, refusalOf, responsesTurn, settle } from './upstream-reading.ts';

/** The frame's data, or its data and the name of its event. */
type Frame = Json | readonly [Json, string];
interface Row {
  readonly title: string;
  readonly upstream: Dialect;
  /** Of the caller's Responses request. */
  readonly body?: Json;
  /** What a fake says, whole and streamed. */
  readonly reply?: object;
  readonly frames?: readonly Frame[];
  readonly answer?: Json;
  /** The output of a Responses answer, which may come without deltas. */
  readonly items?: readonly Json[];
  /** Deltas are joined and only the last usage is kept, except in an exact row. */
  readonly events: readonly Json[];
  readonly isExact?: true;
}

/** The rows of a fake's replies have its fields. */
const build = {
  chat: (reply: object) => [chatCompletion(reply as ChatReply), chatFrames({ ...(reply as ChatReply), includeUsage: true })],
  responses: (reply: object) => [response(reply as ResponseReply), responseFrames(reply as ResponseReply)],
  anthropic: (reply: object) => [anthropicMessage(reply as AnthropicReply), anthropicFrames(reply as AnthropicReply)],
  gemini: (reply: object) => [geminiAnswer(reply as GeminiReply), geminiFrames(reply as GeminiReply)],
} as const satisfies Record<Dialect, (reply: object) => readonly [Json, Parameters<typeof eventsOf>[0]]>;

const named = (frames: readonly Frame[]) => frames.map((frame): readonly [Json, string | null] => (isNamed(frame) ? frame : [frame, null]));
const isNamed = (frame: Frame): frame is readonly [Json, string] => Array.isArray(frame);

/** The frames of the same output: as deltas, as finished items, and as the last event alone. */
function formsOf(items: readonly Json[], deltas: readonly Frame[]): (readonly Frame[])[] {
  const end = { type: 'response.completed', response: { status: 'completed', output: items } };
  const done = items.map((item, output_index) => ({ type: 'response.output_item.done', output_index, item }));
  return [[...deltas, end], [...done, end], [end]];
}

describe('the gateway', () => {
  test.each(readRows<Row>('read-answers'))(
    'reads from $upstream: $title',
    ({ upstream, body, reply, frames, answer, items, events, isExact }) => {
      const [dialect, turn] = [upstreams[upstream], responsesTurn({ ...body })];
      const [built, sent] = reply ? build[upstream](reply) : [answer];
      const streams = items ? formsOf(items, frames ?? []).map(named) : sent ? [eventsOf(sent)] : frames ? [named(frames)] : [];
      for (const stream of streams) {
        const read = readStream(dialect, turn, stream);
        expect(isExact ? read : settle(read)).toEqual(events);
      }
      const whole = items ? { status: 'completed', output: items } : built;
      if (!whole || isExact) return;
      const failed = events.find(({ kind }) => kind === 'failed');
      if (failed) expect(refusalOf(() => dialect.readResponse(whole, turn))).toBe(`${failed.code} null`);
      else expect(settle(dialect.readResponse(whole, turn))).toEqual(events);
    },
  );
});

type End = readonly [upstream: 'anthropic' | 'gemini', reason: string, more: object, end: string];
const calls = { toolCalls: [{ id: 'a', name: 'now', arguments: '' }], calls: [{ name: 'now' }] };
const filters = ['SAFETY', 'RECITATION', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII', 'LANGUAGE', 'MODEL_ARMOR', 'IMAGE_SAFETY'];
const mistakes = ['OTHER', 'SOMETHING_NEW', 'MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS'];
const ends: readonly End[] = [
  ...['end_turn', 'stop_sequence'].map((reason): End => ['anthropic', reason, {}, 'stop']),
  ...['tool_use', 'end_turn'].map((reason): End => ['anthropic', reason, calls, 'tool_calls']),
  ...['max_tokens', 'model_context_window_exceeded', 'pause_turn', 'something_new'].map(
    (reason): End => ['anthropic', reason, {}, 'length'],
  ),
  ['anthropic', 'max_tokens', calls, 'length'],
  ['anthropic', 'refusal', {}, 'content_filter'],
  ['gemini', 'STOP', {}, 'stop'],
  ['gemini', 'STOP', calls, 'tool_calls'],
  ['gemini', 'MAX_TOKENS', {}, 'length'],
  ...filters.map((reason): End => ['gemini', reason, {}, 'content_filter']),
  ...mistakes.map((reason): End => ['gemini', reason, {}, 'upstream_error']),
];

describe('a response of an upstream', () => {
  const turn = responsesTurn({ tools: [{ type: 'function', name: 'now' }] });

  test.each(ends)('ends from %s with %s %j as %s', (upstream, reason, more, end) => {
    const [whole, frames] = build[upstream]({ ...more, stopReason: reason, finishReason: reason });
    const last = join(readStream(upstreams[upstream], turn, eventsOf(frames))).at(-1);
    expect(last).toEqual(end === 'upstream_error' ? { kind: 'failed', code: end } : { kind: 'finish', reason: end });
    if (last?.kind === 'failed') expect(refusalOf(() => upstreams[upstream].readResponse(whole, turn))).toBe(`${end} null`);
    else expect(upstreams[upstream].readResponse(whole, turn).at(-1)).toEqual(last);
  });

  test.each([
    ['overloaded_error', 'upstream_unavailable'],
    ['rate_limit_error', 'rate_limit_exceeded'],
    ['timeout_error', 'upstream_timeout'],
    ['api_error', 'upstream_error'],
    ['authentication_error', 'upstream_error'],
    ['something_new', 'upstream_error'],
  ])('fails once from Anthropic on %s with %s', (type, code) => {
    const frames = anthropicFrames();
    const events = join(
      readStream(upstreams.anthropic, turn, eventsOf([...frames.slice(0, 3), anthropicErrorFrame(type), ...frames.slice(3)])),
    );
    expect(events.filter(({ kind }) => kind === 'failed' || kind === 'finish')).toEqual([{ kind: 'failed', code }]);
    expect(refusalOf(() => upstreams.anthropic.readResponse(anthropicError(type, 'x'), turn))).toBe(`${code} null`);
  });

  test('fails once from Gemini on an error inside its stream', () => {
    const frames = geminiFrames({ text: ['a', 'b', 'c'] });
    const broken = [...frames.slice(0, 2), { data: geminiError(503, 'UNAVAILABLE', 'busy') }, ...frames.slice(2)];
    const events = join(readStream(upstreams.gemini, turn, eventsOf(broken)));
    expect(events.filter(({ kind }) => kind === 'failed' || kind === 'finish')).toEqual([{ kind: 'failed', code: 'upstream_unavailable' }]);
  });

  test('F07: keeps the custom input from a chat upstream wherever its JSON is cut', () => {
    const patch = '*** Begin Patch\n*** Add File: ä.txt\n+"quoted" \\ ☕ 🌍\n*** End Patch\n';
    // With escapes of several kinds and a surrogate pair.
    const text = JSON.stringify({ input: patch }).replace('☕', '\\u2615').replace('🌍', '\\ud83c\\udf0d');
    const asked = responsesTurn({ tools: [{ type: 'custom', name: 'apply_patch' }] });
    const piece = (call: Json, finish_reason: string | null = null) =>
      [{ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...call }] }, finish_reason }] }, null] as const;
    for (let at = 0; at <= text.length; at++) {
      const events = readStream(upstreams.chat, asked, [
        piece({ id: 'a', type: 'function', function: { name: 'apply_patch', arguments: '' } }),
        piece({ function: { arguments: text.slice(0, at) } }),
        piece({ function: { arguments: text.slice(at) } }, 'tool_calls'),
      ]);
      const texts = events.flatMap((event) => (event.kind === 'arguments' ? [event.text] : []));
      expect(texts.join('')).toBe(patch);
      expect(texts.every((each) => each.isWellFormed())).toBe(true);
    }
  });
});

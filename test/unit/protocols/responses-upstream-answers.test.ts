import { describe, expect, it } from 'vitest';
import { responsesUpstreamDialect } from '../../../server/protocols/responses/dialect.ts';
import { failedFrames, type ResponseReply, response, responseFrames } from '../../fakes/responses.ts';
import { responseItems } from '../../fixtures/responses/upstream-answers.ts';
import { chatTurn, eventsOf, join, readStream, refusalOf } from './upstream-reading.ts';

const turn = chatTurn();
const usage = { kind: 'usage', usage: { input: 11, cached: 3, output: 7, reasoning: 2, serviceTier: 'default' } };
const start = { kind: 'start' };
const streamed = (reply: ResponseReply) => eventsOf(responseFrames(reply));
const readAll = (events: Parameters<typeof readStream>[2]) => join(readStream(responsesUpstreamDialect, turn, events));
const told = (type: string, rest: object) => [{ type, ...rest }, null] as const;
const completed = told('response.completed', { response: { status: 'completed', output: [], usage: null } });

describe('the reader of a responses upstream', () => {
  const replies: readonly [string, ResponseReply, readonly object[]][] = [
    ['plain text', { text: 'Hi there' }, [{ kind: 'text', text: 'Hi there' }, usage, { kind: 'finish', reason: 'stop' }]],
    ['a refusal', { refusal: 'Not that.' }, [{ kind: 'refusal', text: 'Not that.' }, usage, { kind: 'finish', reason: 'stop' }]],
    [
      'thoughts, text and two calls',
      {
        reasoning: 'First look.',
        text: 'Looking.',
        toolCalls: [
          { id: 'call_1', name: 'f', arguments: ['{"a"', ':1}'] },
          { id: 'call_2', name: 'sql', arguments: ['select', ' 1'], custom: true },
        ],
      },
      [
        { kind: 'reasoning', part: 0, text: 'First look.' },
        { kind: 'encrypted', encrypted: 'ZmFrZSByZWFzb25pbmc=' },
        { kind: 'text', text: 'Looking.' },
        { kind: 'call', index: 0, form: 'function', callId: 'call_1', name: 'f', namespace: null },
        { kind: 'arguments', index: 0, text: '{"a":1}' },
        { kind: 'call', index: 1, form: 'custom', callId: 'call_2', name: 'sql', namespace: null },
        { kind: 'arguments', index: 1, text: 'select 1' },
        usage,
        { kind: 'finish', reason: 'tool_calls' },
      ],
    ],
    [
      'F09: a length stop',
      { text: 'Hi', status: 'incomplete' },
      [{ kind: 'text', text: 'Hi' }, usage, { kind: 'finish', reason: 'length' }],
    ],
    [
      'a filter stop',
      { text: 'Hi', status: 'incomplete', incompleteReason: 'content_filter' },
      [{ kind: 'text', text: 'Hi' }, usage, { kind: 'finish', reason: 'content_filter' }],
    ],
  ];

  it.each(replies)('gives the same events for a whole answer and a stream: %s', (_, reply, events) => {
    expect(readAll(streamed(reply))).toEqual([start, ...events]);
    expect(join(responsesUpstreamDialect.readResponse(response(reply), turn))).toEqual([start, ...events]);
  });

  it.each(responseItems)('gives the same events for items and for deltas: $name', ({ items, deltas, events }) => {
    const end = told('response.completed', { response: { status: 'completed', output: items } });
    const done = items.map((item, output_index) => told('response.output_item.done', { output_index, item }));
    const whole = join(responsesUpstreamDialect.readResponse({ status: 'completed', output: items }, turn));
    expect(whole).toEqual([start, ...events]);
    expect(readAll([...deltas.map((data) => [data, null] as const), end])).toEqual(whole);
    // Upstreams that send no deltas, or only the terminal event.
    expect(readAll([...done, end])).toEqual(whole);
    expect(readAll([end])).toEqual(whole);
  });

  it('reads events without type and output_index', () => {
    const message = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'hi' }] };
    const call = (call_id: string) => ({ type: 'function_call', call_id, name: 'f', arguments: '{}' });
    const events = [
      [{ delta: 'hi' }, 'response.output_text.delta'],
      ...[message, call('a'), call('b')].map((item) => [{ item }, 'response.output_item.done'] as const),
      completed,
    ] as const;
    const opened = (index: number, callId: string) => ({ kind: 'call', index, form: 'function', callId, name: 'f', namespace: null });
    expect(readAll(events)).toEqual([
      start,
      { kind: 'text', text: 'hi' },
      ...[
        opened(0, 'call_a'),
        { kind: 'arguments', index: 0, text: '{}' },
        opened(1, 'call_b'),
        { kind: 'arguments', index: 1, text: '{}' },
      ],
      { kind: 'finish', reason: 'tool_calls' },
    ]);
  });

  it('is complete after the terminal event', () => {
    const reader = responsesUpstreamDialect.openStream(turn);
    for (const [data, name] of streamed({})) {
      expect(reader.isComplete).toBe(false);
      reader.read(data, name);
    }
    expect(reader.isComplete).toBe(true);
    expect(reader.read({ type: 'response.output_text.delta', delta: 'more' }, null)).toEqual([]);
    expect(reader.end()).toEqual([]);
  });
});

describe('a responses upstream that fails', () => {
  it('F01: is read as a failure when it is cut anywhere before the terminal event', () => {
    const frames = streamed({ reasoning: 'Hm.', text: 'Hi there' });
    for (let length = 0; length < frames.length; length++) {
      expect(readAll(frames.slice(0, length)).at(-1)).toEqual({ kind: 'failed', code: 'upstream_error' });
    }
  });

  it('F04: gives only a failure when its stream begins with an overload error', () => {
    const frames = eventsOf(failedFrames({ code: 'server_is_overloaded', message: 'busy' }));
    expect(readAll(frames)).toEqual([{ kind: 'failed', code: 'upstream_unavailable' }]);
  });

  it('gives the usage of the failed answer', () => {
    const failed = told('response.failed', { response: { error: { code: 'server_error' }, usage: { input_tokens: 5, output_tokens: 1 } } });
    expect(readAll([failed])).toEqual([
      { kind: 'usage', usage: { input: 5, cached: 0, output: 1, reasoning: 0 } },
      { kind: 'failed', code: 'upstream_error' },
    ]);
  });

  it.each([
    ['flat', { code: 'rate_limit_exceeded', message: 'slow' }],
    ['nested', { error: { type: 'x', code: 'rate_limit_exceeded', message: 'slow' } }],
  ])('gives one failure for an error event in %s form, and nothing after it', (_, error) => {
    expect(readAll([told('error', error), completed])).toEqual([{ kind: 'failed', code: 'rate_limit_exceeded' }]);
  });

  it.each([
    [
      'an error inside a 200',
      response({ status: 'failed', error: { code: 'server_is_overloaded', message: 'x' } }),
      'upstream_unavailable',
    ],
    ['no output', { status: 'completed' }, 'upstream_error'],
    ['an answer that is not done', { ...response({}), status: 'in_progress' }, 'upstream_error'],
  ])('throws for a whole answer with %s', (_, answer, code) => {
    expect(refusalOf(() => responsesUpstreamDialect.readResponse(answer, turn))).toBe(`${code} null`);
  });
});

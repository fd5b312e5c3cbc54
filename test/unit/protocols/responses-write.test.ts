import { describe, expect, it } from 'vitest';
import { ResponseStreamEvent } from '../../../contract/responses/events.ts';
import { Response } from '../../../contract/responses.ts';
import { GatewayError } from '../../../server/primitives/errors.ts';
import type { CanonicalEvent } from '../../../server/protocols/canonical/canonical-events.ts';
import { responsesCallerDialect } from '../../../server/protocols/responses/dialect.ts';
import { openOrderCheck } from '../../../server/protocols/responses/order-check.ts';
import { answers, fill, open, start, stop, text, thought, usage } from '../../fixtures/turn/answers.ts';
import { createHead } from '../../fixtures/turn/heads.ts';
import { makeAnswer } from '../../fixtures/turn/random.ts';
import { readData, type Wire, writeFrames } from './caller-frames.ts';

const sealing = { include: ['reasoning.encrypted_content'] };
const terminal = ['response.completed', 'response.incomplete', 'response.failed'];

/** The events of a stream, after checks that apply to all streams. */
function stream(events: readonly CanonicalEvent[], request: Wire = {}): Wire[] {
  const frames = writeFrames(responsesCallerDialect.openStream(createHead('resp', request)), events);
  expect(frames.at(-1)).toEqual({ event: null, data: '[DONE]' });
  const told = readData(frames);
  expect(told).toHaveLength(frames.length - 1);
  expect(frames.slice(0, -1).map(({ event }) => event)).toEqual(told.map(({ type }) => type));
  const check = openOrderCheck();
  expect(told.map((event) => check.check(event)).filter((wrong) => wrong !== null)).toEqual([]);
  expect(check.end()).toBeNull();
  for (const event of told) ResponseStreamEvent.parse(event);
  expect(told.slice(0, 2).map(({ type }) => type)).toEqual(['response.created', 'response.in_progress']);
  expect(told.filter(({ type }) => terminal.includes(String(type)))).toEqual([told.at(-1)]);
  return told;
}

const whole = (events: readonly CanonicalEvent[], request: Wire = {}) =>
  responsesCallerDialect.writeResponse(events, createHead('resp', request));
const types = (events: readonly CanonicalEvent[]) => stream(events).map(({ type }) => String(type).replace('response.', ''));
const output = (events: readonly CanonicalEvent[], request: Wire = {}) => Response.parse(whole(events, request)).output;

describe.each(answers)('a responses caller, with $what as the answer,', ({ events }) => {
  it('gets a legal stream whose terminal event is the whole answer', () => {
    for (const request of [{}, sealing]) {
      const last = stream(events, request).at(-1);
      expect(last?.response).toEqual(JSON.parse(JSON.stringify(whole(events, request))));
      expect(Response.parse(last?.response).id).toBe('resp_1');
    }
  });

  it('F01: gets one terminal event wherever the upstream fails', () => {
    const error = new GatewayError('overloaded');
    for (const at of Array.from({ length: events.length + 1 }, (_, index) => index)) {
      const told = stream([...events.slice(0, at), { kind: 'failed', error }, ...events.slice(at), { kind: 'failed', error }]);
      expect(told.slice(-2).map(({ type }) => type)).toEqual(['error', 'response.failed']);
      expect(told.at(-1)?.response).toMatchObject({ id: 'resp_1', status: 'failed', error: { code: 'rate_limit_exceeded' } });
    }
  });

  it('F01: gets a failure wherever the upstream is cut', () => {
    const finish = events.findIndex(({ kind }) => kind === 'finish');
    for (const at of Array.from({ length: finish + 1 }, (_, index) => index)) {
      const told = stream(events.slice(0, at));
      expect(told.at(-1)?.response).toMatchObject({ status: 'failed', error: { code: 'server_error' } });
      expect(() => whole(events.slice(0, at))).toThrow(expect.objectContaining({ code: 'upstream_error' }));
    }
  });
});

describe('a responses caller', () => {
  it('gets a legal stream of any answer, with the same content as the whole one', () => {
    for (let seed = 0; seed < 400; seed++) {
      const events = makeAnswer(seed);
      expect(stream(events, sealing).at(-1)?.response).toEqual(JSON.parse(JSON.stringify(whole(events, sealing))));
    }
  });

  it('gets the events of text in their legal order', () => {
    expect(types([start, text('Hi'), text('!'), stop, usage])).toEqual([
      ...['created', 'in_progress', 'output_item.added', 'content_part.added', 'output_text.delta', 'output_text.delta'],
      ...['output_text.done', 'content_part.done', 'output_item.done', 'completed'],
    ]);
  });

  it('gets reasoning as one item with parts, which ends before the text begins', () => {
    expect(types([thought('a'), thought('b', 1), text('c'), stop]).slice(2, 13)).toEqual([
      ...['output_item.added', 'reasoning_summary_part.added', 'reasoning_summary_text.delta', 'reasoning_summary_text.done'],
      ...['reasoning_summary_part.done', 'reasoning_summary_part.added', 'reasoning_summary_text.delta', 'reasoning_summary_text.done'],
      ...['reasoning_summary_part.done', 'output_item.done', 'output_item.added'],
    ]);
    expect(output([thought('a'), thought('b', 1), text('c'), stop])).toMatchObject([
      { type: 'reasoning', summary: [{ text: 'a' }, { text: 'b' }] },
      { type: 'message', content: [{ text: 'c' }] },
    ]);
  });

  it('gets what seals a thought on its done item, and only where asked', () => {
    const events: CanonicalEvent[] = [thought('a'), { kind: 'encrypted', encrypted: 'xyz' }, text('b'), stop];
    const items = stream(events, sealing).filter(({ item }) => item !== undefined);
    expect(items.map(({ type, item }) => [type, Object(item).encrypted_content])).toEqual([
      ['response.output_item.added', undefined],
      ['response.output_item.done', 'xyz'],
      ['response.output_item.added', undefined],
      ['response.output_item.done', undefined],
    ]);
    expect(JSON.stringify(whole(events))).not.toContain('encrypted_content');
  });

  it('F06: gets calls byte for byte, with their names and namespaces', () => {
    const events = [open(0, 'a'), fill(0, '{}'), open(1, 'b', { namespace: 'ns' }), fill(1, '{"x"'), fill(1, ':1}'), stop];
    expect(output(events)).toMatchObject([
      { type: 'function_call', status: 'completed', call_id: 'call_0', name: 'a', arguments: '{}' },
      { type: 'function_call', status: 'completed', call_id: 'call_1', name: 'b', namespace: 'ns', arguments: '{"x":1}' },
    ]);
    expect(output(events)[0]).not.toHaveProperty('namespace');
  });

  it('F06: gets each item whole before the next one begins', () => {
    const custom = { form: 'custom' } as const;
    const events = [thought('t'), open(0, 'a'), fill(0, '{"x":1}'), open(1, 'b', custom), fill(1, 'y'), open(2, 'c'), text('d'), stop];
    const steps = stream(events).filter(({ item }) => item !== undefined);
    expect(steps.map(({ type, output_index }) => `${String(type).slice(21)} ${output_index}`)).toEqual(
      [0, 1, 2, 3, 4].flatMap((index) => [`added ${index}`, `done ${index}`]),
    );
  });

  it('F06: gets a call as incomplete where another item follows before its arguments are whole', () => {
    expect(output([open(0, 'a'), fill(0, '{"x":'), open(1, 'b'), fill(1, '{}'), stop])).toMatchObject([
      { status: 'incomplete', arguments: '{"x":' },
      { status: 'completed', arguments: '{}' },
    ]);
  });

  it('F06: gets a failure where an upstream adds to a call that has ended', () => {
    const told = stream([open(0, 'a'), fill(0, '{}'), open(1, 'b'), fill(0, '{}'), stop]);
    expect(told.at(-1)?.response).toMatchObject({ status: 'failed', error: { code: 'server_error' } });
  });

  it('gets {} for a call without arguments, also as a delta', () => {
    const told = stream([open(0, 'a'), stop]);
    expect(told.find(({ type }) => type === 'response.function_call_arguments.delta')).toMatchObject({ delta: '{}' });
    expect(told.find(({ type }) => type === 'response.function_call_arguments.done')).toMatchObject({ arguments: '{}', name: 'a' });
  });

  it('F07: gets custom calls with their input unchanged, also when it is empty', () => {
    expect(output([open(0, 'p', { form: 'custom' }), fill(0, '*** a\n'), open(1, 'p', { form: 'custom' }), stop])).toEqual([
      { id: 'ctc_1', type: 'custom_tool_call', call_id: 'call_0', name: 'p', input: '*** a\n' },
      { id: 'ctc_2', type: 'custom_tool_call', call_id: 'call_1', name: 'p', input: '' },
    ]);
  });

  it('F09: gets incomplete with the reason of the cut, and the item that was cut', () => {
    const cut: CanonicalEvent = { kind: 'finish', reason: 'length' };
    const calls = [text('Hi'), open(0, 'a'), fill(0, '{}'), open(1, 'b'), fill(1, '{"c'), cut];
    expect(whole(calls)).toMatchObject({
      status: 'incomplete',
      completed_at: null,
      incomplete_details: { reason: 'max_output_tokens' },
      output: [{ status: 'completed' }, { status: 'completed' }, { status: 'incomplete', arguments: '{"c' }],
    });
    expect(whole([text('Hi'), { kind: 'finish', reason: 'content_filter' }])).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'content_filter' },
      output: [{ status: 'incomplete' }],
    });
  });

  it('gets the last call as incomplete after a cut, without added arguments', () => {
    const cut: CanonicalEvent = { kind: 'finish', reason: 'length' };
    expect(output([open(0, 'a'), fill(0, '{}'), cut])).toMatchObject([{ status: 'incomplete', arguments: '{}' }]);
    expect(output([open(0, 'a'), cut])).toMatchObject([{ status: 'incomplete', arguments: '' }]);
  });

  it('gets only the usage after the finish reason', () => {
    const late = [text('Hi'), stop, text('!'), open(0, 'a'), { kind: 'finish', reason: 'length' } as const, usage];
    expect(stream(late)).toEqual(stream([text('Hi'), stop, usage]));
  });

  it('gets log probabilities and annotations in deltas and in the whole part', () => {
    const logprob = { token: 'Hi', logprob: -0.1, bytes: [72, 105] };
    const annotation = { type: 'url_citation', url: 'https://example.com' };
    const told = stream([
      { kind: 'annotation', annotation },
      { kind: 'text', text: 'Hi', logprobs: [{ ...logprob, top: [logprob] }] },
      stop,
    ]);
    const logprobs = [{ ...logprob, top_logprobs: [logprob] }];
    const about = (type: string) => told.find((event) => event.type === `response.${type}`);
    expect(about('content_part.added')).toMatchObject({ part: { annotations: [], logprobs: [] } });
    expect(about('output_text.annotation.added')).toMatchObject({ annotation_index: 0, annotation });
    expect(about('output_text.delta')).toMatchObject({ delta: 'Hi', logprobs });
    expect(about('output_text.done')).toMatchObject({ text: 'Hi', logprobs });
    expect(about('content_part.done')).toMatchObject({ part: { text: 'Hi', logprobs, annotations: [annotation] } });
  });

  it('gets the last usage in full, or null without one', () => {
    const first: CanonicalEvent = { kind: 'usage', usage: { input: 1, cached: 0, output: 0, reasoning: 0 } };
    expect(whole([first, text('Hi'), stop, usage]).usage).toEqual({
      input_tokens: 11,
      input_tokens_details: { cached_tokens: 3, cache_write_tokens: 0 },
      output_tokens: 7,
      output_tokens_details: { reasoning_tokens: 2 },
      total_tokens: 18,
    });
    expect(whole([text('Hi'), stop]).usage).toBeNull();
  });

  it('gets a failure as an error event and in the response, with the output so far', () => {
    const error = new GatewayError('context_length_exceeded', { message: 'Too long.', param: 'input' });
    const [flat, failed] = stream([start, text('Hi'), usage, { kind: 'failed', error }]).slice(-2);
    expect(flat).toMatchObject({ code: 'context_length_exceeded', message: 'Too long.', param: 'input' });
    expect(flat?.error).toEqual({ type: 'invalid_request_error', code: 'context_length_exceeded', message: 'Too long.', param: 'input' });
    expect(failed?.response).toMatchObject({
      error: { code: 'context_length_exceeded', message: 'Too long.' },
      output: [{ type: 'message', status: 'incomplete', content: [{ text: 'Hi' }] }],
      usage: { total_tokens: 18 },
    });
  });

  it('F02: gets the first error thrown when a whole answer fails', () => {
    const error = new GatewayError('overloaded');
    const later = new GatewayError('upstream_error');
    const failing: CanonicalEvent[] = [start, text('Hi'), { kind: 'failed', error }, { kind: 'failed', error: later }, stop];
    expect(() => whole(failing)).toThrow(error);
  });

  it('gets a failure when the events of calls are inconsistent', () => {
    for (const events of [
      [fill(0, '{}'), stop],
      [open(0, 'a'), open(0, 'b'), stop],
    ]) {
      expect(stream(events).at(-1)?.response).toMatchObject({ status: 'failed' });
      expect(() => whole(events)).toThrow(expect.objectContaining({ code: 'upstream_error' }));
    }
  });

  it('F05: gets all keys and its own settings in the first and in the terminal event', () => {
    const request = {
      instructions: 'Be brief.',
      tools: [
        { type: 'function', name: 'f' },
        { type: 'namespace', name: 'ns', tools: [{ type: 'function', name: 'g', strict: false }] },
        { type: 'custom', name: 'c' },
      ],
      tool_choice: 'required',
      text: { format: { type: 'json_schema', name: 'n', schema: {} } },
      reasoning: { effort: 'high' },
      temperature: 0.5,
      max_output_tokens: 99,
      store: false,
      previous_response_id: 'resp_0',
      metadata: { team: 'search' },
      service_tier: 'auto',
    };
    const responses = stream([text('Hi'), stop], request).flatMap(({ response }) => (response ? [Object(response)] : []));
    const [first, , last] = responses;
    expect(Object.keys(first)).toEqual(Object.keys(last));
    expect(first).toMatchObject({ status: 'in_progress', output: [], usage: null, completed_at: null, created_at: 1_790_000_000 });
    expect(last).toMatchObject({ status: 'completed', completed_at: 1_790_000_003, error: null, incomplete_details: null });
    for (const response of responses) expect(response).toMatchObject({ ...echoed, tools: echoedTools });
  });

  it('gets all keys that strict clients need, with their defaults', () => {
    expect(whole([stop])).toEqual({
      id: 'resp_1',
      object: 'response',
      created_at: 1_790_000_000,
      completed_at: 1_790_000_003,
      status: 'completed',
      error: null,
      incomplete_details: null,
      instructions: null,
      model: 'any-model',
      output: [emptyMessage],
      previous_response_id: null,
      tools: [],
      tool_choice: 'auto',
      parallel_tool_calls: true,
      max_tool_calls: null,
      max_output_tokens: null,
      text: { format: { type: 'text' }, verbosity: 'medium' },
      reasoning: { effort: null, summary: null },
      temperature: 1,
      top_p: 1,
      presence_penalty: 0,
      frequency_penalty: 0,
      top_logprobs: 0,
      truncation: 'disabled',
      store: true,
      background: false,
      service_tier: 'default',
      metadata: {},
      safety_identifier: null,
      prompt_cache_key: null,
      user: null,
      usage: null,
    });
  });
});

/** The message of an answer without output. */
const emptyMessage = {
  id: 'msg_1',
  type: 'message',
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'output_text', text: '', annotations: [], logprobs: [] }],
};
const bare = { description: null, parameters: null };
const echoedTools = [
  { type: 'function', name: 'f', ...bare, strict: null },
  { type: 'namespace', name: 'ns', tools: [{ type: 'function', name: 'g', ...bare, strict: false }] },
  { type: 'custom', name: 'c' },
];
const echoed = {
  instructions: 'Be brief.',
  tool_choice: 'required',
  text: { format: { type: 'json_schema', name: 'n', schema: {}, description: null, strict: false }, verbosity: 'medium' },
  reasoning: { effort: 'high', summary: null },
  temperature: 0.5,
  max_output_tokens: 99,
  store: false,
  previous_response_id: 'resp_0',
  metadata: { team: 'search' },
  service_tier: 'default',
};

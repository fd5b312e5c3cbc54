/** The answers that callers receive, a row each: whole, and as a stream. Also the failures and the heartbeats of a Responses stream. */
import { describe, expect, test } from 'vitest';
import { itemOrder, streamOrder } from '../../../contract/responses/order.ts';
import { GatewayError } from '../../../server/primitives/errors.ts';
import type { CanonicalEvent } from '../../../server/protocols/canonical/canonical-events.ts';
import { writeResponseStream } from '../../../server/protocols/responses/write-stream.ts';
import { type Json, readRows } from '../../fixtures/rows.ts';
import { fill, start, stop, text, usage } from '../../fixtures/turn/answers.ts';
import { createHead } from '../../fixtures/turn/heads.ts';
import { readData, type Wire, writeFrames } from './caller-frames.ts';
import { type Caller, callers, throughStream, throughWhole } from './fixture-answers.ts';

interface Row {
  readonly title: string;
  readonly caller: Caller;
  readonly request?: Json;
  readonly events: readonly CanonicalEvent[];
  /** Fields of the answer or of its choice. */
  readonly whole?: Json;
  /** The chunks of chat without their heads; the Responses events without those about the response and without numbers. */
  readonly stream?: readonly Json[];
}

const headOf = (caller: Caller, request: Json = {}) => createHead(caller === 'chat' ? 'chatcmpl' : 'resp', request);
const onWire = (value: unknown) => JSON.parse(JSON.stringify(value));

function writeWhole(caller: Caller, events: readonly CanonicalEvent[], request?: Json): Wire {
  const whole = onWire(callers[caller].writeResponse(events, headOf(caller, request)));
  return caller === 'chat' ? { ...whole.choices[0], usage: whole.usage ?? null } : whole;
}

/** The frames, which must end in `[DONE]`. */
function writeStream(caller: Caller, events: readonly CanonicalEvent[], request?: Json): Wire[] {
  const frames = writeFrames(callers[caller].openStream(headOf(caller, request)), events);
  expect(frames.at(-1)).toEqual({ event: null, data: '[DONE]' });
  return readData(frames);
}

function toBare(caller: Caller, data: readonly Wire[]): Json[] {
  if (caller === 'responses') return data.flatMap(({ sequence_number: _, ...event }) => ('response' in event ? [] : [event]));
  return onWire(data).map(({ choices: [choice], usage: counts }: { choices: Wire[]; usage?: unknown }) => ({
    ...(choice && { delta: choice.delta, ...(choice.logprobs !== null && { logprobs: choice.logprobs }) }),
    ...(choice && choice.finish_reason !== null && { finish_reason: choice.finish_reason }),
    ...(counts !== undefined && { usage: counts }),
  }));
}

describe('the gateway', () => {
  test.each(readRows<Row>('written-answers'))('writes to a $caller caller: $title', ({ caller, request, events, whole, stream }) => {
    const written = writeWhole(caller, events, request);
    const data = writeStream(caller, events, request);
    for (const [field, value] of Object.entries(whole ?? {})) expect(written).toHaveProperty(field, value);
    if (stream) expect(toBare(caller, data)).toEqual(stream);
    if (caller === 'responses') expect(data.at(-1)?.response).toEqual(written);
    // Both fit the contract, in the order of its events.
    throughWhole(caller, events);
    throughStream(caller, events);
  });

  test.each(['chat', 'responses'] as const)('F02: fails with the first error of a whole answer to a %s caller', (caller) => {
    const [error, later] = [new GatewayError('overloaded'), new GatewayError('upstream_error')];
    const events: CanonicalEvent[] = [start, text('Hi'), { kind: 'failed', error }, { kind: 'failed', error: later }, stop];
    expect(() => writeWhole(caller, events)).toThrow(error);
  });

  test('F01: sends a chat caller the body of an error as the last frame', () => {
    const error = new GatewayError('overloaded');
    const frames = writeFrames(callers.chat.openStream(headOf('chat')), [text('Hi'), { kind: 'failed', error }, stop]);
    expect(JSON.parse(frames.at(-1)?.data ?? '')).toEqual(error.body);
  });

  test('F01: sends a responses caller an error event and response.failed with the output so far', () => {
    const error = new GatewayError('context_length_exceeded', { message: 'Too long.', param: 'input' });
    const [flat, failed] = writeStream('responses', [start, text('Hi'), usage, { kind: 'failed', error }]).slice(-2);
    expect(flat).toMatchObject({ type: 'error', code: 'context_length_exceeded', message: 'Too long.', param: 'input' });
    expect(flat?.error).toEqual({ type: 'invalid_request_error', code: 'context_length_exceeded', message: 'Too long.', param: 'input' });
    expect(failed?.response).toMatchObject({
      id: 'resp_1',
      status: 'failed',
      error: { code: 'context_length_exceeded', message: 'Too long.' },
      output: [{ type: 'message', status: 'incomplete', content: [{ text: 'Hi' }] }],
      usage: { total_tokens: 18 },
    });
  });

  test.each([
    ['response.in_progress', streamOrder],
    ['response.output_item.added', itemOrder.message],
  ] as const)('fails once, with consecutive numbers, when the contract allows no event after %s', (after, order) => {
    // The table is read-only; the test changes it to see that the writer obeys it.
    const table = order as Record<string, readonly string[]>;
    const allowed = table[after] ?? [];
    table[after] = [];
    try {
      const data = writeStream('responses', [text('a'), stop]);
      expect(data.slice(-2).map(({ type }) => type)).toEqual(['error', 'response.failed']);
      expect(data.map(({ sequence_number }) => sequence_number)).toEqual(data.map((_, index) => index));
      expect(() => writeWhole('responses', [text('a'), stop])).toThrow(expect.objectContaining({ code: 'internal_error' }));
    } finally {
      table[after] = allowed;
    }
  });
});

describe('a heartbeat of a Responses stream', () => {
  const open = (events: readonly CanonicalEvent[]) => {
    const writer = writeResponseStream(headOf('responses'));
    for (const event of events) writer.write(event);
    return { writer, keepAlive: () => String(writer.keepAlive?.()) };
  };

  test('takes the next sequence number', () => {
    const { writer, keepAlive } = open([start, text('a')]);
    expect(keepAlive()).toBe('event: keepalive\ndata: {"type":"keepalive","sequence_number":5}\n\n');
    expect(keepAlive()).toContain('"sequence_number":6}');
    expect(writer.write(text('b')).toString()).toContain('"sequence_number":7,');
  });

  test('stays empty before the first event, after the end, and after a failure', () => {
    expect(open([]).keepAlive()).toBe('');
    const { writer, keepAlive } = open([start, text('a'), stop]);
    writer.end();
    expect(keepAlive()).toBe('');
    expect(open([start, fill(0, '{}')]).keepAlive()).toBe('');
  });
});

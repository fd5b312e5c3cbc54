/** The writer of responses streams follows the table of the order of events in the contract; also its heartbeats and empty answers. */
import { afterEach, describe, expect, it } from 'vitest';
import { ANY_OUTPUT, itemOrder, streamOrder } from '../../../contract/responses/order.ts';
import { Response } from '../../../contract/responses.ts';
import type { CanonicalEvent } from '../../../server/protocols/canonical/canonical-events.ts';
import { responsesCallerDialect } from '../../../server/protocols/responses/dialect.ts';
import { writeResponseStream } from '../../../server/protocols/responses/write-stream.ts';
import { answers, open, start, stop, text, thought } from '../../fixtures/turn/answers.ts';
import { createHead } from '../../fixtures/turn/heads.ts';
import { readData, writeFrames } from './caller-frames.ts';

const mended: (() => void)[] = [];
afterEach(() => {
  for (const mend of mended.splice(0)) mend();
});

/** Removes one step from the table until the test is over. */
function lose(table: Readonly<Record<string, readonly string[]>>, after: string, step: string): void {
  // The table is read-only; the test changes it to see that it is used.
  const broken = table as Record<string, readonly string[]>;
  const whole = broken[after] ?? [];
  expect(whole).toContain(step);
  broken[after] = whole.filter((next) => next !== step);
  mended.push(() => {
    broken[after] = whole;
  });
}

const typesOf = (events: readonly CanonicalEvent[]) =>
  readData(writeFrames(writeResponseStream(createHead('resp')), events)).map(({ type, sequence_number }) => `${sequence_number} ${type}`);

const { message, reasoning, function_call: call, custom_tool_call: custom } = itemOrder;
const part = 'response.content_part.added output_text';
const losses: readonly (readonly [string, CanonicalEvent[], Parameters<typeof lose>])[] = [
  ['the opening', [text('a'), stop], [streamOrder, 'response.created', 'response.in_progress']],
  ['items', [text('a'), stop], [streamOrder, 'response.in_progress', ANY_OUTPUT]],
  ['the good end', [text('a'), stop], [streamOrder, ANY_OUTPUT, 'response.completed']],
  ['a part of a message', [text('a'), stop], [message, 'response.output_item.added', part]],
  ['the text of a message', [text('a'), stop], [message, part, 'response.output_text.delta']],
  ['more text of a message', [text('a'), text('b'), stop], [message, 'response.output_text.delta', 'response.output_text.delta']],
  ['the end of a message', [text('a'), stop], [message, 'response.content_part.done output_text', 'response.output_item.done']],
  [
    'the second paragraph of a thought',
    [thought('a'), thought('b', 1), stop],
    [reasoning, 'response.reasoning_summary_part.done summary_text', 'response.reasoning_summary_part.added summary_text'],
  ],
  ['the end of arguments', [open(0, 'f'), stop], [call, 'response.function_call_arguments.delta', 'response.function_call_arguments.done']],
  [
    'a call without input',
    [open(0, 'f', { form: 'custom' }), stop],
    [custom, 'response.output_item.added', 'response.custom_tool_call_input.done'],
  ],
];

describe('a table of events that loses', () => {
  it.each(losses)('%s makes the writer fail at that step with one failure and consecutive numbers', (_what, events, loss) => {
    const whole = typesOf(events);
    lose(...loss);
    const told = typesOf(events);
    const sound = told.slice(0, -2);
    expect(sound).toEqual(whole.slice(0, sound.length));
    expect(sound.length).toBeLessThan(whole.length);
    expect(told.slice(-2)).toEqual([`${sound.length} error`, `${sound.length + 1} response.failed`]);
    expect(() => responsesCallerDialect.writeResponse(events, createHead('resp'))).toThrow(
      expect.objectContaining({
        code: 'internal_error',
        cause: expect.objectContaining({ message: expect.stringContaining("can't follow") }),
      }),
    );
  });
});

describe('a heartbeat of the writer', () => {
  const frames = (events: readonly CanonicalEvent[]) => {
    const writer = writeResponseStream(createHead('resp'));
    for (const event of events) writer.write(event);
    return { writer, text: () => String(writer.keepAlive?.()) };
  };

  it('has the next sequence number', () => {
    const { writer, text: beat } = frames([start, text('a')]);
    expect(beat()).toBe('event: keepalive\ndata: {"type":"keepalive","sequence_number":5}\n\n');
    expect(beat()).toContain('"sequence_number":6}');
    expect(writer.write(text('b')).toString()).toContain('"sequence_number":7,');
  });

  it('is empty before the first event, after the end and after a failure', () => {
    expect(frames([]).text()).toBe('');
    const { writer, text: beat } = frames([start, text('a'), stop]);
    writer.end();
    expect(beat()).toBe('');
    const failed = frames([start, { kind: 'arguments', index: 0, text: '{}' }]);
    expect(failed.writer.failure).toMatchObject({ code: 'upstream_error' });
    expect(failed.text()).toBe('');
  });

  it('is possible after any event', () => {
    for (const { events } of answers) {
      const writer = writeResponseStream(createHead('resp'));
      const out = events.flatMap((event) => [writer.write(event), writer.keepAlive?.() ?? Buffer.alloc(0)]);
      const text = Buffer.concat([...out, writer.end()]).toString();
      const numbers = [...text.matchAll(/"sequence_number":(\d+)/g)].map(([, number]) => Number(number));
      expect(numbers).toEqual(numbers.map((_, index) => index));
      expect(text).toContain('event: keepalive\n');
      expect(text).not.toContain('event: error\n');
    }
  });
});

describe('an answer that stops without output', () => {
  it.each([
    ['without reasoning', [start, stop], ['message']],
    ['with reasoning only', [thought('Hm'), stop], ['reasoning', 'message']],
  ] as const)('%s has one message with an empty text', (_what, events, types) => {
    const { output } = Response.parse(responsesCallerDialect.writeResponse(events, createHead('resp')));
    expect(output).toMatchObject(types.map((type) => ({ type })));
    expect(output.at(-1)).toMatchObject({ status: 'completed', content: [{ type: 'output_text', text: '' }] });
    expect(
      typesOf(events)
        .slice(-6)
        .map((told) => told.replace(/^\d+ response\./, '')),
    ).toEqual(['output_item.added', 'content_part.added', 'output_text.done', 'content_part.done', 'output_item.done', 'completed']);
  });

  it.each([
    ['was cut', [start, { kind: 'finish', reason: 'length' }]],
    ['was withheld', [start, { kind: 'finish', reason: 'content_filter' }]],
  ] as const)('has no message when it %s', (_what, events) => {
    expect(responsesCallerDialect.writeResponse(events, createHead('resp'))).toMatchObject({ status: 'incomplete', output: [] });
  });

  it('has no message when a tool was called', () => {
    const { output } = responsesCallerDialect.writeResponse([open(0, 'f'), stop], createHead('resp'));
    expect(output).toMatchObject([{ type: 'function_call' }]);
    expect(output).toHaveLength(1);
  });
});

import { describe, expect, it } from 'vitest';
import { ResponseStreamEvent } from '../../../../contract/responses/events.ts';
import { Response } from '../../../../contract/responses.ts';
import { citySchema, functionTool, readEvents, readFrames, readJson, send, type Wire } from './ask.ts';

async function stream(value: Wire) {
  return (await readEvents(send('createResponse', value, true))).map((event) => ResponseStreamEvent.parse(event));
}
type Events = Awaited<ReturnType<typeof stream>>;

/** The order of the events, deltas in a row as one. */
function order(events: Events): string[] {
  const types = events.map(({ type }) => type.replace(/^response\./, ''));
  return types.filter((type, index) => !(type.endsWith('.delta') && types[index - 1] === type));
}

/** The response objects that events carry: the opening two and the terminal one. */
function responsesIn(events: Events): Response[] {
  return events.flatMap((event) => ('response' in event ? [Response.parse(event.response)] : []));
}

/** Ids and times differ from request to request; all else may not. */
function withoutIds(response: unknown): unknown {
  return JSON.parse(JSON.stringify(response).replace(/"(resp|msg|rs|fc|ctc|call)_[0-9a-f]{32}"/g, '"$1"'));
}

const message = (part: string) => [
  'output_item.added',
  'content_part.added',
  `${part}.delta`,
  `${part}.done`,
  'content_part.done',
  'output_item.done',
];
const reasoning = [
  'output_item.added',
  'reasoning_summary_part.added',
  'reasoning_summary_text.delta',
  'reasoning_summary_text.done',
  'reasoning_summary_part.done',
  'output_item.done',
];
const call = (part: string) => ['output_item.added', `${part}.delta`, `${part}.done`, 'output_item.done'];

const tools = [functionTool('get_weather', citySchema), { type: 'custom', name: 'write_poem' }];
const cases: readonly { readonly what: string; readonly value: Wire; readonly items: readonly string[][]; readonly end: string }[] = [
  { what: 'text', value: { input: 'Why is the sky blue?' }, items: [message('output_text')], end: 'completed' },
  {
    what: 'reasoning and text',
    value: { input: 'Why?', reasoning: { effort: 'low' }, include: ['reasoning.encrypted_content'] },
    items: [reasoning, message('output_text')],
    end: 'completed',
  },
  { what: 'a refusal', value: { input: 'please refuse' }, items: [message('refusal')], end: 'completed' },
  {
    what: 'two function calls',
    value: { input: 'call get_weather for Oslo and Paris', tools },
    items: [call('function_call_arguments'), call('function_call_arguments')],
    end: 'completed',
  },
  {
    what: 'a custom tool call',
    value: { input: 'Rain', tools, tool_choice: { type: 'custom', name: 'write_poem' } },
    items: [call('custom_tool_call_input')],
    end: 'completed',
  },
  {
    what: 'text cut at the limit',
    value: { input: 'count to 90', max_output_tokens: 16 },
    items: [message('output_text')],
    end: 'incomplete',
  },
  {
    what: 'reasoning cut at the limit',
    value: { input: 'hi', max_output_tokens: 16, reasoning: { effort: 'max' } },
    items: [reasoning],
    end: 'incomplete',
  },
  {
    what: 'log probabilities',
    value: { input: 'repeat: one two', include: ['message.output_text.logprobs'], top_logprobs: 2 },
    items: [message('output_text')],
    end: 'completed',
  },
];

describe.each(cases)('a caller who streams $what', ({ value, items, end }) => {
  it('gets the events in their legal order', async () => {
    expect(order(await stream(value))).toEqual(['created', 'in_progress', ...items.flat(), end]);
  });

  it('gets the response of an answer without a stream in the terminal event', async () => {
    const last = responsesIn(await stream(value)).at(-1);
    const whole = Response.parse(await readJson(send('createResponse', value)));
    expect(withoutIds(last)).toEqual(withoutIds(whole));
  });

  it('gets pieces that make up each item', async () => {
    const events = await stream(value);
    const done = events.filter((event) => event.type === 'response.output_item.done');
    expect(done.map(({ output_index }) => output_index)).toEqual(items.map((_, index) => index));
    for (const { item, output_index } of done) {
      const about = events.filter((event) => 'item_id' in event && event.output_index === output_index);
      expect(about.every((event) => 'item_id' in event && event.item_id === item.id)).toBe(true);
      const text = about.map((event) => ('delta' in event ? event.delta : '')).join('');
      expect(text).not.toBe('');
      expect(JSON.stringify(item)).toContain(JSON.stringify(text));
    }
    expect(responsesIn(events).at(-1)?.output).toEqual(done.map(({ item }) => item));
  });

  it('gets numbered events under their names, one response id and [DONE]', async () => {
    const frames = await readFrames(send('createResponse', value, true));
    expect(frames.pop()).toEqual({ event: null, data: '[DONE]' });
    const events = frames.map(({ data }) => ResponseStreamEvent.parse(JSON.parse(data)));
    expect(frames.map(({ event }) => event)).toEqual(events.map(({ type }) => type));
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
    const responses = responsesIn(events);
    expect(responses).toHaveLength(3);
    expect(new Set(responses.map(({ id }) => id)).size).toBe(1);
    expect(responses[0]).toMatchObject({ status: 'in_progress', output: [], usage: null, completed_at: null });
    expect(Object.keys(responses[0] ?? {})).toEqual(Object.keys(responses[2] ?? {}));
  });
});

describe('a caller who streams a call', () => {
  it('gets its name and call id at the start, and the same at the end', async () => {
    const events = await stream({ input: 'call get_weather for Oslo', tools });
    const added = events.find((event) => event.type === 'response.output_item.added');
    const done = events.find((event) => event.type === 'response.output_item.done');
    expect(added?.item).toMatchObject({ status: 'in_progress', name: 'get_weather', arguments: '', call_id: done?.item.call_id });
    expect(added?.item.id).not.toBe(added?.item.call_id);
    const finished = events.find((event) => event.type === 'response.function_call_arguments.done');
    expect(finished).toMatchObject({ name: 'get_weather', arguments: done?.item.arguments });
  });
});

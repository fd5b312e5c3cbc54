/** The check of the order of events in responses streams, in development: a stream in a wrong order ends with an error, and the log names the event. */
import { afterEach, describe, expect, test } from 'vitest';
import { Modelgate } from '../../client/sdk/src/index.ts';
import { itemOrder } from '../../contract/responses/order.ts';
import { chatFrames } from '../fakes/chat.ts';
import { json, stream } from '../fakes/delivery.ts';
import type { Frame, SseEvent } from '../fakes/frames.ts';
import { responseFrames } from '../fakes/responses.ts';
import { chat, responses } from '../harness/protocols.ts';
import { expectRefusal } from '../harness/refusal.ts';
import { expectBrokenResponses } from '../harness/transcript.ts';
import { type BehindVendor, openBehindVendor, type VendorOptions } from '../harness/vendor.ts';

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function open(options: VendorOptions = {}): Promise<BehindVendor> {
  const vendor = await openBehindVendor(options);
  undo.push(() => vendor.close());
  return vendor;
}

const asked = (more: object = {}) => JSON.stringify({ ...responses.ask, stream: true, ...more });

/** The answer that the caller reads of these frames; the first three are sent before the others. */
async function ask(vendor: BehindVendor, frames: readonly Frame[], body = asked()): Promise<{ answer: Response; text: string }> {
  const { promise, resolve } = Promise.withResolvers<void>();
  vendor.fake.next(stream([...frames.slice(0, 3), { until: promise }, ...frames.slice(3)]));
  const answer = await vendor.post('/responses', body);
  resolve();
  return { answer, text: await answer.text() };
}

const numbered = (frames: readonly SseEvent[]): SseEvent[] =>
  // Frames of a responses stream are objects.
  frames.map(({ event, data }, sequence_number) => ({
    ...(event !== undefined && { event }),
    data: { ...(data as object), sequence_number },
  }));

const frames = responseFrames({ text: ['a', 'b'] });
const at = (type: string) => frames.findIndex(({ event }) => event === type);
const without = (type: string) => numbered(frames.toSpliced(at(type), 1));
const doubled = (type: string) => frames.toSpliced(at(type), 0, ...frames.slice(at(type), at(type) + 1));
const late = [...frames.slice(0, 5), ...frames.slice(6, 7), ...frames.slice(5, 6), ...frames.slice(7)];

const broken: readonly (readonly [title: string, frames: readonly SseEvent[], said: string])[] = [
  [
    'loses an event',
    without('response.content_part.added'),
    "response.output_text.delta can't follow response.output_item.added in item 0",
  ],
  [
    'repeats a number',
    doubled('response.output_text.delta'),
    'sequence_number is 4, not 5, in response.output_text.delta after response.output_text.delta',
  ],
  ['ends a text too early', numbered(late), 'the final text in item 0 differs from its deltas'],
  ['leaves an item open', without('response.output_item.done'), 'response.completed while item 0 is open'],
];

describe('a forwarded responses stream', () => {
  test.each(broken)('ends with response.failed when it %s, and the log names the event', async (_title, vendorFrames, said) => {
    const vendor = await open();
    const { answer, text } = await ask(vendor, vendorFrames);
    expect(expectBrokenResponses(text).code).toBe('internal_error');
    const line = await vendor.gateway.lineWhere(({ msg }) => msg === 'stream failed');
    expect(line).toMatchObject({ level: 'error', code: 'internal_error', err: { cause: { message: said } } });
    expect(await vendor.gateway.lineOf(answer)).toMatchObject({ id: line.id, end: 'failed', code: 'internal_error', status: 200 });
  });

  test('returns a status when its first event is wrong', async () => {
    const vendor = await open();
    vendor.fake.next(stream(numbered(frames.slice(1))));
    await expectRefusal(await vendor.post('/responses', asked()), { code: 'internal_error' });
    const line = await vendor.gateway.lineWhere(({ msg }) => msg === 'request failed');
    expect(line).toMatchObject({ err: { cause: { message: "response.in_progress can't follow start" } } });
  });

  test('stays unsaved when its last event is wrong', async () => {
    const vendor = await open();
    const last = frames.at(-1);
    const end = {
      ...Object(last?.data),
      response: { ...Object(last?.data).response, output: [{ ...Object(last?.data).response.output[0], content: [] }] },
    };
    const { text } = await ask(vendor, [...frames.slice(0, -1), { ...last, data: end }], asked({ store: true }));
    expectBrokenResponses(text);
    const id = /"id":"(resp_[0-9a-f]+)"/.exec(text)?.[1];
    expect((await vendor.gateway.call(`/responses/${id}`)).status).toBe(404);
    const { text: sound } = await ask(vendor, frames, asked({ store: true }));
    expect((await vendor.gateway.call(`/responses/${/"id":"(resp_[0-9a-f]+)"/.exec(sound)?.[1]}`)).status).toBe(200);
  });

  const torn: Frame = { raw: 'event: response.output_text.delta\ndata: {"type":"response.output_text.delta" "delta":"b"}\n\n' };

  test('ends with response.failed at invalid JSON in development, and is forwarded otherwise', async () => {
    const holed = [...frames.slice(0, 5), torn, ...frames.slice(5)];
    const strict = await ask(await open(), holed);
    expect(expectBrokenResponses(strict.text).code).toBe('upstream_error');
    const { text } = await ask(await open({ settings: { validateResponses: false } }), holed);
    expect(text).toContain('"response.output_text.delta" "delta":"b"');
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
  });
});

/** What the contract doesn't describe yet: an event, an item with its content, and a part of a message. */
function newerFrames(): readonly SseEvent[] {
  const item = { type: 'hologram_call', id: 'hc_1', status: 'completed' };
  const end = Object(frames.at(-1)?.data);
  const response = { ...end.response, output: [...end.response.output, item] };
  return numbered([
    ...frames.slice(0, -1),
    { event: 'response.output_item.added', data: { type: 'response.output_item.added', output_index: 1, item } },
    { event: 'response.hologram.turned', data: { type: 'response.hologram.turned', output_index: 1, item_id: 'hc_1', degrees: 90 } },
    { event: 'response.output_item.done', data: { type: 'response.output_item.done', output_index: 1, item } },
    { event: 'response.completed', data: { ...end, response } },
  ]);
}

describe.each([true, false])('what is newer than the contract, development: %s,', (development) => {
  test('reaches the reader of the typed client as it came', async () => {
    const vendor = await open({ settings: { validateResponses: development } });
    vendor.fake.next(stream(newerFrames()));
    const client = new Modelgate({ baseURL: vendor.gateway.baseURL, apiKey: vendor.gateway.key, maxRetries: 0 });
    const events = await client.createResponse({ model: 'gpt-5.4', input: 'Hi', stream: true });
    const turned: unknown[] = [];
    for await (const event of events) if (String(event.type) === 'response.hologram.turned') turned.push(event);
    expect(turned).toEqual([expect.objectContaining({ degrees: 90, item_id: 'hc_1', output_index: 1 })]);
    const final = await events.finalResponse();
    expect(final.output.at(-1)).toEqual({ type: 'hologram_call', id: 'hc_1', status: 'completed' });
    vendor.fake.next(json(final));
    expect(await client.createResponse({ model: 'gpt-5.4', input: 'Hi' })).toMatchObject({ output: final.output });
  });
});

describe.each([true, false])('a stream that the gateway writes, development: %s,', (development) => {
  test('fails when the table of the order lacks a step of the writer', async () => {
    const vendor = await open({ upstream: { protocols: ['chat'] }, settings: { validateResponses: development } });
    // The table is read-only; the test changes it to see that it is used.
    const table = itemOrder.message as Record<string, readonly string[]>;
    const whole = table['response.output_text.delta'] ?? [];
    undo.push(() => {
      table['response.output_text.delta'] = whole;
    });
    table['response.output_text.delta'] = ['response.output_text.done'];
    const [first = {}, second = {}, ...rest] = chatFrames({ text: ['a', 'b', 'c'] });
    const { answer, text } = await ask(vendor, [first, second, { comment: '' }, ...rest]);
    expect(expectBrokenResponses(text).code).toBe('internal_error');
    const said = "response.output_text.delta can't follow response.output_text.delta in item 0";
    expect(await vendor.gateway.lineWhere(({ msg }) => msg === 'stream failed')).toMatchObject({ err: { cause: { message: said } } });
    expect(await vendor.gateway.lineOf(answer)).toMatchObject({ end: 'failed', code: 'internal_error' });
  });
});

test('leaves a chat stream unchecked', async () => {
  const vendor = await open();
  const answer = await vendor.post(chat.path, JSON.stringify({ ...chat.ask, ...chat.streamed }));
  expect(await answer.text()).toContain('[DONE]');
});

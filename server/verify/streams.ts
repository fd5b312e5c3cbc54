/** Checks of streams: every event matches the contract, in order, and the stream ends with one terminal event. */

import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { ChatCompletionChunk } from '../../contract/chat/completion.ts';
import { ImageEditEvent, ImageGenerationEvent } from '../../contract/images.ts';
import { ResponseStreamEvent } from '../../contract/responses/events.ts';
import { DeletedResponse, InputItemList } from '../../contract/responses/stored.ts';
import { Response } from '../../contract/responses.ts';
import { orderFault } from '../dialects/responses/order.ts';
import { isFields } from '../primitives/fields.ts';
import { CATALOG, chatAsk, demandPicture, editAsk, pictureAsk, responseAsk } from './answers.ts';
import {
  type Area,
  type Ask,
  assert,
  assertAll,
  type Caller,
  type Check,
  demandRefusal,
  type EventStream,
  fitting,
  goodBody,
  type StreamEvent,
  streamOf,
} from './check.ts';

function demandDone({ isDone }: EventStream): never[] {
  assert(isDone, "the stream doesn't end with data: [DONE]");
  return [];
}

async function readChat(caller: Caller, more: object = {}) {
  const stream = streamOf(await caller.ask('/chat/completions', { json: { ...chatAsk(caller), stream: true, ...more } }));
  const chunks = () =>
    assertAll(
      stream.events.map(
        ({ data }, index) =>
          () =>
            fitting(ChatCompletionChunk, data, `chunk ${index}`),
      ),
    );
  const [read = []] = assertAll([chunks, () => demandDone(stream)]);
  return read;
}

async function readResponse(caller: Caller): Promise<EventStream> {
  return streamOf(await caller.ask('/responses', { json: { ...responseAsk(caller), stream: true } }));
}

function demandEvent({ data, name }: StreamEvent): void {
  assertAll<unknown>([
    () => fitting(ResponseStreamEvent, data, `the event ${String(data.type)}`),
    () => assert(name === data.type, `the event line of ${String(data.type)} is ${String(name)}`),
  ]);
}

const readPicture = async (caller: Caller, path: string, ask: object): Promise<EventStream> =>
  streamOf(await caller.ask(path, { json: { ...ask, stream: true, partial_images: 1 } }));

type PictureEvents = z.ZodType<{ readonly type: string; readonly b64_json?: unknown }>;

/** Asserts that every event matches its schema, and that the last one completes the image. */
function demandPictures(events: readonly StreamEvent[], schema: PictureEvents, end: string): void {
  const parsed = assertAll(
    events.map(
      ({ data }) =>
        () =>
          fitting(schema, data, `the event ${String(data.type)}`),
    ),
  );
  const ends = parsed.filter(({ type }) => type === end);
  const last = parsed.at(-1);
  assertAll([
    () => assert(last?.type === end, `the last event is ${last?.type ?? 'none'}, not ${end}`),
    () => assert(ends.length === 1, `expected 1 event ${end}, got ${ends.length}`),
    () => demandPicture(String(last?.b64_json)),
  ]);
}

const terminal = /^response\.(?:completed|incomplete|failed)$/;

export const streams: readonly Check[] = [
  {
    group: 'streams',
    area: 'chat',
    name: 'streams chat chunks with one ID and one finish reason, and ends with [DONE]',
    async run(caller) {
      const chunks = await readChat(caller);
      const ids = new Set(chunks.map(({ id }) => id));
      const reasons = chunks.flatMap(({ choices }) => choices.flatMap((choice) => choice.finish_reason ?? []));
      const hasText = chunks.some(({ choices }) => Boolean(choices[0]?.delta.content));
      assertAll([
        () => assert(ids.size === 1, `expected 1 ID in the chunks, got ${ids.size}`),
        () => assert(reasons.length === 1, `expected 1 finish reason, got ${reasons.length}`),
        () => assert(hasText, 'the stream has no text'),
      ]);
    },
  },
  {
    group: 'streams',
    area: 'chat',
    name: 'sends chat usage in a separate chunk when requested',
    async run(caller) {
      const chunks = await readChat(caller, { stream_options: { include_usage: true } });
      const last = chunks.at(-1);
      assert(last?.choices.length === 0 && Boolean(last.usage), "the last chunk isn't a usage chunk without choices");
    },
  },
  {
    group: 'streams',
    area: 'responses',
    name: 'streams response events with one ID, in order, and with consecutive sequence numbers',
    async run(caller) {
      const { events } = await readResponse(caller);
      const fault = orderFault(events.map(({ data }) => data));
      const ids = new Set(events.flatMap(({ data: { response } }) => (isFields(response) ? [response.id] : [])));
      assertAll([
        ...events.map((event) => () => demandEvent(event)),
        () => assert(fault === null, fault ?? ''),
        () => assert(ids.size === 1, `expected 1 response ID, got ${ids.size}`),
      ]);
    },
  },
  {
    group: 'streams',
    area: 'responses',
    name: 'ends a response stream with exactly one terminal event, then [DONE]',
    async run(caller) {
      const stream = await readResponse(caller);
      const { events } = stream;
      const ends = events.filter(({ data }) => terminal.test(String(data.type)));
      assertAll<unknown>([
        () => assert(ends.length === 1, `expected 1 terminal event, got ${ends.length}`),
        () => assert(events.at(-1) === ends[0], 'events follow the terminal event'),
        () => demandDone(stream),
      ]);
    },
  },
  {
    group: 'streams',
    area: 'images',
    name: 'streams an image and ends with one completed event',
    async run(caller) {
      const { events } = await readPicture(caller, '/images/generations', pictureAsk(caller));
      demandPictures(events, ImageGenerationEvent, 'image_generation.completed');
    },
  },
  {
    group: 'streams',
    area: 'images',
    name: 'streams an image edit and ends with one completed event',
    async run(caller) {
      const { events } = await readPicture(caller, '/images/edits', editAsk(caller));
      demandPictures(events, ImageEditEvent, 'image_edit.completed');
    },
  },
];

export const state: readonly Check[] = [
  {
    group: 'state',
    area: 'responses',
    name: 'stores a response that can be retrieved, continued, and deleted',
    async run(caller) {
      const json = { ...responseAsk(caller), store: true };
      const { id } = goodBody(await caller.ask('/responses', { json }), Response);
      assert(goodBody(await caller.ask(`/responses/${id}`), Response).id === id, 'the retrieved response has a different ID');
      const next = goodBody(await caller.ask('/responses', { json: { ...responseAsk(caller), previous_response_id: id } }), Response);
      assert(next.previous_response_id === id, "the next response doesn't have the expected previous_response_id");
      const { data } = goodBody(await caller.ask(`/responses/${id}/input_items`), InputItemList);
      assert(data.length === 1, `expected 1 input item, got ${data.length}`);
      goodBody(await caller.ask(`/responses/${id}`, { method: 'DELETE' }), DeletedResponse);
      demandRefusal(await caller.ask(`/responses/${id}`), 'response_not_found');
    },
  },
  {
    group: 'state',
    area: 'responses',
    name: 'stores the final response of a stream',
    async run(caller) {
      const { events } = streamOf(await caller.ask('/responses', { json: { ...responseAsk(caller), store: true, stream: true } }));
      const ended = fitting(Response, events.at(-1)?.data.response, 'the final response');
      const kept = goodBody(await caller.ask(`/responses/${ended.id}`), Response);
      await caller.ask(`/responses/${ended.id}`, { method: 'DELETE' });
      assert(JSON.stringify(kept.output) === JSON.stringify(ended.output), 'the stored output differs from the streamed output');
    },
  },
  {
    group: 'state',
    area: 'responses',
    name: 'paginates the input items of a response without gaps or duplicates',
    async run(caller) {
      const input = ['one', 'two', 'three'].map((content) => ({ role: 'user', content }));
      const { id } = goodBody(await caller.ask('/responses', { json: { ...responseAsk(caller), input, store: true } }), Response);
      const read = async (query: string) => goodBody(await caller.ask(`/responses/${id}/input_items?${query}`), InputItemList);
      const first = await read('limit=2&order=asc');
      const rest = await read(`limit=2&order=asc&after=${first.last_id}`);
      const newest = await read('limit=3');
      await caller.ask(`/responses/${id}`, { method: 'DELETE' });
      const paged = [...first.data, ...rest.data].map((item) => item.id);
      assertAll([
        () => assert(first.has_more && !rest.has_more, "has_more isn't true on the first page and false on the last"),
        () => assert(new Set(paged).size === input.length, `expected ${input.length} items on all pages, got ${new Set(paged).size}`),
        () =>
          assert(
            String(newest.data.map((item) => item.id).toReversed()) === String(paged),
            "descending order isn't the reverse of ascending order",
          ),
      ]);
    },
  },
  {
    group: 'state',
    area: 'chat',
    name: 'rejects an idempotency key that was used with another body',
    async run(caller) {
      const headers = { 'idempotency-key': randomUUID() };
      const first = await caller.ask('/chat/completions', { json: chatAsk(caller), headers });
      assert(first.status === 200, `the status is ${first.status}, not 200`);
      const other = { ...chatAsk(caller), temperature: 0.5 };
      demandRefusal(await caller.ask('/chat/completions', { json: other, headers }), 'invalid_value');
    },
  },
  {
    group: 'state',
    area: 'chat',
    name: 'runs a request with an idempotency key once, and replays the response',
    async run(caller) {
      const asked = { json: chatAsk(caller), headers: { 'idempotency-key': randomUUID() } };
      const [first, second] = [await caller.ask('/chat/completions', asked), await caller.ask('/chat/completions', asked)];
      const isRepeated = second.headers.get('idempotent-replayed') === 'true';
      assertAll([
        () => assert(first.status === 200, `the status is ${first.status}, not 200`),
        () => assert(second.text === first.text, 'the second response differs from the first'),
        () => assert(isRepeated, "the second response isn't marked as a replay"),
      ]);
    },
  },
];

const REQUEST_ID = /^\S{1,200}$/;

/** Requests per area: a complete response, a stream if supported, and a rejection. */
const asks: Readonly<Record<Area, (caller: Caller) => readonly (readonly [string, Ask])[]>> = {
  models: () => [
    ['/models', {}],
    ['/models/no-such-model', {}],
  ],
  chat: (caller) => ofText('/chat/completions', chatAsk(caller)),
  responses: (caller) => ofText('/responses', responseAsk(caller)),
  images: (caller) => [
    ['/images/generations', { json: { model: pictureAsk(caller).model } }],
    ['/images/edits', { json: { model: pictureAsk(caller).model } }],
  ],
  usage: () => [
    ['/usage?limit=1', {}],
    ['/usage/req_of_nobody', {}],
  ],
  catalog: () => [
    [CATALOG, { key: null }],
    [`${CATALOG}?group=no-such-group`, { key: null }],
  ],
};

const ofText = (path: string, json: object): readonly (readonly [string, Ask])[] => [
  [path, { json }],
  [path, { json: { ...json, stream: true } }],
  [path, { json: { ...json, model: 'no-such-model' } }],
];

async function demandIds(caller: Caller, area: Area): Promise<void> {
  const ids: (string | null)[] = [];
  for (const [path, ask] of asks[area](caller)) ids.push((await caller.ask(path, ask)).headers.get('x-request-id'));
  const known = ids.flatMap((id) => (id === null || id === '' ? [] : [id]));
  assertAll([
    () => assert(known.length === ids.length, `${ids.length - known.length} of ${ids.length} responses have no x-request-id`),
    () => assert(new Set(known).size === known.length, `two responses have the x-request-id ${known[0]}`),
    ...known.map(
      (id) => () => assert(REQUEST_ID.test(id), `the x-request-id '${id.slice(0, 80)}' isn't a single word of at most 200 characters`),
    ),
  ]);
}

// The names of an object are those of its type.
export const requestIds: readonly Check[] = (Object.keys(asks) as Area[]).map((area) => ({
  group: 'operations',
  area,
  name: `sends a unique x-request-id with each response (${area})`,
  run: (caller) => demandIds(caller, area),
}));

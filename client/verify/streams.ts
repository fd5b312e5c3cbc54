/** Checks streams: every event matches the contract, in order, and the stream ends with exactly one terminal event. */

import type { z } from 'zod';
import { ChatCompletionChunk } from '../../contract/chat/completion.ts';
import { ImageEditEvent, ImageGenerationEvent } from '../../contract/images.ts';
import { ResponseStreamEvent } from '../../contract/responses/events.ts';
import { isFields } from '../../server/primitives/fields.ts';
import { findOrderFault } from '../../server/protocols/responses/order-check.ts';
import { assert, assertAll, parseWithSchema } from './assert.ts';
import type { Check } from './check.ts';
import { type EventStream, parseEventStream, type StreamEvent } from './event-stream.ts';
import { assertImage } from './operations.ts';
import { createChatRequest, createImageEditRequest, createImageRequest, createResponseRequest } from './request.ts';
import type { VerifyClient } from './target.ts';

function assertDone({ isDone }: EventStream): never[] {
  assert(isDone, "the stream doesn't end with data: [DONE]");
  return [];
}

async function streamChat(caller: VerifyClient, extraFields: object = {}) {
  const stream = parseEventStream(
    await caller.send('/chat/completions', { json: { ...createChatRequest(caller), stream: true, ...extraFields } }),
  );
  const parseChunks = () =>
    assertAll(
      stream.events.map(
        ({ data }, index) =>
          () =>
            parseWithSchema(ChatCompletionChunk, data, `chunk ${index}`),
      ),
    );
  const [chunks = []] = assertAll([parseChunks, () => assertDone(stream)]);
  return chunks;
}

async function streamResponse(caller: VerifyClient): Promise<EventStream> {
  return parseEventStream(await caller.send('/responses', { json: { ...createResponseRequest(caller), stream: true } }));
}

function assertEvent({ data, name }: StreamEvent): void {
  assertAll<unknown>([
    () => parseWithSchema(ResponseStreamEvent, data, `the event ${String(data.type)}`),
    () => assert(name === data.type, `the event line of ${String(data.type)} is ${String(name)}`),
  ]);
}

const readImageStream = async (caller: VerifyClient, path: string, request: object): Promise<EventStream> =>
  parseEventStream(await caller.send(path, { json: { ...request, stream: true, partial_images: 1 } }));

type ImageEvents = z.ZodType<{ readonly type: string; readonly b64_json?: unknown }>;

/** Asserts that every event matches its schema, and that the last one completes the image. */
function assertImageEvents(events: readonly StreamEvent[], schema: ImageEvents, finalType: string): void {
  const parsedEvents = assertAll(
    events.map(
      ({ data }) =>
        () =>
          parseWithSchema(schema, data, `the event ${String(data.type)}`),
    ),
  );
  const finalEvents = parsedEvents.filter(({ type }) => type === finalType);
  const lastEvent = parsedEvents.at(-1);
  assertAll([
    () => assert(lastEvent?.type === finalType, `the last event is ${lastEvent?.type ?? 'none'}, not ${finalType}`),
    () => assert(finalEvents.length === 1, `expected 1 event ${finalType}, got ${finalEvents.length}`),
    () => assertImage(String(lastEvent?.b64_json)),
  ]);
}

const terminalTypePattern = /^response\.(?:completed|incomplete|failed)$/;

export const streamChecks: readonly Check[] = [
  {
    group: 'streams',
    area: 'chat',
    name: 'streams chat chunks with one ID and one finish reason, and ends with [DONE]',
    async run(caller) {
      const chunks = await streamChat(caller);
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
      const chunks = await streamChat(caller, { stream_options: { include_usage: true } });
      const lastChunk = chunks.at(-1);
      assert(lastChunk?.choices.length === 0 && Boolean(lastChunk.usage), "the last chunk isn't a usage chunk without choices");
    },
  },
  {
    group: 'streams',
    area: 'responses',
    name: 'streams response events with one ID, in order, and with consecutive sequence numbers',
    async run(caller) {
      const { events } = await streamResponse(caller);
      const fault = findOrderFault(events.map(({ data }) => data));
      const ids = new Set(events.flatMap(({ data: { response } }) => (isFields(response) ? [response.id] : [])));
      assertAll([
        ...events.map((event) => () => assertEvent(event)),
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
      const stream = await streamResponse(caller);
      const { events } = stream;
      const terminalEvents = events.filter(({ data }) => terminalTypePattern.test(String(data.type)));
      assertAll<unknown>([
        () => assert(terminalEvents.length === 1, `expected 1 terminal event, got ${terminalEvents.length}`),
        () => assert(events.at(-1) === terminalEvents[0], 'events follow the terminal event'),
        () => assertDone(stream),
      ]);
    },
  },
  {
    group: 'streams',
    area: 'images',
    name: 'streams an image and ends with one completed event',
    async run(caller) {
      const { events } = await readImageStream(caller, '/images/generations', createImageRequest(caller));
      assertImageEvents(events, ImageGenerationEvent, 'image_generation.completed');
    },
  },
  {
    group: 'streams',
    area: 'images',
    name: 'streams an image edit and ends with one completed event',
    async run(caller) {
      const { events } = await readImageStream(caller, '/images/edits', createImageEditRequest(caller));
      assertImageEvents(events, ImageEditEvent, 'image_edit.completed');
    },
  },
];

/** Checks of streams: every event by the contract, in the order that it promises, to one honest end. */
import type { z } from 'zod';
import { ChatCompletionChunk } from '../../contract/chat-completion.ts';
import { ImageEditEvent, ImageGenerationEvent } from '../../contract/images.ts';
import { ResponseStreamEvent } from '../../contract/response-events.ts';
import { isFields } from '../../contract/rule.ts';
import { orderFault } from '../dialects/responses/order.ts';
import type { Caller } from './caller.ts';
import { type Check, fitting } from './check.ts';
import { type EventStream, type StreamEvent, streamOf } from './events.ts';
import { chatAsk, demandPicture, editAsk, pictureAsk, responseAsk } from './operations.ts';
import { demand, demandAll } from './violation.ts';

function demandDone({ isDone }: EventStream): never[] {
  demand(isDone, 'the stream does not end with data: [DONE]');
  return [];
}

async function readChat(caller: Caller, more: object = {}) {
  const stream = streamOf(await caller.ask('/chat/completions', { json: { ...chatAsk(caller), stream: true, ...more } }));
  const chunks = () =>
    demandAll(
      stream.events.map(
        ({ data }, index) =>
          () =>
            fitting(ChatCompletionChunk, data, `chunk ${index}`),
      ),
    );
  const [read = []] = demandAll([chunks, () => demandDone(stream)]);
  return read;
}

async function readResponse(caller: Caller): Promise<EventStream> {
  return streamOf(await caller.ask('/responses', { json: { ...responseAsk(caller), stream: true } }));
}

function demandEvent({ data, name }: StreamEvent): void {
  demandAll<unknown>([
    () => fitting(ResponseStreamEvent, data, `the event ${String(data.type)}`),
    () => demand(name === data.type, `the event ${String(data.type)} is named ${String(name)}`),
  ]);
}

const readPicture = async (caller: Caller, path: string, ask: object): Promise<EventStream> =>
  streamOf(await caller.ask(path, { json: { ...ask, stream: true, partial_images: 1 } }));

type PictureEvents = z.ZodType<{ readonly type: string; readonly b64_json?: unknown }>;

/** Every event by its schema, and one that completes the picture, at the end. */
function demandPictures(events: readonly StreamEvent[], schema: PictureEvents, end: string): void {
  const parsed = demandAll(
    events.map(
      ({ data }) =>
        () =>
          fitting(schema, data, `the event ${String(data.type)}`),
    ),
  );
  const ends = parsed.filter(({ type }) => type === end);
  const last = parsed.at(-1);
  demandAll([
    () => demand(last?.type === end, `the last event is ${last?.type ?? 'none'}`),
    () => demand(ends.length === 1, `there are ${ends.length} events ${end}, not 1`),
    () => demandPicture(String(last?.b64_json)),
  ]);
}

const terminal = /^response\.(?:completed|incomplete|failed)$/;

export const streams: readonly Check[] = [
  {
    group: 'streams',
    area: 'chat',
    name: 'streams a chat in chunks of one id, with one finish reason, to [DONE]',
    async run(caller) {
      const chunks = await readChat(caller);
      const ids = new Set(chunks.map(({ id }) => id));
      const reasons = chunks.flatMap(({ choices }) => choices.flatMap((choice) => choice.finish_reason ?? []));
      const hasText = chunks.some(({ choices }) => Boolean(choices[0]?.delta.content));
      demandAll([
        () => demand(ids.size === 1, `the chunks have ${ids.size} ids, not 1`),
        () => demand(reasons.length === 1, `there are ${reasons.length} finish reasons, not 1`),
        () => demand(hasText, 'the stream has no text'),
      ]);
    },
  },
  {
    group: 'streams',
    area: 'chat',
    name: 'sends the usage of a chat in a separate chunk, on request',
    async run(caller) {
      const chunks = await readChat(caller, { stream_options: { include_usage: true } });
      const last = chunks.at(-1);
      demand(last?.choices.length === 0 && Boolean(last.usage), 'the last chunk is not the usage without choices');
    },
  },
  {
    group: 'streams',
    area: 'responses',
    name: 'streams a response of one id in the promised order, numbered without a gap',
    async run(caller) {
      const { events } = await readResponse(caller);
      const fault = orderFault(events.map(({ data }) => data));
      const ids = new Set(events.flatMap(({ data: { response } }) => (isFields(response) ? [response.id] : [])));
      demandAll([
        ...events.map((event) => () => demandEvent(event)),
        () => demand(fault === null, fault ?? ''),
        () => demand(ids.size === 1, `the response has ${ids.size} ids, not 1`),
      ]);
    },
  },
  {
    group: 'streams',
    area: 'responses',
    name: 'ends a response in exactly one terminal event, then [DONE]',
    async run(caller) {
      const stream = await readResponse(caller);
      const { events } = stream;
      const ends = events.filter(({ data }) => terminal.test(String(data.type)));
      demandAll<unknown>([
        () => demand(ends.length === 1, `there are ${ends.length} terminal events, not 1`),
        () => demand(events.at(-1) === ends[0], 'events come after the terminal one'),
        () => demandDone(stream),
      ]);
    },
  },
  {
    group: 'streams',
    area: 'images',
    name: 'streams an image to one completed event',
    async run(caller) {
      const { events } = await readPicture(caller, '/images/generations', pictureAsk(caller));
      demandPictures(events, ImageGenerationEvent, 'image_generation.completed');
    },
  },
  {
    group: 'streams',
    area: 'images',
    name: 'streams an edited image to one completed event',
    async run(caller) {
      const { events } = await readPicture(caller, '/images/edits', editAsk(caller));
      demandPictures(events, ImageEditEvent, 'image_edit.completed');
    },
  },
];

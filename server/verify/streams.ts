/** Checks of streams: every event matches the contract, in the promised order, with one correct end. */
import { ChatCompletionChunk } from '../../contract/chat-completion.ts';
import { ImageGenerationEvent } from '../../contract/images.ts';
import { ResponseStreamEvent } from '../../contract/response-events.ts';
import { openOrderCheck } from '../dialects/responses/order.ts';
import type { Caller } from './caller.ts';
import { type Check, fitting } from './check.ts';
import { type EventStream, type StreamEvent, streamOf } from './events.ts';
import { chatAsk, demandPicture, pictureAsk, responseAsk } from './operations.ts';
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
    name: 'streams a response in the promised order, numbered without a gap',
    async run(caller) {
      const { events } = await readResponse(caller);
      const order = openOrderCheck();
      // Only the first event out of order counts: those after it follow from it.
      const complaint = events.reduce<string | null>((found, { data }) => found ?? order.see(data), null) ?? order.end();
      demandAll([...events.map((event) => () => demandEvent(event)), () => demand(complaint === null, complaint ?? '')]);
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
      const json = { ...pictureAsk(caller), stream: true, partial_images: 1 };
      const { events } = streamOf(await caller.ask('/images/generations', { json }));
      const parsed = demandAll(
        events.map(
          ({ data }) =>
            () =>
              fitting(ImageGenerationEvent, data, `the event ${String(data.type)}`),
        ),
      );
      const last = parsed.at(-1);
      demand(last?.type === 'image_generation.completed', `the last event is ${last?.type ?? 'none'}`);
      demandPicture(last.b64_json);
    },
  },
];

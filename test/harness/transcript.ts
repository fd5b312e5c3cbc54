/** Reads the streams that callers get, checks each event's schema and order, and returns how the stream ended. */
import { expect } from 'vitest';
import type { z } from 'zod';
import { ChatCompletionChunk } from '../../contract/chat/completion.ts';
import { ImageEditEvent, ImageGenerationEvent } from '../../contract/images.ts';
import { ResponseStreamEvent } from '../../contract/responses/events.ts';
import { ErrorBody } from '../../contract/shared/error-bodies.ts';
import { openOrderCheck } from '../../server/protocols/responses/order-check.ts';
import { readFrames } from '../fakes/frames.ts';

type Detail = ErrorBody['error'];
type ImageEvent = ImageGenerationEvent | ImageEditEvent;

/** The events without `[DONE]`, which must be the last one. */
interface Transcript {
  readonly frames: ReturnType<typeof readFrames>;
  readonly isDone: boolean;
}

function readTranscript(text: string): Transcript {
  const frames = readFrames(text);
  const at = frames.findIndex(({ data }) => data === '[DONE]');
  expect([-1, frames.length - 1], 'nothing follows [DONE]').toContain(at);
  expect(text).toMatch(/\n\r?\n$/);
  return { frames: at < 0 ? frames : frames.slice(0, -1), isDone: at >= 0 };
}

export interface ChatTranscript {
  readonly chunks: readonly ChatCompletionChunk[];
  /** The text of the first choice. */
  readonly text: string;
  readonly finishReason: string | null;
  readonly error: Detail | null;
  readonly isDone: boolean;
}

export function readChat(transcript: string): ChatTranscript {
  const { frames, isDone } = readTranscript(transcript);
  const last = frames.at(-1)?.data;
  const failure = typeof last === 'object' && last !== null && 'error' in last ? ErrorBody.strict().parse(last) : null;
  const chunks = (failure ? frames.slice(0, -1) : frames).map(({ event, data }) => {
    expect(event, 'chat events have no name').toBeNull();
    return ChatCompletionChunk.parse(data);
  });
  const choices = chunks.flatMap((chunk) => chunk.choices).filter(({ index }) => index === 0);
  return {
    chunks,
    text: choices.map(({ delta }) => delta.content ?? '').join(''),
    finishReason: choices.findLast(({ finish_reason }) => finish_reason)?.finish_reason ?? null,
    error: failure?.error ?? null,
    isDone,
  };
}

export interface ResponsesTranscript {
  readonly events: readonly ResponseStreamEvent[];
  readonly types: readonly string[];
  readonly text: string;
  readonly isDone: boolean;
}

export function readResponses(transcript: string): ResponsesTranscript {
  const { frames, isDone } = readTranscript(transcript);
  const events = frames.map(({ event, data }) => {
    const parsed = ResponseStreamEvent.parse(data);
    expect(event).toBe(parsed.type);
    return parsed;
  });
  const order = openOrderCheck();
  const faults = [...events.map((event) => order.check(event)), order.end()].filter((fault) => fault !== null);
  expect(faults, 'every event in its place, with its number, and one terminal event').toEqual([]);
  const text = events.map((event) => (event.type === 'response.output_text.delta' ? event.delta : '')).join('');
  return { events, types: events.map(({ type }) => type), text, isDone };
}

export function readImages(transcript: string, operation: 'image_generation' | 'image_edit'): readonly ImageEvent[] {
  const { frames, isDone } = readTranscript(transcript);
  expect(isDone, 'image streams have no [DONE]').toBe(false);
  const schema: z.ZodType<ImageEvent> = operation === 'image_edit' ? ImageEditEvent : ImageGenerationEvent;
  return frames.map(({ event, data }) => {
    const parsed = schema.parse(data);
    expect(event).toBe(parsed.type);
    return parsed;
  });
}

/** Checks a broken chat stream: it ends with one error frame, and has nothing that a client could take for completion. */
export function expectBrokenChat(transcript: string): Detail {
  const { error, isDone } = readChat(transcript);
  expect(transcript).not.toContain('[DONE]');
  expect(isDone).toBe(false);
  if (!error) throw new Error(`the stream does not end with an error: ${transcript.slice(-300)}`);
  return error;
}

const terminal = ['response.completed', 'response.incomplete', 'response.failed'];

/** Checks a broken responses stream: it ends with `error`, `response.failed`, `[DONE]`, and has no other terminal event. */
export function expectBrokenResponses(transcript: string): Detail {
  const { events, types, isDone } = readResponses(transcript);
  expect(types.filter((type) => terminal.includes(type))).toEqual(['response.failed']);
  expect(types.slice(-2)).toEqual(['error', 'response.failed']);
  expect(isDone).toBe(true);
  const [created, error, failed] = [events[0], events.at(-2), events.at(-1)];
  if (created?.type !== 'response.created' || error?.type !== 'error' || failed?.type !== 'response.failed') throw new Error('no failure');
  // When a retry may help, the message ends with the time to wait.
  const message = expect.stringContaining(error.message);
  expect(failed.response).toMatchObject({ id: created.response.id, status: 'failed', error: { message } });
  expect(error.error).toMatchObject({ code: error.code, message: error.message, param: error.param });
  return ErrorBody.parse({ error: error.error }).error;
}

export function expectBrokenImages(transcript: string, operation: 'image_generation' | 'image_edit'): Detail {
  const events = readImages(transcript, operation);
  const last = events.at(-1);
  expect(events.filter(({ type }) => type.endsWith('.completed') || type === 'error')).toHaveLength(1);
  if (last?.type !== 'error') throw new Error(`the stream does not end with an error: ${transcript.slice(-300)}`);
  return ErrorBody.parse({ error: last.error }).error;
}

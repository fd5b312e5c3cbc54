/** Parses a stream of server-sent events. */

import { forEachFrame, isDone, parseFrame, readEventName, readFrameData } from '../../server/protocols/wire/frames.ts';
import { assert } from './assert.ts';
import type { HttpResponse } from './target.ts';
import { Violation } from './violation.ts';

export interface StreamEvent {
  /** Value of the `event:` line. Null without one. */
  readonly name: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface EventStream {
  readonly events: readonly StreamEvent[];
  /** Whether the stream ended with `data: [DONE]`. */
  readonly isDone: boolean;
}

export function parseEventStream({ status, headers, text }: HttpResponse): EventStream {
  assert(status === 200, `the status is ${status}, not 200: ${text.slice(0, 120)}`);
  const type = headers.get('content-type') ?? 'nothing';
  assert(/^text\/event-stream\b/.test(type), `the content type is ${type}, not text/event-stream`);
  const frames: Buffer[] = [];
  forEachFrame(Buffer.from(text), (frame) => frames.push(frame));
  const dataFrames = frames.filter((frame) => readFrameData(frame) !== null);
  const lastFrame = dataFrames.at(-1);
  const events = dataFrames.flatMap((frame): StreamEvent[] => {
    const data = parseEventObject(frame);
    return data === null ? [] : [{ name: readEventName(frame), data }];
  });
  return { events, isDone: lastFrame !== undefined && isDone(lastFrame) };
}

function parseEventObject(frame: Buffer): Readonly<Record<string, unknown>> | null {
  try {
    return parseFrame(frame);
  } catch {
    throw new Violation(`an event isn't a JSON object: ${String(frame).slice(0, 120)}`);
  }
}

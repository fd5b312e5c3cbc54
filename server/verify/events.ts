/** Parses a stream of the deployment into events. */
import { eachFrame, eventName, frameData, frameObject, isDone } from '../dialects/wire/frames.ts';
import type { Answer } from './caller.ts';
import { demand, Violation } from './violation.ts';

export interface StreamEvent {
  /** The value of the `event:` line; null when there is none. */
  readonly name: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface EventStream {
  readonly events: readonly StreamEvent[];
  /** Whether `data: [DONE]` was the last thing in it. */
  readonly isDone: boolean;
}

export function streamOf({ status, headers, text }: Answer): EventStream {
  demand(status === 200, `the status is ${status}, not 200: ${text.slice(0, 120)}`);
  const type = headers.get('content-type') ?? 'nothing';
  demand(/^text\/event-stream\b/.test(type), `the content type is ${type}, not text/event-stream`);
  const frames: Buffer[] = [];
  eachFrame(Buffer.from(text), (frame) => frames.push(frame));
  const said = frames.filter((frame) => frameData(frame) !== null);
  const last = said.at(-1);
  const events = said.flatMap((frame): StreamEvent[] => {
    const data = objectIn(frame);
    return data === null ? [] : [{ name: eventName(frame), data }];
  });
  return { events, isDone: last !== undefined && isDone(last) };
}

function objectIn(frame: Buffer): Readonly<Record<string, unknown>> | null {
  try {
    return frameObject(frame);
  } catch {
    throw new Violation(`an event is not a JSON object: ${String(frame).slice(0, 120)}`);
  }
}

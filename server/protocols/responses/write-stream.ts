/** Writes events as the frames of a responses stream. */

import type { CanonicalEvent } from '../canonical/canonical-events.ts';
import type { CallerStreamWriter, ResponseHead } from '../dialect.ts';
import { DONE, writeEventFrame } from '../wire/frames.ts';
import type { Event } from './wire.ts';
import { ResponseBuilder } from './write-response.ts';

export const writeResponseStream = (head: ResponseHead): CallerStreamWriter => toStreamWriter(new ResponseBuilder(head));

export function toStreamWriter(builder: ResponseBuilder): CallerStreamWriter {
  const write = (events: readonly Event[]): Buffer => {
    const frames = events.map((event) => writeEventFrame<Event>(event.type, event));
    // The terminal event is sent exactly once, and nothing is sent after it.
    if (frames.length > 0 && builder.result !== null) frames.push(DONE);
    return frames.length === 1 && frames[0] ? frames[0] : Buffer.concat(frames);
  };
  return {
    written: builder.written,
    get failure() {
      return builder.failure;
    },
    write: (event: CanonicalEvent) => write(builder.handleEvent(event)),
    keepAlive: () => write(builder.keepAlive()),
    end: () => write(builder.end()),
  };
}

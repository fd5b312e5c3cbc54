/** Writes a response as Server-Sent Events: numbered, each frame in one piece, `[DONE]` last. */
import type { CallerStreamWriter } from '../dialect.ts';
import type { AnswerHead, TurnEvent } from '../turn/turn.ts';
import { DONE, eventFrame } from '../wire/frames.ts';
import { ResponseAnswer } from './answer.ts';
import type { Event } from './wire.ts';

export function openResponseStream(head: AnswerHead): CallerStreamWriter {
  const answer = new ResponseAnswer(head);
  const write = (told: readonly Event[]): Buffer => {
    const frames = told.map((event) => eventFrame<Event>(event.type, event));
    // The terminal event is among those told exactly once: nothing is told after it.
    if (frames.length > 0 && answer.result !== null) frames.push(DONE);
    return frames.length === 1 && frames[0] ? frames[0] : Buffer.concat(frames);
  };
  return {
    written: answer.written,
    get failure() {
      return answer.failure;
    },
    write: (event: TurnEvent) => write(answer.take(event)),
    keepAlive: () => write(answer.keepAlive()),
    end: () => write(answer.end()),
  };
}

/** Selects the events of a stream after the last one that a caller has. */

import { forEachFrame, isComment, isDone, parseFrame } from '../wire/frames.ts';

/**
 * Returns a function that selects frames from each block of the stream, in order. `startingAfter`: the sequence number of the last event that the caller
 * has, or -1. Omits comments, because they were heartbeats for an earlier reader.
 */
export function selectEvents(startingAfter: number): (block: Buffer) => Buffer {
  let sequence = -1;
  return (block) => {
    const frames: Buffer[] = [];
    forEachFrame(block, (frame) => {
      if (isComment(frame)) return;
      // Some upstreams don't number their events.
      if (sequence < startingAfter && !isDone(frame)) sequence = readSequence(frame) ?? sequence + 1;
      else frames.push(frame);
    });
    return Buffer.concat(frames);
  };
}

function readSequence(frame: Buffer): number | undefined {
  const { sequence_number: sequence } = parseFrame(frame) ?? {};
  return typeof sequence === 'number' ? sequence : undefined;
}

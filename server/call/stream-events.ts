/** Streams the events of a stored response to a caller, from any process, and continues while the response runs. */

import { Readable } from 'node:stream';
import type { Gateway } from '../gateway/gateway.ts';
import type { RunKey } from '../history/run-store.ts';
import { selectEvents } from '../protocols/responses/select-events.ts';
import { HEARTBEAT } from '../protocols/wire/frames.ts';

/** `startingAfter`: the sequence number of the last event that the caller has. -1 for all events. */
export function streamEvents({ runs, config }: Gateway, key: RunKey, startingAfter = -1): Readable {
  return Readable.from(listFrames(runs.readEvents(key, config.server.heartbeatMs), startingAfter), { objectMode: false });
}

async function* listFrames(blocks: AsyncIterable<Buffer>, startingAfter: number): AsyncGenerator<Buffer> {
  const select = selectEvents(startingAfter);
  for await (const block of blocks) {
    const frames = block.length === 0 ? HEARTBEAT : select(block);
    if (frames.length > 0) yield frames;
  }
}

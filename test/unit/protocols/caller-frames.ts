/** Splits the stream of a writer into frames; each write must have whole frames. */

import type { CanonicalEvent } from '../../../server/protocols/canonical/canonical-events.ts';
import type { CanonicalStreamWriter } from '../../../server/protocols/dialect.ts';

export type Wire = Record<string, unknown>;

export interface Frame {
  readonly event: string | null;
  readonly data: string;
}

/** All frames of a stream; throws when a write does not have whole frames. */
export function writeFrames(writer: CanonicalStreamWriter, events: readonly CanonicalEvent[]): Frame[] {
  const writes = [...events.map((event) => writer.write(event)), writer.end()];
  return writes.flatMap((bytes) => readFrames(bytes.toString()));
}

function readFrames(text: string): Frame[] {
  if (text === '') return [];
  if (!text.endsWith('\n\n')) throw new Error(`not whole frames: ${text}`);
  return text
    .slice(0, -2)
    .split('\n\n')
    .map((frame) => {
      const found = /^(?:event: (.+)\n)?data: (.+)$/.exec(frame);
      if (!found) throw new Error(`not one frame: ${frame}`);
      return { event: found[1] ?? null, data: found[2] ?? '' };
    });
}

/** The JSON of the frames, without `[DONE]`. */
export function readData(frames: readonly Frame[]): Wire[] {
  return frames.filter(({ data }) => data !== '[DONE]').map(({ data }) => JSON.parse(data));
}

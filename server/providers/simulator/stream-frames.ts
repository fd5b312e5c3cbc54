/** Streams frames at a pace. */
import { addAbortSignal, Readable } from 'node:stream';

export type Frames = Iterable<Buffer> | AsyncIterable<Buffer>;

export interface Pace {
  /** Milliseconds to wait before every frame but the first. 0 for no wait. */
  readonly delayMs: number;
  readonly signal: AbortSignal;
}

/** Each chunk is one complete frame. An abort or a throwing frame destroys the stream, so that it never looks complete. */
export function streamFrames(frames: Frames, pace: Pace): Readable {
  const iterator = Symbol.asyncIterator in frames ? frames[Symbol.asyncIterator]() : frames[Symbol.iterator]();
  let timer: NodeJS.Timeout | undefined;
  let isFirst = true;

  async function push(stream: Readable): Promise<void> {
    try {
      const next = await iterator.next();
      if (!stream.destroyed) stream.push(next.done ? null : next.value);
    } catch (error) {
      stream.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  }

  const stream = new Readable({
    // Object mode never joins adjacent frames into one chunk.
    objectMode: true,
    highWaterMark: 4,
    read() {
      if (isFirst || pace.delayMs === 0) void push(this);
      else timer = setTimeout(() => void push(this), pace.delayMs);
      isFirst = false;
    },
    destroy(error, callback) {
      clearTimeout(timer);
      void iterator.return?.();
      callback(error);
    },
  });
  // A disconnected reader has no error listener, so the abort's error must not crash the process.
  stream.on('error', () => {});
  return addAbortSignal(pace.signal, stream);
}

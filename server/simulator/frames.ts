/** Server-Sent Events as a paced byte stream: one frame at a time, stopped at once when the reader is gone. */
import { addAbortSignal, Readable } from 'node:stream';

export type Frames = Iterable<Buffer> | AsyncIterable<Buffer>;

export interface Pace {
  /** Wait before every frame but the first; 0 for none. */
  readonly delayMs: number;
  readonly signal: AbortSignal;
}

/** Each chunk is one whole frame. An abort or a frame that throws destroys the stream: it then never looks complete. */
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
    // Objects, so that neighbouring frames are never joined into one chunk.
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
  // A reader that is gone has no error listener, so the error of the abort must not end the process.
  stream.on('error', () => {});
  return addAbortSignal(pace.signal, stream);
}

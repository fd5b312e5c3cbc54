/** Where the log goes: lines are gathered and written without anybody waiting; what stderr does not take waits within a bound, and ends no call. */
import { write, writeSync } from 'node:fs';

/** Where a pino logger writes; a line at a time. */
export interface LineSink {
  write(line: string): void;
}

export interface SinkOptions {
  /** A file descriptor. */
  readonly to: number;
  /** A line is on its way within this time. */
  readonly flushMs: number;
  /** So many characters are written at once, without waiting for that time. */
  readonly gathered: number;
  /** So many may wait; what comes above it is lost. */
  readonly most: number;
}

/** At the end of the process a reader that is slow is waited for, but not for long. */
const LAST_MS = 1_000;
const PAUSE_MS = 20;

/** For as long as the process lives. A disk that is full is tried again, a pipe that nobody reads any more is not. */
export function openSink({ to, flushMs, gathered, most }: SinkOptions): LineSink {
  let waiting = '';
  /** What is being written, or was in vain. */
  let rest: Buffer = Buffer.alloc(0);
  let isWriting = false;
  let isOver = false;
  const take = (): Buffer => {
    if (rest.length === 0) [rest, waiting] = [Buffer.from(waiting), ''];
    return rest;
  };
  const flush = (): void => {
    if (isWriting || isOver || take().length === 0) return;
    isWriting = true;
    write(to, rest, (error, written) => {
      isWriting = false;
      rest = rest.subarray(error ? 0 : written);
      if (error) isOver = error.code === 'EPIPE';
      else if (rest.length > 0 || waiting.length >= gathered) flush();
    });
  };
  setInterval(flush, flushMs).unref();
  process.on('exit', () => {
    // What is on its way would come twice.
    if (isWriting) rest = Buffer.alloc(0);
    const until = performance.now() + LAST_MS;
    while (!isOver && take().length > 0) {
      const written = tryNow(to, rest);
      rest = rest.subarray(written ?? 0);
      isOver = written === null || performance.now() > until;
    }
  });
  return {
    write(line) {
      if (isOver || waiting.length + rest.length + line.length > most) return;
      waiting += line;
      if (waiting.length >= gathered) flush();
    },
  };
}

/** How much was written; null where nothing more will be. */
function tryNow(to: number, bytes: Buffer): number | null {
  try {
    return writeSync(to, bytes);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return null;
    // Nothing else runs any more that would be kept waiting.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    return 0;
  }
}

/** The destination of the log: lines are buffered and written asynchronously. When stderr is slow, lines wait up to a bound, and no call fails. */
import { write, writeSync } from 'node:fs';

/** The destination of a pino logger; it gets one line at a time. */
export interface LineSink {
  write(line: string): void;
}

export interface SinkOptions {
  /** A file descriptor. */
  readonly to: number;
  /** A line is written after at most this time. */
  readonly flushMs: number;
  /** With this many characters in the buffer, they are written without waiting. */
  readonly gathered: number;
  /** The most characters that may wait; lines beyond that are lost. */
  readonly most: number;
  /** Whether other processes write there too: a write is then so small that a pipe takes it whole, and ends with a line. */
  readonly isShared?: boolean;
}

/** At its end the process waits this long for a slow reader. */
const LAST_MS = 1_000;
const PAUSE_MS = 20;

/** Lives as long as the process. A write to a full disk is retried; a closed pipe is not. */
export function openSink({ to, flushMs, gathered, most, isShared = false }: SinkOptions): LineSink {
  let waiting = '';
  /** The data that is being written, or whose write failed. */
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
    write(to, isShared ? wholeLines(rest) : rest, (error, written) => {
      isWriting = false;
      rest = rest.subarray(error ? 0 : written);
      if (error) isOver = error.code === 'EPIPE';
      else if (rest.length > 0 || waiting.length >= gathered) flush();
    });
  };
  setInterval(flush, flushMs).unref();
  process.on('exit', () => {
    // Data that is being written would be written twice.
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

/** In bytes: more than that is written to a pipe in parts, between which others may write (POSIX's PIPE_BUF on Linux). */
const MOST_AT_ONCE = 4_096;

/** As many lines from the start as are written in one piece; a longer line alone. */
function wholeLines(bytes: Buffer): Buffer {
  if (bytes.length <= MOST_AT_ONCE) return bytes;
  const last = bytes.lastIndexOf('\n', MOST_AT_ONCE - 1);
  const end = last >= 0 ? last : bytes.indexOf('\n');
  return end < 0 ? bytes : bytes.subarray(0, end + 1);
}

/** The number of bytes written; null when no more can be written. */
function tryNow(to: number, bytes: Buffer): number | null {
  try {
    return writeSync(to, bytes);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return null;
    // Blocking is fine here: nothing else runs any more.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    return 0;
  }
}

/** Writes lines to a file descriptor: buffered, without blocking, and flushed at the end of the process. */
import { write, writeSync } from 'node:fs';

/** The destination of a pino logger, which writes one line at a time. */
export interface LineSink {
  write(line: string): void;
}

interface SinkOptions {
  /** A file descriptor. */
  readonly to: number;
  /** The maximum delay before a line is written. */
  readonly flushMs: number;
  /** The number of buffered characters that triggers an immediate write. */
  readonly gathered: number;
  /** The maximum number of buffered characters. Lines beyond that are lost. */
  readonly most: number;
  /**
   * Whether other processes write to the same descriptor. Each write then contains complete lines and fits into one atomic write to a
   * pipe.
   */
  readonly isShared?: boolean;
}

/** How long the process waits for a slow reader when it ends. */
const EXIT_FLUSH_MS = 1_000;

const PAUSE_MS = 20;

/** Stays open as long as the process. Retries writes to a full disk, but not to a closed pipe. */
export function openSink({
  to: fileDescriptor,
  flushMs,
  gathered: flushLength,
  most: maxBufferedLength,
  isShared = false,
}: SinkOptions): LineSink {
  let pendingText = '';
  /** The data being written, or the data of a failed write. */
  let pendingBytes: Buffer = Buffer.alloc(0);
  let isWriting = false;
  let isClosed = false;
  const getPendingBytes = (): Buffer => {
    if (pendingBytes.length === 0) [pendingBytes, pendingText] = [Buffer.from(pendingText), ''];
    return pendingBytes;
  };
  const flush = (): void => {
    if (isWriting || isClosed || getPendingBytes().length === 0) return;
    isWriting = true;
    write(fileDescriptor, isShared ? cutWholeLines(pendingBytes) : pendingBytes, (error, written) => {
      isWriting = false;
      pendingBytes = pendingBytes.subarray(error ? 0 : written);
      if (error) isClosed = error.code === 'EPIPE';
      else if (pendingBytes.length > 0 || pendingText.length >= flushLength) flush();
    });
  };
  setInterval(flush, flushMs).unref();
  process.on('exit', () => {
    // Otherwise, data in flight would be written twice.
    if (isWriting) pendingBytes = Buffer.alloc(0);
    const deadline = performance.now() + EXIT_FLUSH_MS;
    while (!isClosed && getPendingBytes().length > 0) {
      const writtenBytes = tryWrite(fileDescriptor, pendingBytes);
      pendingBytes = pendingBytes.subarray(writtenBytes ?? 0);
      isClosed = writtenBytes === null || performance.now() > deadline;
    }
  });
  return {
    write(line) {
      if (isClosed || pendingText.length + pendingBytes.length + line.length > maxBufferedLength) return;
      pendingText += line;
      if (pendingText.length >= flushLength) flush();
    },
  };
}

/** In bytes. Longer writes to a pipe are split, and other processes may write in between (POSIX's PIPE_BUF on Linux). */
const MAX_ATOMIC_WRITE_BYTES = 4_096;

/** Returns as many complete lines as fit into one write. A longer line is written alone. */
function cutWholeLines(bytes: Buffer): Buffer {
  if (bytes.length <= MAX_ATOMIC_WRITE_BYTES) return bytes;
  const lastBreak = bytes.lastIndexOf('\n', MAX_ATOMIC_WRITE_BYTES - 1);
  const end = lastBreak >= 0 ? lastBreak : bytes.indexOf('\n');
  return end < 0 ? bytes : bytes.subarray(0, end + 1);
}

/** Returns the number of bytes written, or null if no more can be written. */
function tryWrite(fileDescriptor: number, bytes: Buffer): number | null {
  try {
    return writeSync(fileDescriptor, bytes);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return null;
    // Blocking is fine here, because nothing else runs anymore.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    return 0;
  }
}

/**
 * The stream that a caller reads: the reader's frames, and heartbeats while the upstream is silent. It has exactly one end, complete or failed, even if the
 * upstream dies midway (promises G7 and G8).
 */

import { Readable } from 'node:stream';
import { type CallCode, type CallName, GatewayError, toDeclaredError, toGatewayError } from '../primitives/errors.ts';
import type { StreamReader } from '../protocols/stream-reader.ts';
import { FrameJoiner, forEachFrame, HEARTBEAT, isComment, NOTHING } from '../protocols/wire/frames.ts';
import { createInterruptedError, toSendError } from './send-error.ts';
import type { ResponseBody } from './upstream.ts';

/** How a stream ended. */
export type StreamEnd =
  /** `isShown`: the caller had the stream before it ended. `frames`: the last frames, which weren't sent yet. */
  | { readonly kind: 'completed'; readonly frames: Buffer; readonly isShown: boolean }
  /** `isShown`: the caller gets the error inside the stream, not as an HTTP status. `isFinal`: the request must not be retried. */
  | { readonly kind: 'failed'; readonly error: GatewayError; readonly isShown: boolean; readonly isFinal: boolean }
  | { readonly kind: 'client_disconnected' };

export interface RelayOptions {
  readonly source: ResponseBody;
  readonly reader: StreamReader;
  readonly maxFrameBytes: number;
  readonly heartbeatMs: number;
  /** Creates an event to send as the heartbeat, for clients whose timers ignore comments. If omitted or null, a comment is sent. */
  readonly keepAlive?: (() => Buffer | null) | undefined;
  /** Maximum milliseconds until the upstream's first event. */
  readonly firstEventMs: number;
  /** How long to hold back an opening without output, in milliseconds, so that a later failure can still become an HTTP status. */
  readonly openingMs: number;
  /** Failures become errors that the contract declares for this operation. */
  readonly operation?: CallName;
  /** They get the frames that the caller is sent, except for the last ones. */
  readonly watchers?: readonly { add(frames: Buffer): void }[];
  /** Whether the stream is read to its end after a disconnect. */
  readonly isReadToEnd?: boolean;
  /**
   * Called exactly once. Resolves with the frames that end the stream. When it rejects, `begin` rejects with the same error; if that has resolved already,
   * the connection is cut.
   */
  readonly onEnd: (end: StreamEnd) => Promise<Buffer>;
}

/** How long an upstream may keep its stream open after the terminal event, in milliseconds. */
const MAX_LINGER_MS = 1000;

function finishSource(source: ResponseBody): void {
  source.resume();
  if (source.closed) return;
  const timer = setTimeout(() => source.destroy(), MAX_LINGER_MS);
  source.once('close', () => clearTimeout(timer));
}

/** Whether at least one frame isn't a comment. */
function hasEvent(block: Buffer): boolean {
  let isFound = false;
  forEachFrame(block, (frame) => {
    isFound ||= !isComment(frame);
  });
  return isFound;
}

/** A pending `begin`. */
interface PendingStart {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  /** Started by the first frames. Ends the wait for output. */
  hold: NodeJS.Timeout | undefined;
}

export class RelayStream extends Readable {
  readonly #options: RelayOptions;
  readonly #joiner: FrameJoiner;
  readonly #heartbeatTimer: NodeJS.Timeout;
  #pendingStart: PendingStart | null = null;
  /** Fires if the upstream sends no event in time. Comments don't count. */
  #firstEventTimer: NodeJS.Timeout | undefined;
  #hasEnded = false;

  constructor(options: RelayOptions) {
    super({ highWaterMark: 64 * 1024 });
    this.#options = options;
    this.#joiner = new FrameJoiner(options.maxFrameBytes);
    this.#heartbeatTimer = setTimeout(() => this.#onHeartbeat(), options.heartbeatMs);
    const { source } = options;
    source.on('data', (chunk: Buffer) => this.#onChunk(chunk));
    source.on('end', () => this.#close());
    source.on('error', (cause) => this.end(toSendError(cause)));
    source.on('close', () => {
      if (!this.#hasEnded) this.end(createInterruptedError());
    });
  }

  /** Resolves when the stream can be given to the caller. Rejects with any earlier failure. */
  begin(): Promise<void> {
    const { firstEventMs } = this.#options;
    return new Promise((resolve, reject) => {
      this.#firstEventTimer = setTimeout(() => this.end(new GatewayError<CallCode>('upstream_timeout')), firstEventMs);
      this.#pendingStart = { resolve, reject, hold: undefined };
    });
  }

  /** Ends the stream with this failure, as a rejection of `begin` or as the dialect's error frames. */
  end(failure: GatewayError, { isFinal = false } = {}): void {
    if (this.#hasEnded) return;
    const { operation } = this.#options;
    const error = operation === undefined ? failure : toDeclaredError(operation, failure);
    this.#endStream({ kind: 'failed', error, isShown: this.#pendingStart === null, isFinal });
  }

  override _read(): void {
    this.#options.source.resume();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    // After a disconnect, nothing waits for the settlement, which logs its own failures.
    const { isReadToEnd, source } = this.#options;
    if (!this.#hasEnded && isReadToEnd) source.resume();
    else if (!this.#hasEnded) this.#endStream({ kind: 'client_disconnected' });
    done(error);
  }

  #onChunk(chunk: Buffer): void {
    if (this.#hasEnded) return;
    try {
      const frames = this.#joiner.push(chunk);
      if (frames) this.#forward(frames);
    } catch (cause) {
      this.end(toGatewayError(cause));
    }
  }

  #forward(frames: Buffer): void {
    const { reader } = this.#options;
    const outputFrames = reader.transform(frames);
    // Before `begin` resolves, a failure becomes an HTTP status, and earlier frames are dropped.
    if (reader.failure && this.#pendingStart) throw reader.failure;
    // The terminal event is sent only after `onEnd` stores the outcome.
    if (reader.isComplete) {
      this.#close(outputFrames);
      return;
    }
    const isSilent = !reader.hasBegun && !hasEvent(outputFrames);
    if (!isSilent) clearTimeout(this.#firstEventTimer);
    // Before `begin` resolves, comments are dropped: they would fill the buffer and pause the upstream.
    if (!isSilent || !this.#pendingStart) this.#send(outputFrames);
    if (reader.failure) throw reader.failure;
    if (this.#shouldRestartHeartbeat(outputFrames)) this.#heartbeatTimer.refresh();
    if (this.#pendingStart) this.#resolveStart(reader);
  }

  #send(frames: Buffer): void {
    if (frames.length === 0) return;
    this.#watch(frames);
    // After a disconnect, the source isn't paused.
    if (!this.destroyed && !this.push(frames) && !this.#isOpeningBuffered()) this.#options.source.pause();
  }

  #watch(frames: Buffer): void {
    for (const watcher of this.#options.watchers ?? []) watcher.add(frames);
  }

  /** An opening that echoes a large request can exceed the buffer. Pausing the upstream then would block its first output forever. */
  #isOpeningBuffered(): boolean {
    return this.#pendingStart !== null && this.readableLength < this.#options.maxFrameBytes;
  }

  /** Whether these frames restart the heartbeat. An empty block doesn't. If the client counts only events, a comment doesn't either. */
  #shouldRestartHeartbeat(frames: Buffer): boolean {
    return frames.length > 0 && (this.#options.keepAlive === undefined || hasEvent(frames));
  }

  /** Resolves `begin` when output arrives, or `openingMs` after the first frames. */
  #resolveStart(reader: StreamReader): void {
    const pendingStart = this.#pendingStart;
    if (!pendingStart) return;
    if (reader.hasBegun) {
      clearTimeout(pendingStart.hold);
      this.#pendingStart = null;
      pendingStart.resolve();
      return;
    }
    pendingStart.hold ??= setTimeout(() => {
      this.#pendingStart = null;
      pendingStart.resolve();
    }, this.#options.openingMs);
  }

  /** `last`: frames that arrived with the end. */
  #close(last: Buffer = NOTHING): void {
    if (this.#hasEnded) return;
    try {
      const frames = Buffer.concat([last, this.#options.reader.flush()]);
      this.#endStream({ kind: 'completed', frames, isShown: this.#pendingStart === null });
    } catch (cause) {
      if (!this.#pendingStart) this.#send(last);
      this.end(toGatewayError(cause));
    }
  }

  #endStream(end: StreamEnd): void {
    const pendingStart = this.#pendingStart;
    this.#hasEnded = true;
    this.#pendingStart = null;
    clearTimeout(this.#heartbeatTimer);
    clearTimeout(this.#firstEventTimer);
    clearTimeout(pendingStart?.hold);
    const { source, onEnd } = this.#options;
    // A complete stream ends by itself, so that its connection can be reused. Any other stream is cut.
    if (end.kind === 'completed') finishSource(source);
    else source.destroy();
    onEnd(end).then(
      (frames) => {
        this.#sendLast(frames);
        pendingStart?.resolve();
      },
      (cause: unknown) => (pendingStart ? pendingStart.reject(cause) : this.destroy(toGatewayError(cause))),
    );
  }

  #sendLast(frames: Buffer): void {
    if (this.destroyed) return;
    if (frames.length > 0) this.push(frames);
    this.push(null);
  }

  #onHeartbeat(): void {
    if (this.#hasEnded) return;
    // No heartbeat before `begin` resolves, after a disconnect, or while frames wait in the buffer: an event would take a sequence number.
    if (!this.#pendingStart && !this.destroyed && this.readableLength < this.readableHighWaterMark) this.#sendHeartbeat();
    this.#heartbeatTimer.refresh();
  }

  /** Heartbeat events are recorded too, because later sequence numbers continue from theirs. */
  #sendHeartbeat(): void {
    const event = this.#options.keepAlive?.();
    if (event) this.#watch(event);
    this.push(event ?? HEARTBEAT);
  }
}

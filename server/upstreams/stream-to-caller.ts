/** The stream that a caller reads: the upstream's frames as they came, heartbeats in silence, one honest end (promises G7 and G8). */
import { Readable } from 'node:stream';
import type { StreamReader } from '../dialects/dialect.ts';
import { eachFrame, FrameJoiner, HEARTBEAT, NOTHING } from '../dialects/wire/frames.ts';
import { asGatewayError, type CallCode, GatewayError } from '../errors.ts';
import { brokenOff } from './read-body.ts';
import { sendFailure } from './send-failure.ts';
import type { AnswerBody } from './upstream.ts';

/** How a stream came to its end. */
export type StreamEnd =
  /** `isShown`: the caller has read the beginning. */
  | { readonly kind: 'completed'; readonly isShown: boolean }
  /** `isShown`: the caller reads it in the stream, not as a status. `isFinal`: no other attempt is wanted. */
  | { readonly kind: 'failed'; readonly error: GatewayError; readonly isShown: boolean; readonly isFinal: boolean }
  | { readonly kind: 'client_gone' };

export interface RelayOptions {
  readonly source: AnswerBody;
  readonly reader: StreamReader;
  readonly maxFrameBytes: number;
  readonly heartbeatMs: number;
  /** For callers whose timers do not hear comments: an event in place of the comment. Null where none may stand; without it there are comments alone. */
  readonly keepAlive?: (() => Buffer | null) | undefined;
  /** Time for the first event. */
  readonly firstEventMs: number;
  /** How long an opening without output is held back, so that a failure behind it can still be a status. */
  readonly openingMs: number;
  /** What the caller hears of a failure. Left out: the failure as it is. */
  readonly heard?: ((failure: GatewayError) => GatewayError) | undefined;
  /** What is told of a stream whose end could not be kept, in place of its last frames. */
  readonly complaint: (error: GatewayError, untold: Buffer) => Buffer;
  /**
   * Takes along what the caller is sent, and goes on after a caller who leaves; `seal` is given the last frames before the caller is, and never
   * rejects, as `release`: there is no last frame.
   */
  readonly keep?: { add(frames: Buffer): void; seal(frames: Buffer): Promise<void>; release(): Promise<void> } | undefined;
  /** Whether it goes on without a caller who leaves, only to hear how it ends. */
  readonly isDrained?: boolean | undefined;
  /**
   * Called exactly once; the caller is sent the end when it resolves. When it rejects, the stream ends as a failure. It may return the error with
   * which `begin` rejects when the caller was sent nothing.
   */
  readonly onEnd: (end: StreamEnd) => Promise<Error | undefined>;
}

/** How long an upstream may keep a stream open that it has declared complete. */
const LINGER_MS = 1000;

function finish(source: AnswerBody): void {
  source.resume();
  if (source.closed) return;
  const timer = setTimeout(() => source.destroy(), LINGER_MS);
  source.once('close', () => clearTimeout(timer));
}

const COLON = 0x3a;

/** Whether not all of these frames are comments. */
function holdsEvent(block: Buffer): boolean {
  let isFound = false;
  eachFrame(block, (frame) => {
    isFound ||= frame[0] !== COLON;
  });
  return isFound;
}

/** Somebody waits for the stream to have something to show. */
interface Opening {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
  /** Runs from the first sign of life: how long the opening is held back. */
  hold: NodeJS.Timeout | undefined;
}

export class RelayStream extends Readable {
  readonly #options: RelayOptions;
  readonly #joiner: FrameJoiner;
  readonly #heartbeat: NodeJS.Timeout;
  #opening: Opening | null = null;
  /** Runs out where the upstream says nothing; comments are nothing. */
  #firstEvent: NodeJS.Timeout | undefined;
  #hasEnded = false;

  constructor(options: RelayOptions) {
    super({ highWaterMark: 64 * 1024 });
    this.#options = options;
    this.#joiner = new FrameJoiner(options.maxFrameBytes);
    this.#heartbeat = setTimeout(() => this.#beat(), options.heartbeatMs);
    const { source } = options;
    source.on('data', (chunk: Buffer) => this.#take(chunk));
    source.on('end', () => this.#close());
    source.on('error', (cause) => this.end(sendFailure(cause)));
    source.on('close', () => {
      if (!this.#hasEnded) this.end(brokenOff());
    });
  }

  /** Resolves when there is something to show; rejects with what went wrong before that. */
  begin(): Promise<void> {
    const { firstEventMs } = this.#options;
    return new Promise((resolve, reject) => {
      this.#firstEvent = setTimeout(() => this.end(new GatewayError<CallCode>('upstream_timeout')), firstEventMs);
      this.#opening = { resolve, reject, hold: undefined };
    });
  }

  /** Ends the stream with this failure: as a rejection of `begin`, or as the error frames of the dialect. */
  end(failure: GatewayError, { isFinal = false } = {}): void {
    if (this.#hasEnded) return;
    const error = this.#options.heard?.(failure) ?? failure;
    const opening = this.#opening;
    this.#stop({ kind: 'failed', error, isShown: !opening, isFinal }).then(
      (unseen) => this.#fail(error, opening, unseen),
      (thrown: unknown) => this.#fail(asGatewayError(thrown), opening),
    );
  }

  #fail(error: GatewayError, opening: Opening | null, unseen: Error = error): void {
    if (opening) opening.reject(unseen);
    else this.#orCut(() => this.#tell(this.#options.reader.failing(error)));
  }

  /** Where there are no words for the failure, the connection is cut: an end without an error would look complete. */
  #orCut(tell: () => void): void {
    try {
      tell();
    } catch (thrown) {
      void this.#options.keep?.release();
      this.destroy(asGatewayError(thrown));
    }
  }

  /** The last frames; whoever asks again gets them too. */
  #tell(frames: Buffer): void {
    const show = (): void => {
      if (this.destroyed) return;
      if (frames.length > 0) this.push(frames);
      this.push(null);
    };
    const { keep } = this.#options;
    if (keep) keep.seal(frames).then(show, show);
    else show();
  }

  override _read(): void {
    this.#options.source.resume();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    // Nobody waits for what was used any more; whoever settles it says in the log what went wrong.
    const { keep, isDrained, source } = this.#options;
    if (!this.#hasEnded && (keep || isDrained)) source.resume();
    else if (!this.#hasEnded) this.#stop({ kind: 'client_gone' }).catch(() => {});
    done(error);
  }

  #take(chunk: Buffer): void {
    if (this.#hasEnded) return;
    try {
      const frames = this.#joiner.push(chunk);
      if (frames) this.#pass(frames);
    } catch (thrown) {
      this.end(asGatewayError(thrown));
    }
  }

  #pass(frames: Buffer): void {
    const { reader } = this.#options;
    const out = reader.pass(frames);
    // While nothing has been shown, a failure is still told by its status, and what came before it is dropped.
    if (reader.failure && this.#opening) throw reader.failure;
    // The terminal event is not shown before what it ends is on disk.
    if (reader.isComplete) {
      this.#close(out);
      return;
    }
    const isSilent = !reader.hasBegun && !holdsEvent(out);
    if (!isSilent) clearTimeout(this.#firstEvent);
    // Nobody reads yet: held back, comments would fill the buffer and stop the upstream.
    if (!isSilent || !this.#opening) this.#show(out);
    if (reader.failure) throw reader.failure;
    if (this.#isHeard(out)) this.#heartbeat.refresh();
    if (this.#opening) this.#open(reader);
  }

  #show(frames: Buffer): void {
    if (frames.length === 0) return;
    this.#options.keep?.add(frames);
    // Who goes on for nobody reads as fast as it comes.
    if (!this.destroyed && !this.push(frames) && !this.#isFilling()) this.#options.source.pause();
  }

  /** An opening that echoes a large request is more than the buffer takes; paused, the upstream would never say what it waits for. */
  #isFilling(): boolean {
    return this.#opening !== null && this.readableLength < this.#options.maxFrameBytes;
  }

  /** Whether these frames end the silence. What an upstream says to the gateway alone does not, nor does a comment to a caller who hears only events. */
  #isHeard(out: Buffer): boolean {
    return out.length > 0 && (this.#options.keepAlive === undefined || holdsEvent(out));
  }

  /** Lets the caller see the stream once it holds more than its opening, or once that has been held back long enough. */
  #open(reader: StreamReader): void {
    const opening = this.#opening;
    if (!opening) return;
    if (reader.hasBegun) {
      clearTimeout(opening.hold);
      this.#opening = null;
      opening.resolve();
      return;
    }
    opening.hold ??= setTimeout(() => {
      this.#opening = null;
      opening.resolve();
    }, this.#options.openingMs);
  }

  /** `last`: frames that came with the end. */
  #close(last: Buffer = NOTHING): void {
    if (this.#hasEnded) return;
    try {
      const closing = this.#options.reader.closing();
      const opening = this.#opening;
      const frames = Buffer.concat([last, closing]);
      this.#stop({ kind: 'completed', isShown: !opening }).then(
        () => this.#complete(frames, opening),
        (thrown: unknown) => this.#complain(asGatewayError(thrown), frames, opening),
      );
    } catch (thrown) {
      if (!this.#opening) this.#show(last);
      this.end(asGatewayError(thrown));
    }
  }

  /** The reader has told the end already, but nobody was shown it. */
  #complain(error: GatewayError, untold: Buffer, opening: Opening | null): void {
    if (opening) opening.reject(error);
    else this.#orCut(() => this.#tell(this.#options.complaint(error, untold)));
  }

  #complete(frames: Buffer, opening: Opening | null): void {
    this.#tell(frames);
    opening?.resolve();
  }

  #stop(end: StreamEnd): Promise<Error | undefined> {
    this.#hasEnded = true;
    clearTimeout(this.#heartbeat);
    clearTimeout(this.#firstEvent);
    clearTimeout(this.#opening?.hold);
    this.#opening = null;
    const { source, onEnd } = this.#options;
    // An upstream that has said all ends by itself, and its connection is used again; any other is cut.
    if (end.kind === 'completed') finish(source);
    else source.destroy();
    return onEnd(end);
  }

  #beat(): void {
    if (this.#hasEnded) return;
    // Nobody hears it who has left, and an event takes a number.
    if (!this.#opening && !this.destroyed && this.readableLength < this.readableHighWaterMark) this.#sayAlive();
    this.#heartbeat.refresh();
  }

  /** Whoever asks again is told an event too: the numbers behind it go on from its own. */
  #sayAlive(): void {
    const event = this.#options.keepAlive?.();
    if (event) this.#options.keep?.add(event);
    this.push(event ?? HEARTBEAT);
  }
}

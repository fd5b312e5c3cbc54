/** The stream that a caller reads: the reader's frames, heartbeats while the upstream is silent, and exactly one end, complete or failed (promises G7 and G8). */
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { HttpUpstreamConfig, UpstreamConfig } from '../config/config.ts';
import type { StreamReader } from '../dialects/failure.ts';
import { eachFrame, FrameJoiner, HEARTBEAT, NOTHING } from '../dialects/wire/frames.ts';
import { asGatewayError, type CallCode, GatewayError } from '../errors.ts';
import { addressOf } from './aws-event-stream.ts';
import { interrupted } from './http-exchange.ts';
import type { AnswerBody, UpstreamRequest } from './upstream.ts';

/** How a stream came to its end. */
export type StreamEnd =
  /** `isShown`: the stream was given to the caller before its end. */
  | { readonly kind: 'completed'; readonly isShown: boolean }
  /** `isShown`: the caller reads the error in the stream, not as an HTTP status. `isFinal`: the call must not be tried again. */
  | { readonly kind: 'failed'; readonly error: GatewayError; readonly isShown: boolean; readonly isFinal: boolean }
  | { readonly kind: 'client_disconnected' };

export interface RelayOptions {
  readonly source: AnswerBody;
  readonly reader: StreamReader;
  readonly maxFrameBytes: number;
  readonly heartbeatMs: number;
  /** For clients whose timers ignore comments: makes an event to send as the heartbeat. A comment is sent when it returns null or is absent. */
  readonly keepAlive?: (() => Buffer | null) | undefined;
  /** Milliseconds that the upstream has to send its first event. */
  readonly firstEventMs: number;
  /** Milliseconds that an opening without output is held back, so that a failure after it can still be answered by an HTTP status. */
  readonly openingMs: number;
  /** Maps a failure to the one sent to the caller. Without it, the failure is sent unchanged. */
  readonly mapFailure?: ((failure: GatewayError) => GatewayError) | undefined;
  /** Makes the frames that replace the last ones (`unsent`) when `onEnd` has rejected. */
  readonly complaint: (error: GatewayError, unsent: Buffer) => Buffer;
  /**
   * Records what the caller is sent; with it, the stream is read to its end after a disconnect. `foresee` gets the last frames of a complete stream
   * before `onEnd` is called, `seal` those of any stream before the caller gets them. `release` is called without a last frame.
   */
  readonly keep?: Recording | undefined;
  /** Changes the last frames of a complete stream by what is known once `onEnd` has resolved; then `foresee` isn't called. */
  readonly finish?: ((frames: Buffer) => Buffer) | undefined;
  /** Whether the stream is read to its end after a disconnect, to learn its usage and how it ends. */
  readonly isDrained?: boolean | undefined;
  /**
   * Called exactly once; the caller is sent the end when it resolves. When it rejects, the stream ends as a failure. It may return the error with
   * which `begin` rejects when the caller was sent nothing.
   */
  readonly onEnd: (end: StreamEnd) => Promise<Error | undefined>;
}

/** None of them rejects. */
interface Recording {
  add(frames: Buffer): void;
  foresee(end: Buffer): void;
  seal(end: Buffer): Promise<void>;
  release(): Promise<void>;
}

/** Milliseconds that an upstream may keep its stream open after the terminal event. */
const LINGER_MS = 1000;

function finish(source: AnswerBody): void {
  source.resume();
  if (source.closed) return;
  const timer = setTimeout(() => source.destroy(), LINGER_MS);
  source.once('close', () => clearTimeout(timer));
}

const COLON = 0x3a;

/** Whether at least one of these frames isn't a comment. */
function holdsEvent(block: Buffer): boolean {
  let isFound = false;
  eachFrame(block, (frame) => {
    isFound ||= frame[0] !== COLON;
  });
  return isFound;
}

/** A pending `begin`. */
interface Opening {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
  /** Started by the first frames; ends the wait for output. */
  hold: NodeJS.Timeout | undefined;
}

export class RelayStream extends Readable {
  readonly #options: RelayOptions;
  readonly #joiner: FrameJoiner;
  readonly #heartbeat: NodeJS.Timeout;
  #opening: Opening | null = null;
  /** Fires when the upstream has sent no event in time; comments don't count. */
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
      if (!this.#hasEnded) this.end(interrupted());
    });
  }

  /** Resolves when the caller can be given the stream; rejects with a failure that comes before that. */
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
    const error = this.#options.mapFailure?.(failure) ?? failure;
    const opening = this.#opening;
    this.#stop({ kind: 'failed', error, isShown: !opening, isFinal }).then(
      (unseen) => this.#fail(error, opening, unseen),
      (thrown: unknown) => this.#fail(asGatewayError(thrown), opening),
    );
  }

  #fail(error: GatewayError, opening: Opening | null, unseen: Error = error): void {
    if (opening) opening.reject(unseen);
    else this.#sendOrCut(() => this.#sendLast(this.#options.reader.failing(error)));
  }

  /** Cuts the connection when the error frames can't be written: an end without an error would look complete. */
  #sendOrCut(send: () => void): void {
    try {
      send();
    } catch (thrown) {
      void this.#options.keep?.release();
      this.destroy(asGatewayError(thrown));
    }
  }

  /** Sends the last frames. They are recorded first, for a retry with the same idempotency key. */
  #sendLast(frames: Buffer): void {
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
    // After a disconnect nothing waits for the settlement; the code that settles logs its own failure.
    const { keep, isDrained, source } = this.#options;
    if (!this.#hasEnded && (keep || isDrained)) source.resume();
    else if (!this.#hasEnded) this.#stop({ kind: 'client_disconnected' }).catch(() => {});
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
    // Before `begin` has resolved, a failure is answered by its HTTP status, and the frames before it are dropped.
    if (reader.failure && this.#opening) throw reader.failure;
    // The terminal event is sent only after `onEnd` has stored the outcome.
    if (reader.isComplete) {
      this.#close(out);
      return;
    }
    const isSilent = !reader.hasBegun && !holdsEvent(out);
    if (!isSilent) clearTimeout(this.#firstEvent);
    // Before `begin` has resolved, comments are dropped: they would fill the buffer and pause the upstream.
    if (!isSilent || !this.#opening) this.#show(out);
    if (reader.failure) throw reader.failure;
    if (this.#restartsHeartbeat(out)) this.#heartbeat.refresh();
    if (this.#opening) this.#open(reader);
  }

  #show(frames: Buffer): void {
    if (frames.length === 0) return;
    this.#options.keep?.add(frames);
    // After a disconnect the source isn't paused.
    if (!this.destroyed && !this.push(frames) && !this.#isFilling()) this.#options.source.pause();
  }

  /** An opening that echoes a large request can exceed the buffer. Pausing the upstream then would keep its first output from ever coming. */
  #isFilling(): boolean {
    return this.#opening !== null && this.readableLength < this.#options.maxFrameBytes;
  }

  /** Whether these frames restart the heartbeat. An empty block doesn't, nor does a comment when the client counts only events. */
  #restartsHeartbeat(out: Buffer): boolean {
    return out.length > 0 && (this.#options.keepAlive === undefined || holdsEvent(out));
  }

  /** Resolves `begin` when output has come, or `openingMs` after the first frames. */
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
      if (!this.#options.finish) this.#options.keep?.foresee(frames);
      this.#stop({ kind: 'completed', isShown: !opening }).then(
        () => this.#complete(frames, opening),
        (thrown: unknown) => this.#sendStreamError(asGatewayError(thrown), frames, opening),
      );
    } catch (thrown) {
      if (!this.#opening) this.#show(last);
      this.end(asGatewayError(thrown));
    }
  }

  /** `onEnd` has rejected after the reader made the last frames (`unsent`): the caller gets an error in their place. */
  #sendStreamError(error: GatewayError, unsent: Buffer, opening: Opening | null): void {
    if (opening) opening.reject(error);
    else this.#sendOrCut(() => this.#sendLast(this.#options.complaint(error, unsent)));
  }

  #complete(frames: Buffer, opening: Opening | null): void {
    this.#sendLast(this.#options.finish?.(frames) ?? frames);
    opening?.resolve();
  }

  #stop(end: StreamEnd): Promise<Error | undefined> {
    this.#hasEnded = true;
    clearTimeout(this.#heartbeat);
    clearTimeout(this.#firstEvent);
    clearTimeout(this.#opening?.hold);
    this.#opening = null;
    const { source, onEnd } = this.#options;
    // A complete stream is left to end by itself, so that its connection can be reused; any other is cut.
    if (end.kind === 'completed') finish(source);
    else source.destroy();
    return onEnd(end);
  }

  #beat(): void {
    if (this.#hasEnded) return;
    // No heartbeat before `begin` has resolved, after a disconnect, or while frames wait in the buffer: an event would take a sequence number.
    if (!this.#opening && !this.destroyed && this.readableLength < this.readableHighWaterMark) this.#sendHeartbeat();
    this.#heartbeat.refresh();
  }

  /** A heartbeat event is recorded too, since the sequence numbers after it continue from its own. */
  #sendHeartbeat(): void {
    const event = this.#options.keepAlive?.();
    if (event) this.#options.keep?.add(event);
    this.push(event ?? HEARTBEAT);
  }
}

interface Warnings {
  warn(fields: object, message: string): void;
}

interface RejectedRequest {
  /** Of the request. */
  readonly id: string;
  readonly upstream: UpstreamConfig | undefined;
  readonly status: number;
  readonly request: Pick<UpstreamRequest, 'operation' | 'path'>;
  /** The upstream's own ID of the model. */
  readonly model: string;
}

/** Servers that have something else at this path answer 405. */
const isUnknownAddress = (status: number): boolean => status === 404 || status === 405;

export function noteUnknownAddress(log: Warnings, { id, upstream, status, request, model }: RejectedRequest): void {
  if (!upstream || upstream.kind === 'simulator' || !isUnknownAddress(status)) return;
  const asked = `POST ${addressOf(upstream, { ...request, model, stream: false })}`;
  log.warn({ id, upstream: upstream.name, status, asked, hint: hintOf(upstream, model) }, 'upstream has no such path or model');
}

const namesVersion = (url: string): boolean => /\/v\d/.test(new URL(url).pathname);

/** `baseUrl` may be logged: the configuration rejects an address with a user name or password. */
function hintOf({ baseUrl, name }: HttpUpstreamConfig, model: string): string {
  const version = namesVersion(baseUrl) ? '' : " Most providers' base URLs end in /v1.";
  return `Check baseUrl of upstream ${name}.${version} If it's correct, the provider has no model '${model}': check upstreamModel.`;
}

interface DrainingAnswer {
  /** Stops reading it. */
  cut(): void;
  readonly settled: Promise<void>;
}

export class DrainingAnswers {
  readonly #all = new Set<DrainingAnswer>();
  #isOver = false;

  get size(): number {
    return this.#all.size;
  }

  add(answer: DrainingAnswer): void {
    this.#all.add(answer);
    void answer.settled.then(() => this.#all.delete(answer));
    // After `cut`, shutdown no longer waits for responses.
    if (this.#isOver) answer.cut();
  }

  /** Resolves when no such answer is left. */
  async settled(): Promise<void> {
    // A connection's close event comes at the end of a turn of the event loop, after the server's own close; so a response may still be added.
    await nextTurn();
    await nextTurn();
    while (this.#all.size > 0) await Promise.all([...this.#all].map(({ settled }) => settled));
  }

  /** Cuts all responses, and each that is added from now on. */
  cut(): void {
    this.#isOver = true;
    for (const answer of this.#all) answer.cut();
  }
}

/** Codes of undici's timeout errors. */
const timeouts: ReadonlySet<unknown> = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT']);

export function sendFailure(cause: unknown): GatewayError {
  if (cause instanceof GatewayError) return cause;
  const isTimeout = cause instanceof Error && 'code' in cause && timeouts.has(cause.code);
  return new GatewayError<CallCode>(isTimeout ? 'upstream_timeout' : 'upstream_error', { cause });
}

/** The stream that a caller reads: the upstream's frames as they came, heartbeats in silence, one honest end (promises G7 and G8). */
import { Readable } from 'node:stream';
import type { StreamReader } from '../dialects/dialect.ts';
import { FrameJoiner, HEARTBEAT } from '../dialects/frames.ts';
import { asGatewayError, GatewayError } from '../errors.ts';
import { brokenOff } from './collect.ts';
import { sendFailure } from './http.ts';

/** How a stream came to its end. */
export type StreamEnd =
  | { readonly kind: 'completed' }
  | { readonly kind: 'failed'; readonly error: GatewayError }
  | { readonly kind: 'client_gone' };

export interface RelayOptions {
  readonly source: Readable;
  readonly reader: StreamReader;
  readonly maxFrameBytes: number;
  readonly heartbeatMs: number;
  /** Time for the first event. */
  readonly firstEventMs: number;
  /** How long an opening without output is held back, so that a failure behind it can still be a status. */
  readonly openingMs: number;
  /** Called exactly once. */
  readonly onEnd: (end: StreamEnd) => void;
}

/** How long an upstream may keep a stream open that it has declared complete. */
const LINGER_MS = 1000;

function finish(source: Readable): void {
  source.resume();
  if (source.closed) return;
  const timer = setTimeout(() => source.destroy(), LINGER_MS);
  source.once('close', () => clearTimeout(timer));
}

export class RelayStream extends Readable {
  readonly #options: RelayOptions;
  readonly #joiner: FrameJoiner;
  readonly #heartbeat: NodeJS.Timeout;
  #opening: { resolve: () => void; reject: (error: GatewayError) => void; timer: NodeJS.Timeout } | null = null;
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
      const timer = setTimeout(() => this.end(new GatewayError('upstream_timeout')), firstEventMs);
      this.#opening = { resolve, reject, timer };
    });
  }

  /** Ends the stream with this failure: as a rejection of `begin`, or as the error frames of the dialect. */
  end(error: GatewayError): void {
    if (this.#hasEnded) return;
    const opening = this.#opening;
    this.#stop({ kind: 'failed', error });
    if (opening) opening.reject(error);
    else this.push(this.#options.reader.failing(error));
    this.push(null);
  }

  override _read(): void {
    this.#options.source.resume();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (!this.#hasEnded) this.#stop({ kind: 'client_gone' });
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
    const { reader, source } = this.#options;
    const out = reader.pass(frames);
    // While nothing has been shown, a failure is still told by its status, and what came before it is dropped.
    if (reader.failure && this.#opening) throw reader.failure;
    if (out.length > 0 && !this.push(out)) source.pause();
    if (reader.failure) throw reader.failure;
    if (this.#opening) this.#open(reader);
    else this.#heartbeat.refresh();
    if (reader.isComplete) this.#close();
  }

  /** Lets the caller see the stream once it holds more than its opening, or once that has been held back long enough. */
  #open(reader: StreamReader): void {
    const opening = this.#opening;
    if (!opening) return;
    clearTimeout(opening.timer);
    if (reader.hasBegun) {
      this.#opening = null;
      opening.resolve();
    } else {
      opening.timer = setTimeout(() => {
        this.#opening = null;
        opening.resolve();
      }, this.#options.openingMs);
    }
  }

  #close(): void {
    if (this.#hasEnded) return;
    try {
      const closing = this.#options.reader.closing();
      const opening = this.#opening;
      this.#stop({ kind: 'completed' });
      if (closing.length > 0) this.push(closing);
      this.push(null);
      opening?.resolve();
    } catch (thrown) {
      this.end(asGatewayError(thrown));
    }
  }

  #stop(end: StreamEnd): void {
    this.#hasEnded = true;
    clearTimeout(this.#heartbeat);
    if (this.#opening) clearTimeout(this.#opening.timer);
    this.#opening = null;
    const { source, onEnd } = this.#options;
    // An upstream that has said all ends by itself, and its connection is used again; any other is cut.
    if (end.kind === 'completed') finish(source);
    else source.destroy();
    onEnd(end);
  }

  #beat(): void {
    if (this.#hasEnded) return;
    if (!this.#opening && this.readableLength < this.readableHighWaterMark) this.push(HEARTBEAT);
    this.#heartbeat.refresh();
  }
}

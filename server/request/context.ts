/** One request in flight: its caller, its model, its attempts, its outcome. The steps of the pipeline write here what the log line needs. */
import { EventEmitter } from 'node:events';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { ErrorCode } from '../../contract/errors.ts';
import type { RequestHeader } from '../../contract/headers.ts';
import type { Principal } from '../access/principal.ts';
import type { Model } from '../config/catalog.ts';
import type { Usage } from '../dialects/usage.ts';
import type { GatewayError } from '../errors.ts';
import type { BodyShare } from '../limits/body-memory.ts';
import type { Limit, Take, Windows } from '../limits/limiter.ts';
import { randomHex } from '../primitives/random-id.ts';
import type { CallRecording } from '../tape/recorder.ts';
import type { RequestEnd } from '../telemetry/log.ts';
import type { Excess, RequestTrace } from '../telemetry/record.ts';
import type { AttemptRecord } from '../upstreams/failure-classification.ts';
import type { Marks } from '../upstreams/upstream.ts';

const freshMarks: Marks = { newHex: randomHex, now: () => Date.now() };

/** Keeps an answer for retries with the same idempotency key; see `idempotent.ts`. */
export interface Keeping {
  add(frames: Buffer): void;
  forget(): void;
  seal(frames: Buffer): Promise<void>;
  keepWhole(bytes: Buffer): Promise<void>;
  release(): Promise<void>;
}

export class RequestContext {
  readonly id: string;
  readonly startedAt = performance.now();
  readonly #response: ServerResponse;
  #abort: AbortController | null = null;
  #gone: EventEmitter | null = null;
  principal: Principal | null = null;
  model: Model | null = null;
  /** The attempts that have ended, in order. */
  readonly attempts: AttemptRecord[] = [];
  /** The upstream of the running attempt. */
  #asked: string | null = null;
  #askedAt = 0;
  code: ErrorCode | undefined = undefined;
  /** The error that the caller got, as a status or inside a stream. */
  failure: GatewayError | null = null;
  /** The model as the body names it; set on refused requests only. */
  askedModel: string | null = null;
  usage: Usage | null = null;
  firstEventMs: number | undefined = undefined;
  end: RequestEnd | null = null;
  /** Fields of the request that the upstream is not sent, for `x-modelgate-ignored` and the log. */
  ignored: readonly string[] = [];

  /** Makes the ids and times of an answer that we write; a simulator supplies its own. */
  marks: Marks = freshMarks;

  /** The output limit that the held money allows, in tokens; null when none was needed. */
  outputLimit: number | null = null;

  /** The number of calls in a tRPC envelope, 0 for any other request. Each has a log line of its own, the envelope has none. */
  innerCalls = 0;

  /** The state of the limits, for the rate-limit headers. */
  windows: Windows | null = null;
  /** The exceeded limit of the process, when load shedding refused the request. */
  shed: Excess | null = null;
  /** Whether the upstream's answer is read to its end although the caller disconnected. */
  isDrained = false;
  /** The rate limit or concurrency limit that refused the request. */
  refusedBy: Limit | null = null;
  /** What was taken provisionally from the key's request rate; null once it counts or was given back. */
  provisional: Take | null = null;
  /** Keeps the answer for the idempotency key; null without one. */
  once: Keeping | null = null;
  /** Records the request in a file; null unless `serve --record` runs. */
  taping: CallRecording | null = null;
  /** Whether the answer is that of an earlier request with the same idempotency key. */
  isReplayed = false;
  /** The memory that its body takes; null when that is not limited. */
  share: BodyShare | null = null;
  /** The cost in micro-dollars; null until the request is charged. */
  cost: bigint | null = null;
  /** Resolves when money and limits are settled, which may be after the caller has disconnected; null when there was no grant. */
  settled: Promise<void> | null = null;
  /** Null when tracing is off. */
  trace: RequestTrace | null = null;

  constructor(id: string, response: ServerResponse) {
    this.id = id;
    this.#response = response;
  }

  get method(): string | undefined {
    return this.#response.req.method;
  }

  /** A header of the request that the contract knows. */
  header(name: RequestHeader): string | string[] | undefined {
    return this.headers[name];
  }

  /** The request's headers as received. */
  get headers(): IncomingHttpHeaders {
    return this.#response.req.headers;
  }

  /** Emits `abort` when the caller disconnects before the end of the answer. Made on first use, since many requests need none. */
  get gone(): EventEmitter {
    if (!this.#gone) {
      const gone = new EventEmitter();
      // Each attempt adds several listeners; without this, Node would warn of a leak after a few attempts.
      gone.setMaxListeners(0);
      this.#gone = gone;
      this.#response.once('close', () => {
        if (!this.#response.writableFinished) gone.emit('abort');
      });
    }
    return this.#gone;
  }

  /** Whether the caller has disconnected before the end of the answer. */
  get isGone(): boolean {
    return this.#response.destroyed && !this.#response.writableFinished;
  }

  /** `gone` as an AbortSignal. Made on first use. */
  get signal(): AbortSignal {
    if (!this.#abort) {
      const abort = new AbortController();
      this.#abort = abort;
      this.gone.once('abort', () => abort.abort());
    }
    return this.#abort.signal;
  }

  /** The upstream of the running attempt, else of the last one; undefined when there was none. */
  get upstream(): string | undefined {
    return this.#asked ?? this.attempts.at(-1)?.upstream;
  }

  beginAttempt(upstream: string): void {
    this.#asked = upstream;
    this.#askedAt = this.elapsedMs();
  }

  /** Records the end of the running attempt. Call it before settling, so that the receipt has the attempt. Later calls do nothing. */
  endAttempt(status: number | null, code: ErrorCode | null): void {
    if (this.#asked === null) return;
    this.attempts.push({ upstream: this.#asked, status, code, ms: this.elapsedMs() - this.#askedAt });
    this.#asked = null;
  }

  /** Milliseconds since the request arrived, to a tenth. */
  elapsedMs(): number {
    return Math.round((performance.now() - this.startedAt) * 10) / 10;
  }
}

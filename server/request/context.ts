/** One request in flight: who, since when, what came of it. Every step of the pipeline notes here what the log line needs. */
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
import type { Taping } from '../tape/recorder.ts';
import type { RequestEnd } from '../telemetry/log.ts';
import type { Excess, RequestTrace } from '../telemetry/record.ts';
import type { Marks } from '../upstreams/upstream.ts';
import type { AttemptRecord } from '../upstreams/verdict.ts';

const freshMarks: Marks = { newHex: randomHex, now: () => Date.now() };

/** Who keeps an answer for whoever asks again; see `idempotent.ts`. */
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
  /** What was tried for it, in order. */
  readonly attempts: AttemptRecord[] = [];
  /** The upstream that is being asked. */
  #asked: string | null = null;
  #askedAt = 0;
  code: ErrorCode | undefined = undefined;
  /** The error that the caller got, as a status or inside of a stream. */
  failure: GatewayError | null = null;
  /** As the request names it, where that could be read and was refused. */
  askedModel: string | null = null;
  usage: Usage | null = null;
  firstEventMs: number | undefined = undefined;
  end: RequestEnd | null = null;
  /** What of the request its upstream is not sent, fit for a header: named in `x-modelgate-ignored` and in the log. */
  ignored: readonly string[] = [];

  /** What its answer is told from all others by, where that is given here. */
  marks: Marks = freshMarks;

  /** The limit on its output that was set here, since the money goes no further. */
  outputLimit: number | null = null;

  /** Calls that it held as an envelope: they are told of by themselves, and it is not. */
  innerCalls = 0;

  /** What the caller is told of the limits. */
  windows: Windows | null = null;
  /** What there was too much of, where it was refused for that. */
  shed: Excess | null = null;
  /** Whether its upstream was heard out after its caller had left. */
  isHeardOut = false;
  /** The limit that refused it. */
  refusedBy: Limit | null = null;
  /** What was taken at the door, as long as it does not count yet. */
  atDoor: Take | null = null;
  /** Keeps the answer for its idempotency key. */
  once: Keeping | null = null;
  /** Records it; null where calls are not recorded. */
  taping: Taping | null = null;
  /** Whether the answer is that of an earlier request with the same idempotency key. */
  isReplayed = false;
  /** What it takes of the memory for bodies; null where nobody counts. */
  share: BodyShare | null = null;
  /** What it cost, in micro-dollars, once it is charged. */
  cost: bigint | null = null;
  /** Resolves when money and limits of the call have ended, which may be after its caller has left; null where there was no grant. */
  settled: Promise<void> | null = null;
  /** Null where nobody wants traces. */
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

  /** Of the request, as they came. */
  get headers(): IncomingHttpHeaders {
    return this.#response.req.headers;
  }

  /** Says `abort` when the caller hangs up before the answer is out. Made on first use: a list of models needs none. */
  get gone(): EventEmitter {
    if (!this.#gone) {
      const gone = new EventEmitter();
      // Each attempt listens by several; Node would take those of a few for a leak.
      gone.setMaxListeners(0);
      this.#gone = gone;
      this.#response.once('close', () => {
        if (!this.#response.writableFinished) gone.emit('abort');
      });
    }
    return this.#gone;
  }

  /** Whether the caller has hung up before the answer was out. */
  get isGone(): boolean {
    return this.#response.destroyed && !this.#response.writableFinished;
  }

  /** The same as an AbortSignal, for whoever needs one. */
  get signal(): AbortSignal {
    if (!this.#abort) {
      const abort = new AbortController();
      this.#abort = abort;
      this.gone.once('abort', () => abort.abort());
    }
    return this.#abort.signal;
  }

  /** The upstream that is being asked, or was last; undefined where none ever was. */
  get upstream(): string | undefined {
    return this.#asked ?? this.attempts.at(-1)?.upstream;
  }

  beginAttempt(upstream: string): void {
    this.#asked = upstream;
    this.#askedAt = this.elapsedMs();
  }

  /** Before it is settled, so that the receipt has it. Only its first ending counts. */
  endAttempt(status: number | null, code: ErrorCode | null): void {
    if (this.#asked === null) return;
    this.attempts.push({ upstream: this.#asked, status, code, ms: this.elapsedMs() - this.#askedAt });
    this.#asked = null;
  }

  /** Milliseconds since the request came, to a tenth. */
  elapsedMs(): number {
    return Math.round((performance.now() - this.startedAt) * 10) / 10;
  }
}

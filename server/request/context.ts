/** One request in flight: its ID, its connection, and what its steps share. What became of it is its `outcome`. */

import { EventEmitter } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorCode } from '../../contract/errors.ts';
import type { RequestHeader } from '../../contract/headers.ts';
import type { Principal } from '../access/store.ts';
import type { Model } from '../config/config.ts';
import type { Usage } from '../dialects/usage.ts';
import type { GatewayError, ProviderWords } from '../errors.ts';
import type { Claim } from '../ledger/idempotency.ts';
import type { Metered, Posting } from '../ledger/store.ts';
import type { BodyShare } from '../limits/body-memory.ts';
import type { Limit, Windows } from '../limits/limiter.ts';
import type { Excess, RequestEnd, RequestTrace } from '../telemetry/log.ts';
import type { AttemptRecord } from '../upstreams/circuit-breaker.ts';

/** A caller who was let in at the door; see `admission.ts`. */
export interface Entered {
  readonly principal: Principal;
  /** Resolves when money and limits are settled, which may be after the caller has disconnected; null if there was no grant. */
  readonly settled: Promise<void> | null;
  /** The request is rejected: gives back what was taken at the door. */
  giveBack(): void | Promise<void>;
  /** The request has ended: what was taken at the door counts. */
  leave(): void;
}

/** Keeps a response for retries with the same idempotency key. */
export interface Keeping {
  /** Idempotency key and fingerprint, which the hold claims. */
  readonly claim: Pick<Claim, 'key' | 'fingerprint'>;
  /** Claims the key for a call without a hold. Throws 409 if another request has it. */
  claimAlone(): Promise<void>;
  add(frames: Buffer): void;
  forget(): void;
  /** The end of the response is known: its charge may store it. */
  foresee(end: Buffer): void;
  foreseeWhole(bytes: Buffer): void;
  /** The response that is known now, unless it is large. */
  toKeep(): Posting['keep'];
  /** Whether it was stored with the charge. */
  noteKept(kept: Posting['keep']): void;
  /** Adds the last frames of a stream, and stores the response if its charge didn't. Never rejects, as the others below. */
  seal(frames: Buffer): Promise<void>;
  sealWhole(): Promise<void>;
  release(): Promise<void>;
}

export class RequestContext {
  readonly id: string;
  readonly outcome = new Outcome();
  readonly #response: ServerResponse;
  #abort: AbortController | null = null;
  #gone: EventEmitter | null = null;
  /** Null until the key is known. */
  admission: Entered | null = null;
  /** Keeps the response for the idempotency key; null without one. */
  once: Keeping | null = null;
  /** The memory that its body takes; null if that isn't limited. */
  share: BodyShare | null = null;
  /** Null if tracing is off. */
  trace: RequestTrace | null = null;

  constructor(id: string, response: ServerResponse) {
    this.id = id;
    this.#response = response;
  }

  /** Whose key the request has; null until the key is known. */
  get principal(): Principal | null {
    return this.admission?.principal ?? null;
  }

  get raw(): IncomingMessage {
    return this.#response.req;
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

  /** Emits `abort` when the caller disconnects before the end of the response. Made on first use, since many requests need none. */
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

  /** Whether the caller has disconnected before the end of the response. */
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
}

type Writable = { -readonly [Name in keyof Outcome]: Outcome[Name] };
/** Only the methods of `Outcome` write its fields: to all others they are read-only. */
const writable = (outcome: Outcome): Writable => outcome;

/** A posting of the ledger, as the request log has it. */
interface Charged {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** In micro-dollars. */
  readonly charged: bigint;
  readonly metered: Metered;
  /** In micro-dollars; see `missedOf`. */
  readonly missed: bigint | null;
}

export class Outcome {
  readonly startedAt = performance.now();
  readonly model: Model | null = null;
  /** The attempts that have ended, in order. */
  readonly attempts: readonly AttemptRecord[] = [];
  /** The upstream of the running attempt. */
  #asked: string | null = null;
  #askedAt = 0;
  #areWindowsTold = false;
  /** The error that the caller got, as a status or inside a stream; null after a disconnect. */
  readonly failure: GatewayError | null = null;
  readonly code: ErrorCode | undefined = undefined;
  /** The model as the body names it; set on rejected requests only. */
  readonly askedModel: string | null = null;
  /** The short name of its session, for the request log; null if it belongs to none, or was rejected before that was known. */
  readonly session: string | null = null;
  readonly usage: Usage | null = null;
  /** Milliseconds from the arrival of the request. */
  readonly firstEventMs: number | undefined = undefined;
  readonly end: RequestEnd | null = null;
  /** Fields of the request that the upstream isn't sent, for `x-modelgate-ignored` and the log. */
  readonly ignored: readonly string[] = [];
  /** The protocol of the upstream, where the caller's was passed over although the upstream serves it. */
  readonly protocol: string | undefined = undefined;
  /** Whether that was learned from this request: the provider rejected it over the caller's protocol, and took it over the other one. */
  readonly isTurned: boolean = false;
  /** The output limit that the held money allows, in tokens; null if none was needed. */
  readonly outputLimit: number | null = null;
  /** The number of calls in a tRPC envelope, 0 for any other request. Each call has its own log line; the envelope has none. */
  readonly innerCalls: number = 0;
  /** The state of the limits, for the rate-limit headers. */
  readonly windows: Windows | null = null;
  /** The rate limit or concurrency limit that rejected the request. */
  readonly rejectedBy: Limit | null = null;
  /** The exceeded limit of the process, when load shedding rejected the request. */
  readonly shed: Excess | null = null;
  /** Whether the upstream's response is read to its end although the caller disconnected. */
  readonly isDrained: boolean = false;
  /** Whether the answer is that of an earlier request with the same idempotency key. */
  readonly isReplayed: boolean = false;
  /** The cost in micro-dollars; null until the request is charged. */
  readonly cost: bigint | null = null;
  /** Posting that the ledger received, or will receive from the outbox. The request log has the same. Null until the request is charged. */
  readonly charge: Charged | null = null;

  /** Load shedding rejects the request. */
  shedFor(excess: Excess | null): void {
    writable(this).shed = excess;
  }

  /** The limits were taken, given back or corrected. */
  counted(windows: Windows): void {
    if (!this.#areWindowsTold) writable(this).windows = windows;
  }

  /** The state of the limits for the headers of the response. It no longer changes, so that the request log has the values sent to the caller. */
  tellWindows(): Windows | null {
    if (!this.#areWindowsTold && this.windows) writable(this).windows = { requests: this.windows.requests, tokens: this.windows.tokens };
    this.#areWindowsTold = true;
    return this.windows;
  }

  exceeded(limit: Limit): void {
    writable(this).rejectedBy = limit;
  }

  replayed(): void {
    writable(this).isReplayed = true;
  }

  found(model: Model): void {
    writable(this).model = model;
  }

  belongsTo(session: string | null): void {
    writable(this).session = session;
  }

  granted(outputLimit: number | null): void {
    writable(this).outputLimit = outputLimit;
  }

  /** A candidate is tried: a model as its upstream serves it, with the fields that it isn't sent, and the protocol if it was chosen. */
  tried(model: Model, ignored: readonly string[], protocol: string | undefined): void {
    writable(this).model = model;
    writable(this).ignored = ignored;
    writable(this).protocol = protocol;
  }

  /** The provider has taken the request over the other protocol. */
  turned(): void {
    writable(this).isTurned = true;
  }

  beginAttempt(upstream: string): void {
    this.#asked = upstream;
    this.#askedAt = this.elapsedMs();
  }

  /** Records the end of the running attempt. Call it before settling, so that the receipt has the attempt. Later calls do nothing. */
  endAttempt(status: number | null, code: ErrorCode | null, said: ProviderWords | null = null): void {
    if (this.#asked === null) return;
    const { protocol } = this;
    const attempt = {
      upstream: this.#asked,
      status,
      code,
      ms: this.elapsedMs() - this.#askedAt,
      ...(protocol !== undefined && { protocol }),
      ...(said && { said }),
    };
    writable(this).attempts = this.attempts.length === 0 ? [attempt] : [...this.attempts, attempt];
    this.#asked = null;
  }

  /** The first event of a stream is sent. */
  begun(): void {
    writable(this).firstEventMs = this.elapsedMs();
  }

  used(usage: Usage | null): void {
    writable(this).usage = usage;
  }

  ended(end: RequestEnd): void {
    writable(this).end = end;
  }

  /** The caller has disconnected, and the response is read to its end, unless it has ended already. */
  drained(): void {
    writable(this).isDrained = this.end === null;
  }

  /** `charge`: what the ledger was given for it; null if it had been charged before. */
  charged(cost: bigint, charge: Charged | null): void {
    writable(this).cost = cost;
    if (charge) writable(this).charge = charge;
  }

  /** The request failed with this code, which wasn't sent if the client had disconnected. */
  failed(code: ErrorCode, told: GatewayError | null): void {
    writable(this).code = code;
    if (told) writable(this).failure = told;
  }

  /** The caller gets an error as a status. */
  rejected(error: GatewayError, askedModel: string | null): void {
    this.failed(error.code, error);
    writable(this).askedModel = askedModel;
  }

  calledInside(): void {
    writable(this).innerCalls = this.innerCalls + 1;
  }

  /** The upstream of the running attempt, else of the last one; undefined if there was none. */
  get upstream(): string | undefined {
    return this.#asked ?? this.attempts.at(-1)?.upstream;
  }

  /** Milliseconds since the request arrived, to a tenth. */
  elapsedMs(): number {
    return Math.round((performance.now() - this.startedAt) * 10) / 10;
  }
}

/** The context of one request in flight: its ID, its connection, and the state that its steps share. */

import { EventEmitter } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHeader } from '../../contract/headers.ts';
import type { Principal } from '../access/principal.ts';
import type { BodyShare } from '../limits/body-memory.ts';
import type { IdempotencyClaim } from '../money/idempotency.ts';
import type { Posting } from '../money/store.ts';
import type { RequestTrace } from '../telemetry/telemetry.ts';
import { RequestOutcome } from './request-outcome.ts';

/** An authenticated caller that passed the request-rate check; see `admission.ts`. */
export interface AdmittedCaller {
  readonly principal: Principal;
  /** Resolves when money and limits are settled, which can be after the caller disconnects. Null without a grant. */
  readonly settled: Promise<void> | null;
  /** Releases the provisional request rate: a rejected request doesn't count. */
  release(): void | Promise<void>;
  /** Counts the provisional request rate: the request has ended. */
  finish(): void;
}

/** Stores the response for retries with the same idempotency key. */
export interface IdempotentRequest {
  /** The idempotency key and fingerprint that the hold claims. */
  readonly claim: Pick<IdempotencyClaim, 'key' | 'fingerprint'>;
  /** Claims the key for a request without a hold. Throws 409 if another request has the key. */
  claimKey(): Promise<void>;
  add(frames: Buffer): void;
  forget(): void;
  /** Sets the last frames, so that the charge can store the complete response. */
  setFinalChunk(end: Buffer): void;
  setFinalBody(bytes: Buffer): void;
  /** Sets the response of a request that continues in the background. What it produces later isn't stored for the key. */
  answer(bytes: Buffer): void;
  /** Returns the complete response for the charge to store, or undefined if it's too large or incomplete. */
  getResponseToStore(): Posting['keep'];
  /** The charge stored the response. */
  markStored(): void;
  /** Adds the last frames of a stream and stores the response, unless the charge stored it. Like `finishBody` and `release`, never rejects. */
  finishStream(frames: Buffer): Promise<void>;
  finishBody(): Promise<void>;
  release(): Promise<void>;
}

export class RequestContext {
  readonly id: string;
  readonly outcome = new RequestOutcome();
  readonly raw: IncomingMessage;
  /** Null once the request runs in the background: the response has been sent, and would be kept in memory with all of its listeners. */
  #response: ServerResponse | null;
  #abort: AbortController | null = null;
  #gone: EventEmitter | null = null;
  #isCancelled = false;
  /** Resolves when a request that runs in the background has ended. Null if it doesn't. */
  #completion: Promise<void> | null = null;
  /** Null until the key is authenticated. */
  admission: AdmittedCaller | null = null;
  /** Stores the response for the idempotency key. Null without an idempotency key. */
  idempotentRequest: IdempotentRequest | null = null;
  /** The body's share of the body memory. Null if body memory is unlimited. */
  share: BodyShare | null = null;
  /** Null if tracing is off. */
  trace: RequestTrace | null = null;

  constructor(id: string, response: ServerResponse) {
    this.id = id;
    this.raw = response.req;
    this.#response = response;
  }

  /** The owner and permissions of the key. Null until the key is authenticated. */
  get principal(): Principal | null {
    return this.admission?.principal ?? null;
  }

  get method(): string | undefined {
    return this.raw.method;
  }

  /** Returns a request header that the contract declares. */
  header(name: RequestHeader): string | string[] | undefined {
    return this.headers[name];
  }

  /** The request's headers as received. */
  get headers(): IncomingHttpHeaders {
    return this.raw.headers;
  }

  /** Emits `abort` when the caller disconnects before the end of the response. Created on first use, since many requests need none. */
  get gone(): EventEmitter {
    if (!this.#gone) {
      const gone = new EventEmitter();
      // Each attempt adds several listeners. Without this, Node warns about a leak after a few attempts.
      gone.setMaxListeners(0);
      this.#gone = gone;
      const response = this.#response;
      response?.once('close', () => {
        if (!this.#completion && !response.writableFinished) gone.emit('abort');
      });
    }
    return this.#gone;
  }

  /** Whether the caller disconnected before the end of the response. */
  get isGone(): boolean {
    if (!this.#response) return this.#isCancelled;
    return this.#response.destroyed && !this.#response.writableFinished;
  }

  /** Whether a disconnect aborts nothing, because the gateway completes the response for a retry. */
  get isKept(): boolean {
    return this.idempotentRequest !== null && !this.#completion;
  }

  get completion(): Promise<void> | null {
    return this.#completion;
  }

  /** From now on, the request runs in the background: only `cancel` aborts it. */
  detach(completion: Promise<void>): void {
    this.#completion = completion;
    this.#response = null;
  }

  /** Aborts a detached request. */
  cancel(): void {
    if (this.#isCancelled) return;
    this.#isCancelled = true;
    this.gone.emit('abort');
  }

  /** `gone` as an AbortSignal. Created on first use. */
  get signal(): AbortSignal {
    if (!this.#abort) {
      const abort = new AbortController();
      this.#abort = abort;
      this.gone.once('abort', () => abort.abort());
    }
    return this.#abort.signal;
  }
}

/** Whether the caller's disconnect aborts the request. An idempotent request continues: the gateway completes its response for the retry. */
export const isAborted = ({ isGone, isKept }: RequestContext): boolean => isGone && !isKept;

/** Authentication sets the principal of every call before the pipeline. */
export const getAccountId = ({ principal }: RequestContext): string => principal?.accountId ?? '';

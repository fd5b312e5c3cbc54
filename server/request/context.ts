/** One request in flight: its id, its connection, and what its steps share. What became of it is its `outcome`. */
import { EventEmitter } from 'node:events';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { RequestHeader } from '../../contract/headers.ts';
import type { Principal } from '../access/principal.ts';
import type { BodyShare } from '../limits/body-memory.ts';
import type { RequestTrace } from '../telemetry/record.ts';
import { Outcome } from './outcome.ts';

/** A caller who was let in at the door; see `admission.ts`. */
export interface Entered {
  readonly principal: Principal;
  /** Resolves when money and limits are settled, which may be after the caller has disconnected; null when there was no grant. */
  readonly settled: Promise<void> | null;
  /** The request is refused: gives back what was taken at the door. */
  giveBack(): void | Promise<void>;
  /** The request has ended: what was taken at the door counts. */
  leave(): void;
}

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
  readonly outcome = new Outcome();
  readonly #response: ServerResponse;
  #abort: AbortController | null = null;
  #gone: EventEmitter | null = null;
  /** Null until the key is known. */
  admission: Entered | null = null;
  /** Keeps the answer for the idempotency key; null without one. */
  once: Keeping | null = null;
  /** The memory that its body takes; null when that is not limited. */
  share: BodyShare | null = null;
  /** Null when tracing is off. */
  trace: RequestTrace | null = null;

  constructor(id: string, response: ServerResponse) {
    this.id = id;
    this.#response = response;
  }

  /** Whose key the request has; null until the key is known. */
  get principal(): Principal | null {
    return this.admission?.principal ?? null;
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
}

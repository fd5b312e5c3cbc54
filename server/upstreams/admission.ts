/** How many requests an upstream has at once: whoever is over the bound is told so at once, and waits in no queue that nobody sees. */
import type { EventEmitter } from 'node:events';
import { GatewayError } from '../errors.ts';

export interface AdmissionBounds {
  /** Most requests at once. */
  readonly connections: number;
  /** Most requests that may wait for one of those to end. */
  readonly queue: number;
  /** How long one waits at most. */
  readonly waitMs: number;
}

interface Waiting {
  readonly admit: () => void;
}

export class Admission {
  readonly #bounds: AdmissionBounds;
  readonly #waiting = new Set<Waiting>();
  #running = 0;

  constructor(bounds: AdmissionBounds) {
    this.#bounds = bounds;
  }

  /** Undefined where there is room now. Throws or rejects with `overloaded` where there is none; who was let in has to leave. */
  enter(gone: EventEmitter): Promise<void> | undefined {
    const { connections, queue } = this.#bounds;
    if (this.#running < connections) {
      this.#running += 1;
      return undefined;
    }
    if (this.#waiting.size >= queue) throw full();
    return this.#wait(gone);
  }

  /** The room goes to whoever has waited longest. */
  leave(): void {
    const [next] = this.#waiting;
    if (next) next.admit();
    else this.#running -= 1;
  }

  #wait(gone: EventEmitter): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = (): void => {
      stop();
      reject(full());
    };
    const timer = setTimeout(giveUp, this.#bounds.waitMs);
    const waiting: Waiting = {
      admit: () => {
        stop();
        resolve();
      },
    };
    const stop = (): void => {
      clearTimeout(timer);
      gone.off('abort', giveUp);
      this.#waiting.delete(waiting);
    };
    gone.once('abort', giveUp);
    this.#waiting.add(waiting);
    return promise;
  }
}

const full = (): GatewayError =>
  new GatewayError('overloaded', {
    message: 'The upstream of this model has all the requests that it may have at once. Try again shortly.',
    headers: { 'retry-after': '1' },
  });

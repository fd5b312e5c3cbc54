/** Stores refused and failed requests: buffered in memory and written once a second, so that no call waits for it and no flood of refusals fills the disk. */
import { StorageError } from '../storage/errors.ts';
import type { Log } from '../telemetry/log.ts';
import { bounded, type Refusal, type RefusalStore } from './store.ts';
import { Waiting } from './waiting.ts';

export interface Refusals {
  /** Adds one; fast, and never fails. */
  keep(refusal: Refusal): void;
  /** Finds one: those of this process at once, those of others when they have written it. */
  find(requestId: string): Promise<Refusal | undefined>;
  /** Writes a part of the buffer. Never rejects: when the store is down, the rest stays in the buffer, as far as there is room. */
  flush(): Promise<void>;
  /** Deletes what is too old or beyond the maximum number. */
  sweep(): Promise<void>;
  /** Writes the whole buffer, if the store answers. */
  close(): Promise<void>;
}

export interface RefusalsParts {
  readonly store: RefusalStore;
  /** As the configuration says at the moment. */
  readonly bounds: () => { readonly days: number; readonly most: number };
  readonly log: Log;
}

const TURN_MS = 1_000;
const DAY_MS = 86_400_000;
/** Turns between two log lines about dropped refusals, so that a flood does not fill the log. */
const REPORT_EVERY = 60;

export function openRefusals(parts: RefusalsParts): Refusals {
  const refusals = new OpenRefusals(parts);
  const timer = setInterval(() => void refusals.flush(), TURN_MS).unref();
  return {
    keep: (refusal) => refusals.keep(refusal),
    find: (requestId) => refusals.find(requestId),
    flush: () => refusals.flush(),
    sweep: () => refusals.sweep(),
    close() {
      clearInterval(timer);
      return refusals.close();
    },
  };
}

class OpenRefusals {
  readonly #parts: RefusalsParts;
  readonly #waiting = new Waiting();
  /** The batch that is being written, or that is retried after a failure. */
  #flying: readonly Refusal[] = [];
  #running: Promise<void> | null = null;
  #dropped = 0;
  #turns = 0;

  constructor(parts: RefusalsParts) {
    this.#parts = parts;
  }

  keep(refusal: Refusal): void {
    if (this.#parts.bounds().most > 0) this.#waiting.add(bounded(refusal));
  }

  async find(requestId: string): Promise<Refusal | undefined> {
    const own = this.#waiting.find(requestId) ?? this.#flying.find((one) => one.requestId === requestId);
    return own ?? (await this.#parts.store.find(requestId));
  }

  flush(isLast = false): Promise<void> {
    this.#running ??= this.#write(isLast).finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async sweep(): Promise<void> {
    const { days, most } = this.#parts.bounds();
    await this.#parts.store.sweep(Date.now() - days * DAY_MS, most);
  }

  async close(): Promise<void> {
    await this.#running;
    do await this.flush(true);
    while (this.#flying.length === 0 && this.#waiting.size > 0);
    this.#dropped += this.#flying.length + this.#waiting.size;
    this.#report();
  }

  async #write(isLast: boolean): Promise<void> {
    if (this.#flying.length === 0) this.#flying = this.#waiting.take(isLast);
    this.#dropped += this.#waiting.takeDropped();
    if (this.#turns++ % REPORT_EVERY === 0) this.#report();
    if (this.#flying.length === 0) return;
    try {
      await this.#parts.store.add(this.#flying, this.#parts.bounds().most);
    } catch (error) {
      // A store that is down has its own line in the log, and is asked again in the next turn.
      if (error instanceof StorageError) return;
      this.#parts.log.error({ err: error }, 'refusals could not be stored');
      this.#dropped += this.#flying.length;
    }
    this.#flying = [];
  }

  #report(): void {
    if (this.#dropped === 0) return;
    this.#parts.log.warn(
      { dropped: this.#dropped },
      'more requests were refused than can be stored for explanations; the oldest were dropped',
    );
    this.#dropped = 0;
  }
}

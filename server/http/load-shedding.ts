/** Whether the process has more to do than it can: then new calls are refused before their bodies are read, so that those that run go on. */
import { type ErrorOf, GatewayError, type KeyedName } from '../errors.ts';
import type { Log } from '../telemetry/log.ts';
import type { Excess } from '../telemetry/record.ts';

export interface LoadSheddingBounds {
  /** Smoothed delay of the event loop; 0 where it does not matter. */
  readonly loopDelayMs: number;
  /** Memory in use, in MiB; 0 where it does not matter. */
  readonly memoryMb: number;
}

export interface LoadSheddingOptions {
  /** As they are at each look: a reload may change them. */
  readonly bounds: () => LoadSheddingBounds;
  readonly log: Pick<Log, 'warn' | 'info'>;
  /** Of the process, in bytes. */
  readonly memory?: () => number;
}

const LOOK_MS = 100;
/** Asking for the memory reads a file of the system: every few looks are enough. */
const LOOKS_A_MEMORY = 5;
const MEBIBYTE = 1_048_576;
/** It is over only when there is some room again, or it would begin anew with the next call. */
const END_OF_DELAY = 0.5;
const END_OF_MEMORY = 0.95;

/** Code, stacks and what native libraries keep for themselves. */
const BESIDE_THE_HEAP = 96 * MEBIBYTE;

/** Never more than is resident, and less where that is memory that was given back and that the allocator keeps to give it out again: it may keep gigabytes. */
export function memoryInUse(
  { rss, heapTotal, external }: Pick<NodeJS.MemoryUsage, 'rss' | 'heapTotal' | 'external'> = process.memoryUsage(),
): number {
  return Math.min(rss, heapTotal + external + BESIDE_THE_HEAP);
}

export class LoadShedding {
  readonly #options: LoadSheddingOptions;
  readonly #timer: NodeJS.Timeout;
  #excess: Excess | null = null;
  #beganAt = 0;
  #lookedAt = performance.now();
  #looks = 0;
  /** Milliseconds. */
  #delay = 0;
  /** Bytes. */
  #memory = 0;

  constructor(options: LoadSheddingOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
  }

  /** Null where there is room for new calls. */
  get excess(): Excess | null {
    return this.#excess;
  }

  /** What new calls are told; null where there is room for them. */
  get refusal(): ErrorOf<KeyedName | 'getCatalog', 503> | null {
    return this.#excess === null
      ? null
      : new GatewayError('overloaded', {
          message: 'The gateway has more to do than it can. Try again in 1s.',
          headers: { 'retry-after': '1' },
        });
  }

  /** For people; null where all is well. */
  describe(): string | null {
    return this.#excess === null ? null : `new calls are refused: too much ${this.#excess} (${this.#shown()})`;
  }

  /** What the loop did before says nothing of the calls that come from here on: a start loads modules, which takes long on a slow machine. */
  forget(): void {
    this.#lookedAt = performance.now();
    this.#delay = 0;
    this.#judge(null, this.#lookedAt);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const now = performance.now();
    // A timer that comes late says for how long everybody has waited. One long stop shows at once, a short one only when it is not alone.
    const late = Math.max(now - this.#lookedAt - LOOK_MS, 0);
    this.#lookedAt = now;
    this.#delay = (this.#delay + late) / 2;
    const bounds = this.#options.bounds();
    if (bounds.memoryMb > 0 && this.#looks++ % LOOKS_A_MEMORY === 0) this.#memory = this.#options.memory?.() ?? memoryInUse();
    this.#judge(this.#excessOver(bounds), now);
  }

  #excessOver({ loopDelayMs, memoryMb }: LoadSheddingBounds): Excess | null {
    const share = (excess: Excess, end: number): number => (this.#excess === excess ? end : 1);
    if (memoryMb > 0 && this.#memory > memoryMb * MEBIBYTE * share('memory', END_OF_MEMORY)) return 'memory';
    if (loopDelayMs > 0 && this.#delay > loopDelayMs * share('loop delay', END_OF_DELAY)) return 'loop delay';
    return null;
  }

  #judge(excess: Excess | null, now: number): void {
    const before = this.#excess;
    this.#excess = excess;
    if (before === null && excess !== null) {
      this.#beganAt = now;
      this.#options.log.warn({ excess, ...this.#measured() }, 'too much to do: new calls are refused');
    } else if (before !== null && excess === null) {
      this.#options.log.info({ forMs: Math.round(now - this.#beganAt), ...this.#measured() }, 'new calls are taken again');
    }
  }

  #measured() {
    return { loopDelayMs: Math.round(this.#delay), ...(this.#memory > 0 && { memoryMb: Math.round(this.#memory / MEBIBYTE) }) };
  }

  #shown(): string {
    return this.#excess === 'memory' ? `${Math.round(this.#memory / MEBIBYTE)} MiB` : `${Math.round(this.#delay)} ms`;
  }
}

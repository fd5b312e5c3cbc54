/** Detects overload of the process by event-loop delay and memory. New requests are then rejected before their bodies are read. */

import { MEBIBYTE } from '../../limits/body-memory.ts';
import { formatRetryHint, GatewayError, type KeyedName, type OperationError } from '../../primitives/errors.ts';
import type { Log } from '../../telemetry/log.ts';
import type { OverloadReason } from '../../telemetry/telemetry.ts';

export interface LoadSheddingBounds {
  /** Maximum smoothed event-loop delay. 0 disables this limit. */
  readonly loopDelayMs: number;
  /** Maximum memory in use, in MiB. 0 disables this limit. */
  readonly memoryMiB: number;
}

interface LoadSheddingOptions {
  readonly bounds: LoadSheddingBounds;
  readonly log: Pick<Log, 'warn' | 'info'>;
  /** Returns the process memory in bytes. Tests pass their own. */
  readonly memory?: () => number;
}

const SAMPLE_INTERVAL_MS = 100;
/** The first calls load modules, which blocks the event loop once. */
const WARM_UP_MS = 5_000;
/** Reading the memory reads a system file, so only every fifth check does it. */
const CHECKS_PER_MEMORY_READ = 5;
/** Hysteresis: load shedding ends only below these shares of the limits, or it would restart with the next request. */
const DELAY_RECOVERY_FACTOR = 0.5;
const MEMORY_RECOVERY_FACTOR = 0.95;

/** Memory outside the heap: code, stacks, native libraries. */
const NON_HEAP_BYTES = 96 * MEBIBYTE;

/** At most the resident set size. Less if the allocator keeps freed memory, possibly gigabytes, which counts as free. */
export function getMemoryInUse(
  { rss, heapTotal, external }: Pick<NodeJS.MemoryUsage, 'rss' | 'heapTotal' | 'external'> = process.memoryUsage(),
): number {
  return Math.min(rss, heapTotal + external + NON_HEAP_BYTES);
}

export class LoadShedding {
  readonly #options: LoadSheddingOptions;
  /** A reload can change the bounds. */
  bounds: LoadSheddingBounds;
  #timer: NodeJS.Timeout | undefined;
  #reason: OverloadReason | null = null;
  #overloadedAt = 0;
  #sampledAt = performance.now();
  #warmUpEndsAt = 0;
  #sampleCount = 0;
  /** Milliseconds. */
  #averageDelayMs = 0;
  /** Bytes. */
  #memoryBytes = 0;

  constructor(options: LoadSheddingOptions) {
    this.#options = options;
    this.bounds = options.bounds;
  }

  /** Call it when the server starts to listen. No request can be rejected before that, and loading modules can block the event loop for long. */
  start(): void {
    this.#sampledAt = performance.now();
    this.#warmUpEndsAt = this.#sampledAt + WARM_UP_MS;
    this.#timer = setInterval(() => this.#sample(), SAMPLE_INTERVAL_MS).unref();
  }

  /** The exceeded limit. Null if new requests are accepted. */
  get reason(): OverloadReason | null {
    return this.#reason;
  }

  /** The error for new requests. Null if they're accepted. */
  get rejection(): OperationError<KeyedName | 'getCatalog', 503> | null {
    return this.#reason === null
      ? null
      : new GatewayError('overloaded', {
          message: `The gateway is overloaded. ${formatRetryHint(1)}`,
          headers: { 'retry-after': '1' },
        });
  }

  /** Returns a sentence for `/readyz`, or null if new requests are accepted. */
  describe(): string | null {
    return this.#reason === null ? null : `rejecting new calls: ${this.#reason} too high (${this.#formatMeasurement()})`;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #sample(): void {
    const now = performance.now();
    // This timer is late by the time that the event loop was blocked. Halving the average lets one long block count immediately, a short one only when
    // repeated.
    const delayMs = Math.max(now - this.#sampledAt - SAMPLE_INTERVAL_MS, 0);
    const isWarmingUp = delayMs > this.bounds.loopDelayMs && this.#sampledAt < this.#warmUpEndsAt;
    if (isWarmingUp) this.#warmUpEndsAt = 0;
    this.#sampledAt = now;
    this.#averageDelayMs = isWarmingUp ? 0 : (this.#averageDelayMs + delayMs) / 2;
    const { bounds } = this;
    if (bounds.memoryMiB > 0 && this.#sampleCount++ % CHECKS_PER_MEMORY_READ === 0)
      this.#memoryBytes = this.#options.memory?.() ?? getMemoryInUse();
    this.#update(this.#findExcess(bounds), now);
  }

  #findExcess({ loopDelayMs, memoryMiB }: LoadSheddingBounds): OverloadReason | null {
    const getFactor = (excess: OverloadReason, recoveryFactor: number): number => (this.#reason === excess ? recoveryFactor : 1);
    if (memoryMiB > 0 && this.#memoryBytes > memoryMiB * MEBIBYTE * getFactor('memory', MEMORY_RECOVERY_FACTOR)) return 'memory';
    if (loopDelayMs > 0 && this.#averageDelayMs > loopDelayMs * getFactor('loop delay', DELAY_RECOVERY_FACTOR)) return 'loop delay';
    return null;
  }

  #update(excess: OverloadReason | null, now: number): void {
    const previousExcess = this.#reason;
    this.#reason = excess;
    if (previousExcess === null && excess !== null) {
      this.#overloadedAt = now;
      this.#options.log.warn({ excess, ...this.#getMeasurements() }, 'overloaded; rejecting new requests');
    } else if (previousExcess !== null && excess === null) {
      this.#options.log.info({ forMs: Math.round(now - this.#overloadedAt), ...this.#getMeasurements() }, 'accepting new requests again');
    }
  }

  #getMeasurements() {
    return {
      loopDelayMs: Math.round(this.#averageDelayMs),
      ...(this.#memoryBytes > 0 && { memoryMiB: Math.round(this.#memoryBytes / MEBIBYTE) }),
    };
  }

  #formatMeasurement(): string {
    return this.#reason === 'memory' ? `${Math.round(this.#memoryBytes / MEBIBYTE)} MiB` : `${Math.round(this.#averageDelayMs)} ms`;
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until the options are read. Use `getRouteOptions`. */
    keptRouteOptions: FastifyRequest['routeOptions'] | null;
  }
}

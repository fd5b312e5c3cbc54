/** Detects overload of the process by event-loop delay and memory: new requests are then rejected before their bodies are read. Its default limits come from the container, the machine and the heap limit of V8. */
import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config/config.ts';
import { type ErrorOf, GatewayError, type KeyedName, tryAgainIn } from '../errors.ts';
import { type BodyMemoryBounds, FORM_WEIGHT, MEBIBYTE, PACKED_WEIGHT } from '../limits/body-memory.ts';
import type { Excess, Log } from '../telemetry/log.ts';

export interface LoadSheddingBounds {
  /** Smoothed delay of the event loop; 0 turns this limit off. */
  readonly loopDelayMs: number;
  /** Memory in use, in MiB; 0 turns this limit off. */
  readonly memoryMb: number;
}

interface LoadSheddingOptions {
  readonly bounds: LoadSheddingBounds;
  readonly log: Pick<Log, 'warn' | 'info'>;
  /** Memory of the process, in bytes; tests pass their own. */
  readonly memory?: () => number;
}

const LOOK_MS = 100;
/** Reading the memory reads a file of the system, so it is done every fifth check only. */
const LOOKS_A_MEMORY = 5;
/** Hysteresis: load shedding ends only below these shares of the limits, or it would start again with the next request. */
const END_OF_DELAY = 0.5;
const END_OF_MEMORY = 0.95;

/** Memory outside the heap: code, stacks, native libraries. */
const BESIDE_THE_HEAP = 96 * MEBIBYTE;

/** At most the resident set size. Less when the allocator keeps freed memory, which may be gigabytes: that memory counts as free. */
export function memoryInUse(
  { rss, heapTotal, external }: Pick<NodeJS.MemoryUsage, 'rss' | 'heapTotal' | 'external'> = process.memoryUsage(),
): number {
  return Math.min(rss, heapTotal + external + BESIDE_THE_HEAP);
}

export class LoadShedding {
  readonly #options: LoadSheddingOptions;
  /** A reload may change them. */
  bounds: LoadSheddingBounds;
  #timer: NodeJS.Timeout | undefined;
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
    this.bounds = options.bounds;
  }

  /** Called when the server starts to listen: before that no request can be rejected, and loading modules may block the event loop for a long time. */
  begin(): void {
    this.#lookedAt = performance.now();
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
  }

  /** The limit that is exceeded; null if new requests are accepted. */
  get excess(): Excess | null {
    return this.#excess;
  }

  /** The error for new requests; null if they are accepted. */
  get refusal(): ErrorOf<KeyedName | 'getCatalog', 503> | null {
    return this.#excess === null
      ? null
      : new GatewayError('overloaded', {
          message: `The gateway is overloaded. ${tryAgainIn(1)}`,
          headers: { 'retry-after': '1' },
        });
  }

  /** A sentence for `/readyz`; null if new requests are accepted. */
  describe(): string | null {
    return this.#excess === null ? null : `rejecting new calls: ${this.#excess} too high (${this.#shown()})`;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const now = performance.now();
    // The lateness of this timer is the time that the event loop was blocked. Halving the average lets one long block count immediately, a short one only when repeated.
    const late = Math.max(now - this.#lookedAt - LOOK_MS, 0);
    this.#lookedAt = now;
    this.#delay = (this.#delay + late) / 2;
    const { bounds } = this;
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
      this.#options.log.warn({ excess, ...this.#measured() }, 'overloaded; rejecting new requests');
    } else if (before !== null && excess === null) {
      this.#options.log.info({ forMs: Math.round(now - this.#beganAt), ...this.#measured() }, 'accepting new requests again');
    }
  }

  #measured() {
    return { loopDelayMs: Math.round(this.#delay), ...(this.#memory > 0 && { memoryMb: Math.round(this.#memory / MEBIBYTE) }) };
  }

  #shown(): string {
    return this.#excess === 'memory' ? `${Math.round(this.#memory / MEBIBYTE)} MiB` : `${Math.round(this.#delay)} ms`;
  }
}

interface Machine {
  /** Bytes: the limit of the container, otherwise all memory of the machine. */
  readonly memory: number;
  /** Bytes: over this V8 ends the process. */
  readonly heap: number;
}

/** `processes`: how many of them share the memory. */
export function lookAtMachine(processes = 1): Machine {
  // Without a limit, 0 or more than any machine has.
  const container = process.constrainedMemory();
  const machine = totalmem();
  const memory = container > 0 ? Math.min(container, machine) : machine;
  return { memory: memory / processes, heap: getHeapStatistics().heap_size_limit };
}

/** A busy process needs at least this much. */
const MIN_MEMORY = 384 * MEBIBYTE;
const SHARE_OF_MEMORY = 0.75;
const SHARE_OF_HEAP = 0.9;
/** Memory that a process uses outside the heap, at most. */
const OUTSIDE_THE_HEAP = 128 * MEBIBYTE;
const SHARE_OF_BODIES = 0.25;

type ServerSettings = Pick<Config['server'], 'shed' | 'bodyLimitBytes' | 'uploadLimitBytes'>;

/** The limits of load shedding. The heap counts too: V8 ends the process when it is full, however much memory is free. */
export function overloadBounds({ shed }: Pick<ServerSettings, 'shed'>, { memory, heap }: Machine): LoadSheddingBounds {
  const standard = Math.max(Math.min(memory * SHARE_OF_MEMORY, heap * SHARE_OF_HEAP + OUTSIDE_THE_HEAP), MIN_MEMORY);
  return { loopDelayMs: shed.loopDelayMs, memoryMb: shed.memoryMb ?? Math.floor(standard / MEBIBYTE) };
}

const SHARE_OF_KEY = 0.25;

/** The limits on memory for bodies. One key gets a quarter; the largest request that the configuration allows always fits when its key has no other. */
export function roomBounds({ shed, bodyLimitBytes, uploadLimitBytes }: ServerSettings, { memory, heap }: Machine): BodyMemoryBounds {
  const largest = Math.max(bodyLimitBytes * PACKED_WEIGHT, uploadLimitBytes * FORM_WEIGHT);
  const standard = Math.max(Math.min(memory, heap) * SHARE_OF_BODIES, largest);
  const total = shed.bodiesMb === undefined ? Math.floor(standard) : shed.bodiesMb * MEBIBYTE;
  if (shed.bodiesPerKeyMb !== undefined) return { total, perKey: shed.bodiesPerKeyMb * MEBIBYTE, alone: shed.bodiesPerKeyMb * MEBIBYTE };
  const perKey = Math.floor(total * SHARE_OF_KEY);
  return { total, perKey, alone: Math.max(perKey, Math.min(largest, total)) };
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until they are read; use `routeOptionsOf`. */
    keptRouteOptions: FastifyRequest['routeOptions'] | null;
  }
}

/** Not for use after `reply.callNotFound()`, which changes the route. */
export function routeOptionsOf(request: FastifyRequest): FastifyRequest['routeOptions'] {
  request.keptRouteOptions ??= request.routeOptions;
  return request.keptRouteOptions;
}

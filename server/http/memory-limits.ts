/** What this process may take of the machine, where the configuration does not say it: worked out once from the container, the machine and the heap. */
import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import type { Config } from '../config/config.ts';
import { type BodyMemoryBounds, formWeight, MEBIBYTE, packedWeight } from '../limits/body-memory.ts';
import type { LoadSheddingBounds } from './load-shedding.ts';

export interface Machine {
  /** Bytes that the process may take: the limit of its container, else all that the machine has. */
  readonly memory: number;
  /** Bytes over which V8 gives up. */
  readonly heap: number;
}

export function lookAtMachine(): Machine {
  // 0, or more than any machine has, where nothing limits it.
  const container = process.constrainedMemory();
  const machine = totalmem();
  return { memory: container > 0 ? Math.min(container, machine) : machine, heap: getHeapStatistics().heap_size_limit };
}

/** A process that is busy is not content with less. */
const LEAST_MEMORY = 384 * MEBIBYTE;
const SHARE_OF_MEMORY = 0.75;
const SHARE_OF_HEAP = 0.9;
/** What a process uses that is not in the heap. */
const BESIDE_THE_HEAP = 128 * MEBIBYTE;
const SHARE_OF_BODIES = 0.25;

type ServerSettings = Pick<Config['server'], 'shed' | 'bodyLimitBytes' | 'uploadLimitBytes'>;

/** A heap that is full ends the process, whatever else the machine has. */
export function overloadBounds({ shed }: Pick<ServerSettings, 'shed'>, { memory, heap }: Machine): LoadSheddingBounds {
  const standard = Math.max(Math.min(memory * SHARE_OF_MEMORY, heap * SHARE_OF_HEAP + BESIDE_THE_HEAP), LEAST_MEMORY);
  return { loopDelayMs: shed.loopDelayMs, memoryMb: shed.memoryMb ?? Math.floor(standard / MEBIBYTE) };
}

const SHARE_OF_KEY = 0.25;

/** One key has a quarter of it; but the largest request that the configuration lets through has room in any case, where its key has no other. */
export function roomBounds({ shed, bodyLimitBytes, uploadLimitBytes }: ServerSettings, { memory, heap }: Machine): BodyMemoryBounds {
  const largest = Math.max(bodyLimitBytes * packedWeight, uploadLimitBytes * formWeight);
  const standard = Math.max(Math.min(memory, heap) * SHARE_OF_BODIES, largest);
  const total = shed.bodiesMb === undefined ? Math.floor(standard) : shed.bodiesMb * MEBIBYTE;
  if (shed.bodiesPerKeyMb !== undefined) return { total, perKey: shed.bodiesPerKeyMb * MEBIBYTE, alone: shed.bodiesPerKeyMb * MEBIBYTE };
  const perKey = Math.floor(total * SHARE_OF_KEY);
  return { total, perKey, alone: Math.max(perKey, Math.min(largest, total)) };
}

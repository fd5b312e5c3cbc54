/** Default memory limits, from the container's limit, the machine's memory and the heap limit of V8. */
import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import type { Config } from '../config/config.ts';
import { type BodyMemoryBounds, FORM_WEIGHT, MEBIBYTE, PACKED_WEIGHT } from '../limits/body-memory.ts';
import type { LoadSheddingBounds } from './load-shedding.ts';

export interface Machine {
  /** Bytes: the limit of the container, otherwise all memory of the machine. */
  readonly memory: number;
  /** Bytes: over this V8 ends the process. */
  readonly heap: number;
}

export function lookAtMachine(): Machine {
  // 0, or more than any machine has, when there is no limit.
  const container = process.constrainedMemory();
  const machine = totalmem();
  return { memory: container > 0 ? Math.min(container, machine) : machine, heap: getHeapStatistics().heap_size_limit };
}

/** A busy process needs at least this much. */
const LEAST_MEMORY = 384 * MEBIBYTE;
const SHARE_OF_MEMORY = 0.75;
const SHARE_OF_HEAP = 0.9;
/** Memory that a process uses outside the heap. */
const BESIDE_THE_HEAP = 128 * MEBIBYTE;
const SHARE_OF_BODIES = 0.25;

type ServerSettings = Pick<Config['server'], 'shed' | 'bodyLimitBytes' | 'uploadLimitBytes'>;

/** The limits of load shedding. The heap counts too: V8 ends the process when it is full, however much memory is free. */
export function overloadBounds({ shed }: Pick<ServerSettings, 'shed'>, { memory, heap }: Machine): LoadSheddingBounds {
  const standard = Math.max(Math.min(memory * SHARE_OF_MEMORY, heap * SHARE_OF_HEAP + BESIDE_THE_HEAP), LEAST_MEMORY);
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

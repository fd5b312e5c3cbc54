/** Computes the default limits of load shedding and of memory for bodies, from the container, the machine, and the heap limit of V8. */
import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import type { Config } from '../../config/config.ts';
import { type BodyMemoryBounds, COMPRESSED_BODY_WEIGHT, FORM_WEIGHT, MEBIBYTE } from '../../limits/body-memory.ts';
import type { LoadSheddingBounds } from './load-shedding.ts';

interface MachineMemory {
  /** Bytes: the container's limit, otherwise the machine's memory. */
  readonly memory: number;
  /** Bytes. V8 crashes the process above this heap size. */
  readonly heap: number;
}

/** `processes`: the number of processes that share the memory. */
export function measureMachineMemory(processes = 1): MachineMemory {
  // Without a limit, the value is 0 or exceeds any machine's memory.
  const containerLimit = process.constrainedMemory();
  const totalMemory = totalmem();
  const memory = containerLimit > 0 ? Math.min(containerLimit, totalMemory) : totalMemory;
  return { memory: memory / processes, heap: getHeapStatistics().heap_size_limit };
}

/** A busy process needs at least this many bytes. */
const MIN_MEMORY_BYTES = 384 * MEBIBYTE;

const MEMORY_FRACTION = 0.75;

const HEAP_FRACTION = 0.9;

/** Maximum bytes that a process uses outside the heap. */
const OFF_HEAP_BYTES = 128 * MEBIBYTE;

const BODY_MEMORY_FRACTION = 0.25;

type ServerSettings = Pick<Config['server'], 'overload' | 'bodyLimitBytes' | 'uploadLimitBytes'>;

/** Computes the limits of load shedding. The heap counts too: V8 crashes the process when it's full, however much memory is free. */
export function getOverloadBounds({ overload }: Pick<ServerSettings, 'overload'>, { memory, heap }: MachineMemory): LoadSheddingBounds {
  const defaultBytes = Math.max(Math.min(memory * MEMORY_FRACTION, heap * HEAP_FRACTION + OFF_HEAP_BYTES), MIN_MEMORY_BYTES);
  return { loopDelayMs: overload.loopDelayMs, memoryMiB: overload.memoryMiB ?? Math.floor(defaultBytes / MEBIBYTE) };
}

const KEY_FRACTION = 0.25;

/** Computes the limits on body memory. One key gets a quarter. The largest configured request always fits if it's the key's only one. */
export function getCapacityBounds(
  { overload, bodyLimitBytes, uploadLimitBytes }: ServerSettings,
  { memory, heap }: MachineMemory,
): BodyMemoryBounds {
  const largestBody = Math.max(bodyLimitBytes * COMPRESSED_BODY_WEIGHT, uploadLimitBytes * FORM_WEIGHT);
  const defaultBytes = Math.max(Math.min(memory, heap) * BODY_MEMORY_FRACTION, largestBody);
  const total = overload.bodiesMiB === undefined ? Math.floor(defaultBytes) : overload.bodiesMiB * MEBIBYTE;
  if (overload.bodiesPerKeyMiB !== undefined)
    return { total, perKey: overload.bodiesPerKeyMiB * MEBIBYTE, alone: overload.bodiesPerKeyMiB * MEBIBYTE };
  const perKey = Math.floor(total * KEY_FRACTION);
  return { total, perKey, alone: Math.max(perKey, Math.min(largestBody, total)) };
}

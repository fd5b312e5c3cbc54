/** Logs for the tests of limits in Redis: one discards its lines, and one keeps them for the test. */
import type { LimitsLog } from '../../../server/limits/redis/redis-limits.ts';

export const silent: LimitsLog = { warn: () => undefined, info: () => undefined };

export interface KeptLog extends LimitsLog {
  readonly lines: string[];
}

export function openKeptLog(): KeptLog {
  const lines: string[] = [];
  return { lines, warn: (_fields, message) => void lines.push(message), info: (_fields, message) => void lines.push(message) };
}

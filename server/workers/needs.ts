/** What several workers cannot do. */
import type { Config } from '../config/config.ts';

/** Why several processes cannot serve this configuration; null when they can. */
export function workersProblem({ tape }: Pick<Config, 'tape'>): string | null {
  return tape === null ? null : 'Calls are recorded or replayed by one process: leave --workers out.';
}

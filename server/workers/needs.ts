/** What a gateway of several workers needs. */
import type { Config } from '../config/config.ts';

/** Why several processes cannot serve this configuration; null when they can. */
export function workersProblem({ database, redis, tape }: Pick<Config, 'database' | 'redis' | 'tape'>): string | null {
  if (tape !== null) return 'Calls are recorded or replayed by one process: leave --workers out.';
  const lacking = [
    ...(database.url === undefined ? ['PostgreSQL (DATABASE_URL)'] : []),
    ...(redis.url === undefined ? ['Redis (REDIS_URL)'] : []),
  ];
  if (lacking.length === 0) return null;
  return `Several workers need ${lacking.join(' and ')}: the embedded database and limits in memory belong to one process. Leave --workers out, or set what is missing.`;
}

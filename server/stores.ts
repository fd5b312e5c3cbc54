/** Where everything is kept: the embedded SQLite file, or PostgreSQL, for many processes on one store. Only what is used is loaded. */
import type { Environment } from './access/pepper.ts';
import type { Config } from './config/config.ts';
import type { Stores } from './stores/stores.ts';

type Place = Pick<Config, 'data' | 'durability' | 'database'>;

export interface StoresOptions {
  /** That of the process where omitted. */
  readonly env?: Environment | undefined;
  /** Whether anybody has called yet: before that, the embedded database does without its thread. */
  readonly isCalled: () => boolean;
  /** Told when a server is found to hang, and when it answers again. */
  readonly changed: (isHung: boolean) => void;
}

export async function openStores(place: Place, { env, isCalled, changed }: StoresOptions): Promise<Stores> {
  const { url, timeoutMs } = place.database;
  if (url === undefined) return await (await import('./stores/embedded.ts')).openEmbedded(place, { env, isCalled });
  return await (await import('./stores/shared.ts')).openShared({ url, timeoutMs, changed, isKeptFull: true }, place.data, env);
}

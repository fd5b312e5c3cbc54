/** Opens the store: the embedded SQLite file, or PostgreSQL, which many processes can share. Loads only the driver that is used. */
import type { Environment } from '../../access/pepper.ts';
import type { Config } from '../../config/config.ts';
import type { Stores } from './stores.ts';

type StoresConfig = Pick<Config, 'data' | 'durability' | 'database'>;

interface StoresOptions {
  /** Defaults to the process's environment. */
  readonly env?: Environment | undefined;
  /** Whether the gateway has had a call. Before the first one, the embedded database runs without its thread. */
  readonly isCalled: () => boolean;
  /** Called when a server hangs, and when it responds again. */
  readonly changed: (isHung: boolean) => void;
}

export async function openStores(
  config: StoresConfig,
  { env, isCalled: hasBeenCalled, changed: onHangChange }: StoresOptions,
): Promise<Stores> {
  const { url, timeoutMs } = config.database;
  if (url === undefined) return await (await import('./embedded.ts')).openEmbedded(config, { env, isCalled: hasBeenCalled });
  return await (await import('./shared.ts')).openShared({ url, timeoutMs, changed: onHangChange, isKeptFull: true }, config.data, env);
}

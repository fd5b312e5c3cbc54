/** The servers that goals compare: Modelgate, alone and over shared stores, bare servers, and other gateways where they are installed. */
import type { Loaded } from './child.ts';
import { type ForeignName, foreignNames, isInstalled, startForeign } from './foreign.ts';
import { createKeys, startModelgate } from './modelgate.ts';
import { type Ground, type ServerName, say, setupOn, startServer } from './servers.ts';
import { startStores } from './stores.ts';

/** `governed` is a default installation: request log, sums, alerts and metrics are on. `shared`: the same over PostgreSQL and Redis. `many`: with 1,000 keys in use, `few`: with 10. */
export type GoalServer = ServerName | ForeignName | 'shared' | 'few' | 'many';

export const titles: Readonly<Record<GoalServer, string>> = {
  fastify: 'Fastify + undici',
  nginx: 'nginx',
  floor: 'floor',
  'floor-governed': 'governed floor',
  modelgate: 'plain',
  governed: 'governed',
  shared: 'governed, PostgreSQL + Redis',
  few: '10 keys',
  many: '1,000 keys',
  portkey: 'Portkey',
  litellm: 'LiteLLM',
};

const MANY_KEYS = 1_000;
const FEW_KEYS = 10;

interface Started {
  readonly servers: ReadonlyMap<GoalServer, Loaded>;
  close(): Promise<void>;
}

/** They share a core. A server that cannot be had is left out. */
export async function startGoalServers(names: ReadonlySet<GoalServer>, ground: Ground): Promise<Started> {
  const servers = new Map<GoalServer, Loaded>();
  const closing: (() => Promise<unknown>)[] = [];
  const keep = <T extends Loaded>(name: GoalServer, server: T): T => {
    closing.unshift(() => server.stop());
    servers.set(name, server);
    return server;
  };
  const close = async (): Promise<void> => {
    for (const one of closing) await one();
  };
  const own = { ...setupOn(ground), hasAdmin: true };
  try {
    for (const name of names) {
      if (name === 'few') continue;
      if (name === 'governed') keep(name, await startModelgate(own));
      else if (name === 'many') {
        const gateway = keep(name, await startModelgate(own));
        const keys = await createKeys(gateway, MANY_KEYS, true);
        servers.set('few', { ...gateway, keys: keys.slice(0, FEW_KEYS) }).set('many', { ...gateway, keys });
      } else if (name === 'shared') {
        const stores = await startStores(ground.cores).catch(() => null);
        if (stores) {
          closing.unshift(() => stores.close());
          keep(name, await startModelgate({ ...own, stores: stores.variables }));
        } else say('notice: without PostgreSQL and Redis their row is left out');
      } else if (!isForeign(name)) keep(name, await startServer(name, ground));
      else if (isInstalled(name)) keep(name, await startForeign(name, ground));
      else say(`notice: ${name} is not installed, its rows are left out`);
    }
    return { servers, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const isForeign = (name: ServerName | ForeignName): name is ForeignName => foreignNames.some((foreign) => foreign === name);

/** The servers that goals compare: Modelgate, alone, over shared stores, and of earlier commits, bare servers, and other gateways where they are installed. */
import { checkOut, findCommit, findRelease } from './checkout.ts';
import type { Loaded } from './child.ts';
import { type ForeignName, foreignNames, isInstalled, startForeign } from './foreign.ts';
import { createKeys, startModelgate } from './modelgate.ts';
import { type Ground, type ServerName, say, setupOn, startServer } from './servers.ts';
import { startStores } from './stores.ts';

/** `governed` is a default installation: request log, sums, alerts and metrics are on. `shared`: the same over PostgreSQL and Redis. `many`: with 1,000 keys in use, `few`: with 10. `before` and `release`: governed, of an earlier commit. */
export type GoalServer = ServerName | ForeignName | EarlierName | 'shared' | 'few' | 'many';
type EarlierName = 'before' | 'release';

/** The commit before a call was made cheaper, and settings that have had other names then. */
const BEFORE = 'a668aa68';
const renames = [
  ['maxConcurrentRequests', 'connections'],
  ['overload', 'shed'],
] as const;
const revisions = { before: () => BEFORE, release: findRelease } as const;

export const titles: Readonly<Record<GoalServer, string>> = {
  fastify: 'Fastify + undici',
  nginx: 'nginx',
  floor: 'governed floor',
  modelgate: 'plain',
  governed: 'governed',
  before: `governed of ${BEFORE}`,
  release: 'governed of the last release',
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
      } else if (name === 'before' || name === 'release') {
        const program = findEarlier(name);
        if (program !== null) keep(name, await startModelgate({ ...own, program, ...(name === 'before' && { renames }) }));
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

/** Returns the command line, or null where this clone has no such commit, after a notice. */
function findEarlier(name: EarlierName): string | null {
  const revision = revisions[name]();
  const commit = revision === null ? null : findCommit(revision);
  if (commit !== null) return checkOut(commit, name).program;
  say(`notice: ${revision === null ? 'no release yet' : `this clone has no commit ${revision}`}; its rows are skipped`);
  return null;
}

const isForeign = (name: ServerName | ForeignName): name is ForeignName => foreignNames.some((foreign) => foreign === name);

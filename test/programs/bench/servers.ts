/** The servers that are compared, and the vendor behind them. */
import { fileURLToPath } from 'node:url';
import { Child, type Cores, type Running } from './child.ts';
import { startModelgate } from './modelgate.ts';

/**
 * `modelgate`: billing off and no limits. `governed`: every call is held, limited and charged. `unlogged`: the same without the request log.
 * `cloud`: like `modelgate`, with an upstream whose requests are signed. `floor`: what this contract costs at the least, plain and governed.
 */
export type ServerName = 'node:http' | 'fastify' | 'floor' | 'floor-governed' | 'modelgate' | 'governed' | 'unlogged' | 'cloud';

export interface Ground {
  readonly cores: Cores | null;
  readonly vendorOrigin: string;
  readonly profile: string | undefined;
}

export async function startVendor(cores: Cores | null): Promise<Running> {
  return startOwn(['./vendor.ts'], cores?.load);
}

const scripts: Partial<Record<ServerName, readonly [script: string, kind?: string]>> = {
  'node:http': ['./pass-through.ts'],
  fastify: ['./fastify.ts'],
  floor: ['./floor.ts'],
  'floor-governed': ['./floor.ts', 'governed'],
};

export function startServer(name: ServerName, { cores, vendorOrigin, profile }: Ground): Promise<Running> {
  const own = scripts[name];
  if (own) return startOwn([own[0], vendorOrigin, own[1] ?? ''], cores?.server);
  const [isGoverned, isUnlogged, hasCloud] = [name === 'governed' || name === 'unlogged', name === 'unlogged', name === 'cloud'];
  return startModelgate({ vendorUrl: `${vendorOrigin}/v1`, isGoverned, isUnlogged, hasCloud, core: cores?.server, profile });
}

async function startOwn([script = '', ...args]: readonly string[], core: number | undefined): Promise<Running> {
  const child = new Child({ args: [fileURLToPath(new URL(script, import.meta.url)), ...args], core, env: { NODE_ENV: 'production' } });
  return { child, origin: `http://127.0.0.1:${await child.port()}`, key: 'mg-bench', stop: () => child.stop() };
}

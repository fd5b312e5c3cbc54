/** The servers that are compared, the vendor behind them, and what a run of the benchmark has: its cores and its size. */
import { fileURLToPath } from 'node:url';
import type { Asked } from './asked.ts';
import { Child, type Cores, type Running } from './child.ts';
import { WrongAnswer } from './load.ts';
import { startModelgate } from './modelgate.ts';

/** `modelgate`: billing off and no limits. `governed`: every call is held, limited and charged. `floor`: the least that a governed call costs. */
export type ServerName = 'fastify' | 'floor' | 'modelgate' | 'governed';

export interface Ground {
  readonly cores: Cores | null;
  readonly vendorOrigin: string;
  /** Whether Modelgate takes every call, however late its event loop is: a look on a busy machine shouldn't end with a 503. */
  readonly takesAll: boolean;
}

export interface Run {
  readonly ground: Ground;
  readonly vendor: Running;
  /** For a look, not for a number. */
  readonly isQuick: boolean;
  /** Left out: as many as the rows usually have. */
  readonly rounds: number | undefined;
}

/** Progress goes to stderr, so that stdout is the result alone. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

export async function startVendor(cores: Cores | null): Promise<Running> {
  return startOwn(['./vendor.ts'], cores?.load);
}

const scripts: Partial<Record<ServerName, string>> = { fastify: './fastify.ts', floor: './floor.ts' };

export function startServer(name: ServerName, ground: Ground): Promise<Running> {
  const script = scripts[name];
  if (script !== undefined) return startOwn([script, ground.vendorOrigin], ground.cores?.server);
  return startModelgate({ ...setupOn(ground), isGoverned: name === 'governed' });
}

/** Governed. */
export const setupOn = ({ vendorOrigin, cores, takesAll }: Ground) => ({
  vendorUrl: `${vendorOrigin}/v1`,
  isGoverned: true,
  core: cores?.server,
  takesAll,
});

async function startOwn([script = '', ...args]: readonly string[], core: number | undefined): Promise<Running> {
  const child = new Child({ args: [fileURLToPath(new URL(script, import.meta.url)), ...args], core, env: { NODE_ENV: 'production' } });
  return { child, origin: `http://127.0.0.1:${await child.port()}`, key: 'mg-bench', stop: () => child.stop() };
}

/** Says whose wrong answer it was. */
export async function blaming<T>(name: string, { title }: Asked, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof WrongAnswer ? new WrongAnswer(`${name}, ${title}: ${error.message}`) : error;
  }
}

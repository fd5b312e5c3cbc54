/** Opens a gateway for tests: on 127.0.0.1, with a key, without listeners for operators or metrics. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issueKey } from '../access/issue-key.ts';
import { loadConfig } from '../config/config.ts';

import type { Flags } from '../config/overrides.ts';
import type { Environment } from '../config/references.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { parseDollars } from '../money/dollars.ts';
import type { Script } from '../providers/simulator/script.ts';
import type { Simulator } from '../providers/simulator/simulator.ts';
import type { LineSink } from '../telemetry/line-sink.ts';
import { openLog } from '../telemetry/log.ts';
import { finishFirstStart, resolvePredefinedKey } from './commands/first-start.ts';
import { listen } from './commands/listen.ts';

export interface TestGatewayOptions {
  /** Without `data`, the gateway gets a new temporary folder, which is deleted at the end. */
  readonly flags: Flags;
  readonly env: Environment;
  /** Receives log lines. */
  readonly sink?: LineSink;
  /** Opening balance in dollars. */
  readonly balance?: string | undefined;
  /** The key is derived from it. */
  readonly seed?: string | undefined;
}

export interface TestGateway {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Undefined if no upstream is a simulator. */
  readonly script: Script | undefined;
}

/** Functions that close opened resources. They run in reverse order. */
export type Cleanups = (() => Promise<unknown>)[];

export async function openTestGateway({ flags, env, sink, ...firstStart }: TestGatewayOptions, cleanups: Cleanups): Promise<TestGateway> {
  const [{ openGateway }, { openApp }] = await Promise.all([import('../gateway/gateway.ts'), import('../api/app.ts')]);
  const data = flags.data ?? (await mkdtemp(join(tmpdir(), 'modelgate-')));
  if (flags.data === undefined) cleanups.push(() => rm(data, { recursive: true, force: true }));
  const config = loadConfig({ ...flags, data, host: '127.0.0.1', port: flags.port ?? 0, workers: 1 }, env);
  const gateway = await openGateway(config, openLog(config, sink), env);
  cleanups.push(() => gateway.close());
  const app = await openApp(gateway);
  cleanups.push(async () => {
    app.server.closeAllConnections();
    await app.close();
  });
  const origin = await listen(app, config.server);
  return { baseUrl: `${origin}/v1`, apiKey: await getApiKey(gateway, firstStart), script: findScript(gateway) };
}

export async function closeTestGateway(cleanups: Cleanups): Promise<void> {
  for (const close of cleanups.splice(0).reverse()) await close();
}

/** Returns undefined if every scripted answer was used. */
export function describeUnusedAnswers(script: Script | undefined): string | undefined {
  const unused = script?.unused ?? [];
  return unused.length === 0 ? undefined : `Scripted answers weren't used: ${JSON.stringify(unused)}`;
}

function findScript({ config, upstreams }: Gateway): Script | undefined {
  const name = Object.values(config.upstreams).find(({ kind }) => kind === 'simulator')?.name;
  // `as`: only simulators have this kind.
  return name === undefined ? undefined : (upstreams.find(name) as Simulator).script;
}

async function getApiKey({ access, money }: Gateway, { balance, seed }: Pick<TestGatewayOptions, 'balance' | 'seed'>): Promise<string> {
  const issuer = { ...access, now: Date.now };
  const firstKey = await finishFirstStart(issuer, money?.ledger ?? null, {
    chosen: resolvePredefinedKey({ ...(seed !== undefined && { seed }) }),
    ...(balance !== undefined && { balance: parseDollars(balance) }),
  });
  // Existing keys are stored only as hashes, so a folder with keys gets a new one.
  return firstKey ?? (await issueKey({ accountName: 'default', name: 'startGateway' }, issuer)).key;
}

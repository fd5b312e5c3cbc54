/**
 * Starts a gateway inside the process of a user's tests: the exports of `modelgate/testing`. Its types refer to no other type, so that they can be published
 * unchanged.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issueKey } from '../access/issue-key.ts';
import { loadConfig } from '../config/config.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { parseDollars } from '../money/dollars.ts';
import { openLog } from '../telemetry/log.ts';
import { finishFirstStart } from './commands/first-start.ts';
import { listen } from './commands/listen.ts';

/** Options of `startGateway`. All are optional. */
export interface StartOptions {
  /**
   * The path of a configuration file, or an object with the same keys (`upstreams`, `models`, `billing`, …). Defaults
   * to the built-in simulator with the seven standard models, without a delay between events. An object without
   * `upstreams` gets the same simulator.
   */
  readonly config?: string | Readonly<Record<string, unknown>>;
  /** Path of the data folder. Defaults to a new temporary folder, which `stop` deletes. A folder that you specify isn't deleted. */
  readonly data?: string;
  /** Port on 127.0.0.1. Defaults to 0, which selects a free port. */
  readonly port?: number;
  /** Opening balance of the key's account in dollars, such as `'2.50'`, for a new data folder. Defaults to 100. */
  readonly balance?: string;
  /**
   * Values for `${NAME}` in a file, instead of environment variables. The process environment is never read, so that
   * no provider key is used by accident.
   */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** A running gateway. */
export interface StartedGateway {
  /** Base URL for callers. Ends in `/v1`. */
  readonly baseUrl: string;
  /** A key of the account `default`. */
  readonly apiKey: string;
  /** Stops the gateway, closes open connections, and deletes a temporary data folder. Further calls wait for the same stop. */
  readonly stop: () => Promise<void>;
  /** Same as `stop`, for `await using`. */
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

/**
 * Starts a gateway in this process, without listeners for operators or metrics, output on stdout, or signal handlers.
 * Resolves when the gateway accepts calls. If the configuration is invalid, throws what `modelgate config check`
 * reports. docs/guides/testing-with-a-gateway.md shows it in a test suite.
 */
export async function startGateway(options: StartOptions = {}): Promise<StartedGateway> {
  const cleanups: (() => Promise<unknown>)[] = [];
  let stopPromise: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopPromise ??= closeAll(cleanups);
    return stopPromise;
  };
  try {
    const connection = await openTestGateway(options, cleanups);
    return { ...connection, stop, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** `opened` collects the functions that close what was opened. They run in reverse order. */
async function openTestGateway(
  options: StartOptions,
  cleanups: (() => Promise<unknown>)[],
): Promise<Pick<StartedGateway, 'baseUrl' | 'apiKey'>> {
  const [{ openGateway }, { openApp }] = await Promise.all([import('../gateway/gateway.ts'), import('../api/app.ts')]);
  const data = options.data ?? (await mkdtemp(join(tmpdir(), 'modelgate-')));
  if (options.data === undefined) cleanups.push(() => rm(data, { recursive: true, force: true }));
  const env = { MODELGATE_LOG_LEVEL: 'silent', ...options.env };
  const config = loadConfig({ ...toConfigSource(options), data, host: '127.0.0.1', port: options.port ?? 0 }, env);
  const gateway = await openGateway(config, openLog(config), env);
  cleanups.push(() => gateway.close());
  const app = await openApp(gateway);
  cleanups.push(async () => {
    app.server.closeAllConnections();
    await app.close();
  });
  const origin = await listen(app, config.server);
  return { baseUrl: `${origin}/v1`, apiKey: await getApiKey(gateway, options.balance) };
}

/** Tests share their process and their machine with the gateway, so load shedding is off unless the object sets it. */
const defaultConfig = {
  upstreams: { simulator: { kind: 'simulator', eventDelayMs: 0 } },
  server: { overload: { loopDelayMs: 0, memoryMiB: 0 } },
};

function toConfigSource({ config = {} }: StartOptions): { readonly file: string } | { readonly settings: object } {
  return typeof config === 'string'
    ? { file: config }
    : { settings: { ...defaultConfig, ...config, server: { ...defaultConfig.server, ...Object(config.server) } } };
}

async function getApiKey({ access, money }: Gateway, balance: string | undefined): Promise<string> {
  const issuer = { ...access, now: Date.now };
  const firstKey = await finishFirstStart(issuer, money?.ledger ?? null, {
    ...(balance !== undefined && { balance: parseDollars(balance) }),
  });
  // Existing keys are stored only as hashes, so a folder with keys gets a new one.
  return firstKey ?? (await issueKey({ accountName: 'default', name: 'startGateway' }, issuer)).key;
}

async function closeAll(cleanups: (() => Promise<unknown>)[]): Promise<void> {
  for (const close of cleanups.splice(0).reverse()) await close();
}

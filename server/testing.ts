/** A gateway inside the process of a user's tests: the exports of `modelgate/testing`. Its types name no other type, so that they can be published as they are. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issueKey } from './access/issue.ts';
import { completeFirstStart } from './commands/first-start.ts';
import { listen } from './commands/serving.ts';
import { loadConfig } from './config/config.ts';
import type { Gateway } from './gateway.ts';
import { parseDollars } from './ledger/charge.ts';
import { openLog } from './telemetry/log.ts';

/** Options of `startGateway`. All are optional. */
export interface StartOptions {
  /**
   * The path of a configuration file, or an object with the same keys (`upstreams`, `models`, `billing`, …). Omitted: the built-in simulator with
   * the seven standard models, and no pause between events. An object without `upstreams` gets that simulator too.
   */
  readonly config?: string | Readonly<Record<string, unknown>>;
  /** The data folder, as a path. Omitted: a new one in the folder for temporary files, which `stop` deletes. One that is given stays. */
  readonly data?: string;
  /** The port on 127.0.0.1. Omitted or 0: any free one. */
  readonly port?: number;
  /** Opening balance of the key's account in dollars, such as `'2.50'`, for a new data folder. Defaults to 100. */
  readonly balance?: string;
  /** Values for `${NAME}` in a file, instead of environment variables. The process environment is never read, so that no provider key is used by accident. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** A gateway that runs. */
export interface StartedGateway {
  /** Where callers find it; ends in `/v1`. */
  readonly baseUrl: string;
  /** A key of the account `default`. */
  readonly apiKey: string;
  /** Ends it: open connections are cut, the new data folder is deleted. Asked again, it waits for the same end. */
  readonly stop: () => Promise<void>;
  /** The same, for `await using`. */
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

/**
 * Starts a gateway in this process, without a listener for operators or metrics, without a word on stdout, and without a listener for signals.
 * Resolves when it takes calls. Throws what `modelgate config check` says where the configuration is wrong. docs/guides/testing-with-a-gateway.md shows it
 * in a test suite.
 */
export async function startGateway(options: StartOptions = {}): Promise<StartedGateway> {
  const opened: (() => Promise<unknown>)[] = [];
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopped ??= closeAll(opened);
    return stopped;
  };
  try {
    const started = await start(options, opened);
    return { ...started, stop, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** `opened`: how to close what was opened, the last first. */
async function start(options: StartOptions, opened: (() => Promise<unknown>)[]): Promise<Pick<StartedGateway, 'baseUrl' | 'apiKey'>> {
  const [{ openGateway }, { openApp }] = await Promise.all([import('./gateway.ts'), import('./http/app.ts')]);
  const data = options.data ?? (await mkdtemp(join(tmpdir(), 'modelgate-')));
  if (options.data === undefined) opened.push(() => rm(data, { recursive: true, force: true }));
  const env = { MODELGATE_LOG_LEVEL: 'silent', ...options.env };
  const config = loadConfig({ ...sourceOf(options), data, host: '127.0.0.1', port: options.port ?? 0 }, env);
  const gateway = await openGateway(config, openLog(config), env);
  opened.push(() => gateway.close());
  const app = await openApp(gateway);
  opened.push(async () => {
    app.server.closeAllConnections();
    await app.close();
  });
  const origin = await listen(app, config.server);
  return { baseUrl: `${origin}/v1`, apiKey: await findKey(gateway, options.balance) };
}

/** Tests share their process and their machine with the gateway, so load shedding is off unless the object sets it. */
const standard = {
  upstreams: { simulator: { kind: 'simulator', eventDelayMs: 0 } },
  server: { shed: { loopDelayMs: 0, memoryMb: 0 } },
};

function sourceOf({ config = {} }: StartOptions): { readonly file: string } | { readonly settings: object } {
  return typeof config === 'string'
    ? { file: config }
    : { settings: { ...standard, ...config, server: { ...standard.server, ...Object(config.server) } } };
}

async function findKey({ access, money }: Gateway, balance: string | undefined): Promise<string> {
  const issuer = { ...access, now: Date.now };
  const first = await completeFirstStart(issuer, money?.ledger ?? null, {
    ...(balance !== undefined && { balance: parseDollars(balance) }),
  });
  // The keys that a folder has already are known as hashes alone.
  return first ?? (await issueKey({ accountName: 'default', name: 'startGateway' }, issuer)).key;
}

async function closeAll(opened: (() => Promise<unknown>)[]): Promise<void> {
  for (const close of opened.splice(0).reverse()) await close();
}

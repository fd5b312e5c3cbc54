/** How the benchmark starts Modelgate itself: its command, its configuration, and where its address and key are read. */
import { execFile } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { model, vendorModels } from './asked.ts';
import { Child, type Running } from './child.ts';

const command = fileURLToPath(new URL('../../../server/operate/launch.mjs', import.meta.url));
const startMs = 120_000;

export interface Setup {
  readonly vendorUrl: string;
  /** Whether calls cost something and fall under limits. */
  readonly isGoverned: boolean;
  readonly core: number | readonly number[] | undefined;
  /** Where everything is kept, as environment variables; left out: in a folder of its own. */
  readonly stores?: StoreVariables;
  /** Whether operators reach it, on a free port. */
  readonly hasAdmin?: boolean;
  /** Whether it takes every call, however late its event loop is. */
  readonly takesAll?: boolean;
  /** The command line of another version. */
  readonly program?: string;
  /** Processes that share the port. */
  readonly workers?: number;
  /** A module to load before the program. */
  readonly preload?: string;
  /** Writes data into its folder before it starts. `key` is then empty, because a start shows a key only on empty stores. */
  readonly fill?: (data: string) => Promise<void>;
  /** Names in the configuration that the other version has another name for. */
  readonly renames?: readonly (readonly [name: string, other: string])[];
}

export interface StoreVariables {
  readonly DATABASE_URL: string;
  readonly REDIS_URL: string;
  readonly MODELGATE_PEPPER: string;
}

export interface RunningModelgate extends Running {
  readonly adminOrigin: string | undefined;
  /** The folder of its data; gone when it has stopped. */
  readonly data: string;
  /** Ends this process and starts another one on the same data. */
  restart(): Promise<RunningModelgate>;
  /** What the command line prints on the same stores. */
  command(...words: string[]): Promise<string>;
}

/** What the environment of the benchmark says of stores is not meant. */
const noStores = { DATABASE_URL: undefined, REDIS_URL: undefined, MODELGATE_PEPPER: undefined };

/** Far above what the benchmark can do: each has to be counted, and none refuses. */
const limits = { requestsPerMinute: 10_000_000, tokensPerMinute: 10_000_000_000, concurrency: 1_000_000 };
/** So little that the balance of a first start pays for all of it; the bounds of a small model keep the holds small too. */
const priced = { kind: 'text', prices: { input: '0.01', output: '0.02' }, maxOutputTokens: 16_000 };

/** The vendor as upstreams of every kind, with room for every open stream; a model for each protocol that it can be asked in. JSON is YAML. */
function configuration({ vendorUrl: baseUrl, isGoverned, hasAdmin = false, takesAll = false, workers = 1, renames = [] }: Setup): string {
  const reach = { baseUrl, apiKey: 'sk-bench', maxConcurrentRequests: 16_384 };
  const translated = { ...priced, upstreamModel: model };
  const text = JSON.stringify({
    admin: hasAdmin ? { port: 0 } : { enabled: false },
    metrics: { port: 0 },
    server: { workers, ...(takesAll && { headersTimeoutMs: 300_000, overload: { loopDelayMs: 0 } }) },
    ...(isGoverned ? { limits: { perKey: limits, perAccount: limits } } : { billing: 'off' }),
    upstreams: {
      bench: { kind: 'openai', protocols: ['chat', 'responses'], ...reach },
      anthropic: { kind: 'anthropic', ...reach },
      gemini: { kind: 'gemini', ...reach },
    },
    models: [
      { id: model, ...priced, protocols: ['chat', 'responses'] },
      { id: vendorModels.chat, ...translated, protocols: ['chat'] },
      { id: vendorModels.responses, ...translated, protocols: ['responses'] },
      { id: vendorModels.anthropic, ...translated, upstream: 'anthropic' },
      { id: vendorModels.gemini, ...translated, upstream: 'gemini' },
    ],
  });
  return renames.reduce((renamed, [name, other]) => renamed.replaceAll(`"${name}":`, `"${other}":`), text);
}

export async function startModelgate(setup: Setup): Promise<RunningModelgate> {
  const data = mkdtempSync(join(tmpdir(), 'modelgate-bench-'));
  writeFileSync(join(data, 'modelgate.yaml'), configuration(setup));
  await setup.fill?.(data);
  return launch(setup, data);
}

/** On a folder with its configuration. `knownKey`: the key that an earlier start on it has shown. */
async function launch(setup: Setup, data: string, knownKey?: string): Promise<RunningModelgate> {
  const config = join(data, 'modelgate.yaml');
  const log = join(data, `output-${process.hrtime.bigint()}.log`);
  const env = { ...noStores, ...setup.stores, NODE_ENV: 'production' };
  // A file: reading a pipe would take time from the load generator.
  const output = openSync(log, 'a');
  const child = new Child({
    args: [setup.program ?? command, 'serve', '--config', config, '--host', '127.0.0.1', '--port', '0', '--data', data],
    core: setup.core,
    preload: setup.preload,
    output,
    env,
  });
  closeSync(output);
  const forget = (): void => rmSync(data, { recursive: true, force: true });
  process.once('exit', forget);
  const stop = async (): Promise<void> => {
    await child.stop();
    forget();
    process.off('exit', forget);
  };
  try {
    const isFirst = knownKey === undefined && setup.stores === undefined && setup.fill === undefined;
    const { url, key, admin } = await readStart(log, child, isFirst);
    const about = ['--config', config, '--data', data];
    return {
      child,
      origin: new URL(url).origin,
      key: knownKey ?? key,
      data,
      stop,
      async restart() {
        await child.stop();
        return launch(setup, data, knownKey ?? key);
      },
      adminOrigin: admin && new URL(admin).origin,
      async command(...words) {
        const { stdout } = await promisify(execFile)(process.execPath, [command, ...words, ...about], { env: { ...process.env, ...env } });
        return stdout.trim();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Banner {
  readonly url: string;
  /** Empty where an earlier start on the same stores has shown it. */
  readonly key: string;
  readonly admin: string | undefined;
}

/** Waits for what a start prints: the addresses and, on empty stores, the key that is shown once. */
async function readStart(log: string, child: Child, isFirst: boolean): Promise<Banner> {
  for (const until = Date.now() + startMs; Date.now() < until && !child.hasExited; await pause(50)) {
    const printed = readFileSync(log, 'utf8');
    // The last of the rows.
    if (!/^ +Data .*\n/m.test(printed)) continue;
    const [url, key = '', admin] = [/Base URL\s+(http\S+)/, /API key\s+(mg-\S+)/, /Admin API\s+(http\S+)/].map(
      (row) => row.exec(printed)?.[1],
    );
    if (url !== undefined && (key !== '' || !isFirst)) return { url, key, admin };
  }
  throw new Error(`Modelgate did not start, or did not print its base URL and a key:\n${readFileSync(log, 'utf8').slice(-4_000)}`);
}

/** More than any run can spend. */
const openingBalance = '100';

export const createAdminKey = (gateway: RunningModelgate): Promise<string> => gateway.command('admin-key', 'create', '--name', 'bench');

/** Keys of so many new accounts. */
export async function createKeys(gateway: RunningModelgate | undefined, accounts: number, isPaid: boolean): Promise<string[]> {
  if (gateway?.adminOrigin === undefined) throw new Error('the first gateway has no admin API');
  const adminKey = await createAdminKey(gateway);
  const headers = { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' };
  const post = async (path: string, body: object): Promise<Readonly<Record<string, unknown>>> => {
    const answer = await fetch(`${gateway.adminOrigin}/admin/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    // `as`: the admin API answers with objects.
    return (await answer.json()) as Readonly<Record<string, unknown>>;
  };
  const keys: string[] = [];
  for (let number = 0; number < accounts; number++) {
    const account = await post('/accounts', { name: `bench-${number}`, ...(isPaid && { opening_balance: openingBalance }) });
    const { key } = await post('/keys', { account: account.id, name: 'bench' });
    keys.push(String(key));
  }
  return keys;
}

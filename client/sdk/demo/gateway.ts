/** Starts a separate gateway for the demo, with an empty data folder, and stops it again. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const cli = fileURLToPath(new URL('../../../server/operate/cli.ts', import.meta.url));
const START_LIMIT_MS = 30_000;
const STOP_LIMIT_MS = 10_000;

/** Settings of the user's own gateway, which the demo must not touch. */
const foreign = ['MODELGATE_CONFIG', 'MODELGATE_DATA', 'HOST', 'PORT', 'OPENAI_API_KEY', 'OPENAI_BASE_URL'];

export interface GatewayOptions {
  /** An empty folder: the key is shown only on first start. */
  readonly folder: string;
  /** Whether OPENAI_API_KEY is used, which costs money. */
  readonly isReal: boolean;
}

export interface RunningGateway {
  readonly baseURL: string;
  readonly apiKey: string;
  stop(): Promise<void>;
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

function environment(isReal: boolean): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !foreign.includes(name) || (isReal && name.startsWith('OPENAI_')));
  return Object.fromEntries(kept);
}

/** Reads address and key from the banner; later output of the gateway is ignored. */
function readGreeting(child: Child): Promise<{ baseURL: string; apiKey: string }> {
  let failure = '';
  child.stderr.on('data', (piece) => {
    failure = `${failure}${piece}`.slice(-2_000);
  });
  let greeting = '';
  return new Promise((resolve, reject) => {
    const fail = (why: string) => {
      clearTimeout(timer);
      reject(new Error(`The gateway did not start: ${why}\n${failure}`));
    };
    const timer = setTimeout(() => fail(`no banner after ${START_LIMIT_MS / 1000} s.`), START_LIMIT_MS);
    child.once('error', (error) => fail(error.message));
    // Not `exit`: its error output must be read first.
    child.once('close', (code) => fail(`it ended with code ${code}.`));
    child.stdout.on('data', (piece) => {
      greeting = `${greeting}${piece}`.slice(0, 20_000);
      const [baseURL] = /https?:\/\/\S+?\/v1(?=\s)/.exec(greeting) ?? [];
      const [apiKey] = /\bmg-[\w-]+(?=\s)/.exec(greeting) ?? [];
      if (baseURL === undefined || apiKey === undefined) return;
      clearTimeout(timer);
      resolve({ baseURL, apiKey });
    });
  });
}

async function stop(child: Child): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  child.kill('SIGTERM');
  await exit;
  clearTimeout(timer);
}

export async function startGateway({ folder, isReal }: GatewayOptions): Promise<RunningGateway> {
  const child = spawn(process.execPath, [cli, 'serve', '--host', '127.0.0.1', '--port', '0', '--data', folder], {
    // Outside any folder with a modelgate.yaml of the user.
    cwd: folder,
    env: environment(isReal),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  process.once('exit', () => child.kill());
  try {
    return { ...(await readGreeting(child)), stop: () => stop(child) };
  } catch (error) {
    await stop(child);
    throw error;
  }
}

/** Triggers of a reload: SIGHUP, and a change of the file when it is watched. */

import { setFlagsFromString } from 'node:v8';
import { CommanderError, InvalidArgumentError } from 'commander';
import type { FastifyInstance } from 'fastify';
import type { Config, LoadedConfig } from '../config/config.ts';
import { ConfigError } from '../config/document.ts';
import { STANDARD_ADMIN_PORT } from '../config/schema-server.ts';
import type { Gateway } from '../gateway.ts';
import { openReloader, openWatch, type Reloader, type ReloadOutcome, type Watch } from '../reload/reload.ts';
import { SchemaError, StorageError } from '../storage/errors.ts';
import { serveMetrics } from '../telemetry/listener.ts';
import type { LineSink, Log, MetricsAddress, Telemetry, Watched } from '../telemetry/log.ts';
import { Supervisor, type WorkerLink, workersProblem } from '../workers/supervisor.ts';

export interface Reloading {
  readonly reloader: Reloader;
  /** A gateway that is stopping does not reload. */
  close(): void;
}

/** Handles SIGHUP, which would end a process without a handler. */
interface Sighups {
  /** A signal that came before the handler was set is delivered now: the file may have changed since it was read. */
  follow(onSignal: () => void): void;
}

/** Listens from the first moment of the start: a SIGHUP before the gateway is ready must not end it. */
export function listenForSighup(events: ShellEvents): Sighups {
  let hasCome = false;
  let told = (): void => {
    hasCome = true;
  };
  events.on('SIGHUP', () => told());
  return {
    follow(onSignal) {
      told = onSignal;
      if (hasCome) onSignal();
    },
  };
}

interface ReloadingParts {
  readonly gateway: Gateway;
  readonly hangUps: Sighups;
  /** The options of the start. */
  readonly started: LoadedConfig;
  /** Reads the same file again; null when there was none. */
  readonly load: (file: string | null) => LoadedConfig;
}

export function openReloading({ gateway, hangUps, started, load }: ReloadingParts): Reloading {
  const { log } = gateway;
  let { stamp } = started;
  const read = (): LoadedConfig => {
    const loaded = load(gateway.config.file);
    stamp = loaded.stamp;
    return loaded;
  };
  const inner = openReloader({ gateway, log, sections: started.sections, load: read, peek: () => load(gateway.config.file) });
  let watch: Watch | null = null;
  let isClosed = false;
  const follow = (): void => {
    const { file, reload } = gateway.config;
    const isWanted = reload.watch && file !== null && !isClosed;
    if (isWanted) watch ??= openWatch({ file, since: stamp }, () => void reloader.reload('file'));
    else {
      watch?.close();
      watch = null;
    }
  };
  const reloader: Reloader = {
    async reload(...order): Promise<ReloadOutcome> {
      const outcome = await inner.reload(...order);
      follow();
      return outcome;
    },
    check: () => inner.check(),
  };
  const onSignal = (): void => {
    if (!isClosed) void reloader.reload('signal');
  };
  hangUps.follow(onSignal);
  follow();
  return {
    reloader,
    close() {
      // Keep the handler: without it, SIGHUP would end a process that is draining.
      isClosed = true;
      follow();
    },
  };
}

interface Place {
  readonly host: string;
  readonly port: number;
}

/**
 * Backlog of connections to accept. With Node's default of 511, the rest of a burst would wait for a second or more. The
 * system allows at most `net.core.somaxconn`.
 */
const BACKLOG = 4_096;

/** Callers know this port, so the start fails when it is taken. */
export async function listen(app: FastifyInstance, { host, port }: Place): Promise<string> {
  await app.listen({ host, port, backlog: BACKLOG }).catch((error: unknown) => {
    throw listenFailure(error, { host, port });
  });
  return originOf(app);
}

export async function listenForOperators(app: FastifyInstance, { host, port }: Config['admin']): Promise<string> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    if (codeOf(error) !== 'EADDRINUSE' || port !== STANDARD_ADMIN_PORT) throw listenFailure(error, { host, port });
    await app.listen({ host, port: 0 });
  }
  return originOf(app);
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

function listenFailure(error: unknown, { host, port }: Place): unknown {
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return new CommandError(
        `Port ${port} of ${host} is in use. Stop the program that uses it, or choose another port with --port (0 selects a free one).`,
      );
    case 'EACCES':
      return new CommandError(`This user can't listen on port ${port}. Choose one above 1023 with --port.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new CommandError(`${host} isn't an address of this machine. Choose another with --host, for example 127.0.0.1.`);
    default:
      return error;
  }
}

/** An address that works from this machine; a client cannot call `0.0.0.0` or `::`. */
function originOf(app: FastifyInstance): string {
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new TypeError('the listener has no port');
  const usable: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': 'localhost' };
  const host = usable[address.address] ?? (address.family === 'IPv6' ? `[${address.address}]` : address.address);
  return `http://${host}:${address.port}`;
}

export const exitCodes = { done: 0, failed: 1, misused: 2 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export const EXIT_CODE_HELP = `
Exit codes:
  0  done
  1  failed; the reason is on stderr
  2  the command was not understood`;

/** An error that the operator can correct; its message says how. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** The failure was already printed; only the exit code is left. */
export class ReportedError extends Error {
  override readonly name = 'ToldFailure';
}

/** Writes the reason to stderr, unless it was written already, and returns the exit code. */
export function reportFailure(error: unknown, { stderr }: Pick<Shell, 'stderr'>): ExitCode {
  // Commander reports values that it parses itself; values that a command parses later are reported here.
  if (error instanceof InvalidArgumentError) stderr.write(`modelgate: ${error.message}\n`);
  // Commander ends help and version with an error that has code 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.misused;
  if (!(error instanceof ReportedError)) stderr.write(`${failureText(error)}\n`);
  const guide = guideOf(error);
  if (guide !== undefined) stderr.write(`${guideText(guide)}\n`);
  return exitCodes.failed;
}

function failureText(error: unknown): string {
  if (error instanceof ConfigError) {
    const count = error.problems.length === 1 ? 'a problem' : `${error.problems.length} problems`;
    return `modelgate: the configuration has ${count}. Nothing was done.\n${error.message.replaceAll(/^/gm, '  ')}`;
  }
  if (error instanceof CommandError || error instanceof StorageError) return `modelgate: ${error.message}`;
  // This error is a bug: its stack helps to find it.
  return `modelgate: unexpected error. ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}

export function watchedOf(gateway: Gateway): Watched {
  return {
    streamsOpen: () => gateway.streams.size,
    holdsOpen: () => gateway.money?.open.size ?? null,
    outboxWaiting: () => gateway.money?.outbox.size ?? null,
    isLimitShared: () => (gateway.limits.state ? gateway.limits.state().kind === 'shared' : null),
    breakers: () => gateway.health.states(),
  };
}

/** Where they are served; undefined when they are off. Those of a worker are served by its supervisor. */
export async function listenForMetrics(
  telemetry: Telemetry | null,
  { host, port }: MetricsAddress,
  worker: WorkerLink | null,
): Promise<string | undefined> {
  if (worker) {
    if (telemetry?.scrape) worker.answerScrapes(telemetry.scrape);
    return worker.metricsOrigin;
  }
  return telemetry?.listen?.({ host, port }).catch((error: unknown) => {
    throw metricsListenFailure(error, { host, port });
  });
}

function metricsListenFailure(error: unknown, { host, port }: MetricsAddress): unknown {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return new CommandError(
      `Port ${port} of ${host} for metrics is in use. Choose another with metrics.port (0 selects a free one), or set metrics.enabled to false.`,
    );
  if (code === 'EACCES') return new CommandError(`This user can't listen on port ${port}. Choose one above 1023 with metrics.port.`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new CommandError(`${host} isn't an address of this machine. Choose another with metrics.host, for example 127.0.0.1.`);
  return error;
}

/** By the first name of a key of the configuration; the page about the others is `operating`. */
const byKey: Readonly<Record<string, string>> = {
  upstreams: 'upstreams',
  models: 'upstreams',
  routing: 'upstreams',
  groups: 'governing',
  plans: 'governing',
  priceLists: 'governing',
  limits: 'governing',
  billing: 'money',
  alerts: 'alerts',
  metrics: 'observing',
  traces: 'observing',
  admin: 'console',
  codex: 'codex',
  database: 'deploying',
  redis: 'deploying',
};

/** Clouds have pages of their own. */
const byPlace: readonly (readonly [RegExp, string])[] = [
  [/\.azure\b|\.auth\.(?:tenantId|clientId|clientSecret)\b/, 'azure'],
  [/\.aws\b|\.auth\.(?:accessKeyId|secretAccessKey|sessionToken|profile)\b/, 'bedrock'],
  [/\.google\b|\.auth\.credentials\b/, 'vertex'],
];

/** Name of the guide: `upstreams`. Undefined where no guide says more than the error itself. */
export function guideOf(error: unknown): string | undefined {
  if (error instanceof SchemaError) return 'upgrading';
  if (error instanceof StorageError) return 'deploying';
  if (!(error instanceof ConfigError)) return undefined;
  const [first] = error.problems;
  const key = first?.key ?? '';
  return byPlace.find(([pattern]) => pattern.test(key))?.[1] ?? byKey[/^\w+/.exec(key)?.[0] ?? ''] ?? 'operating';
}

/** Where to read it: a gateway serves the guides itself. */
export const guideText = (name: string): string => `See docs/guides/${name}.md, which a running gateway serves at /docs/guides/${name}.`;

interface Order {
  readonly config: Config;
  readonly log: Log;
  readonly hangUps: Sighups;
  readonly shell: Shell;
}

/** Resolves with the exit code when all workers have ended. */
export async function supervise({ config, log, hangUps, shell }: Order): Promise<ExitCode> {
  const problem = workersProblem(config);
  if (problem !== null) throw new CommandError(problem);
  const scrape = (): Promise<string> => supervisor.scrape();
  const metrics = config.metrics.enabled ? await serveMetrics(scrape, config.metrics, log).catch(failed(config)) : null;
  const { file: program, words } = shell.program;
  const supervisor = new Supervisor({ count: config.server.workers, log, program, words, metricsOrigin: metrics?.origin });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) shell.events.on(signal, () => supervisor.stop());
  shell.events.on('SIGUSR2', () => void supervisor.roll());
  hangUps.follow(() => supervisor.reload());
  const code = await supervisor.run();
  await metrics?.close();
  const ended = code === 0 ? exitCodes.done : exitCodes.failed;
  shell.exit(ended);
  return ended;
}

const failed =
  ({ metrics }: Config) =>
  (error: unknown): never => {
    throw metricsListenFailure(error, metrics);
  };

/** An output stream; a terminal has a width. */
export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export type StopSignal = 'SIGTERM' | 'SIGINT';

/** Signals, and uncaught errors. */
export interface ShellEvents {
  on(signal: StopSignal, listener: (signal: StopSignal) => void): unknown;
  on(signal: 'SIGHUP' | 'SIGUSR2', listener: () => void): unknown;
  on(event: 'uncaughtException', listener: (error: Error, origin: string) => void): unknown;
  off(signal: StopSignal, listener: (signal: StopSignal) => void): unknown;
}

/** The program passes in those of its process; tests that run commands in their own process pass in others. */
export interface Shell {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working directory: relative paths begin there. */
  readonly folder: string;
  readonly stdout: Screen;
  readonly stderr: Screen;
  /** Marks a heading on stdout; does nothing when that is not a terminal. */
  emphasize(text: string): string;
  /** Where log lines go. Omitted: to stderr of the process, buffered and asynchronous. */
  readonly log?: LineSink;
  readonly events: ShellEvents;
  /** The file of the program and its arguments, for more processes of it. */
  readonly program: { readonly file: string; readonly words: readonly string[] };
  /** Called when the gateway has stopped; ends whatever still runs. */
  exit(code: number): void;
}

/** Every command gets it with its options. */
export interface ShellOptions {
  readonly shell: Shell;
}

/**
 * Calls `stop` when the process has to stop. The supervisor decides when a worker does: Ctrl-C reaches all processes of a terminal, and a worker
 * does not act on it. Without its supervisor a worker stops.
 */
export function onStopOrder(events: ShellEvents, worker: WorkerLink | null, stop: (signal: StopSignal) => void): void {
  events.on('SIGTERM', stop);
  events.on('SIGINT', worker ? () => undefined : stop);
  worker?.onOrphaned(() => stop('SIGTERM'));
}

/** A reload that an operator asks of one worker is made by all: the others hear of it when it has succeeded. */
export function tellingOthers(reloading: Reloading, worker: WorkerLink | null): Reloading {
  if (worker === null) return reloading;
  const { reloader } = reloading;
  return {
    ...reloading,
    reloader: {
      check: () => reloader.check(),
      async reload(...order) {
        const outcome = await reloader.reload(...order);
        if (outcome.kind === 'reloaded') worker.reloaded();
        return outcome;
      },
    },
  };
}

/** Restores V8's default growth, so that calls have the memory that they need. */
export const growYoungGeneration = (): void => setFlagsFromString('--semi-space-growth-factor=2');

/** `modelgate serve`: starts the gateway, prints how to use it, and stops it gracefully. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { isWellFormed } from '../access/authenticate.ts';
import { describeLostGroup, findLostGroups } from '../access/permissions.ts';
import type { Operations, RunningGateway } from '../admin/operations.ts';
import { writeNodeReport } from '../admin/overview.ts';
import type { Tape } from '../config/config.ts';
import type { UpstreamOverride } from '../config/overrides.ts';
import { Clock, Seed } from '../config/schema-upstreams.ts';
import type { Gateway } from '../gateway.ts';
import { memoryInUse } from '../http/load-shedding.ts';
import { type TestOutcome, testCall } from '../request/transcoder.ts';
import { type Log, openLog, openStderr, type Telemetry } from '../telemetry/log.ts';
import { openTelemetry } from '../telemetry/open.ts';
import { type WorkerLink, workerLink } from '../workers/supervisor.ts';
import { type LocationOptions, readConfigFile, withConfigOption, withDataOption } from './administration.ts';
import { chooseKey, completeFirstStart, endSeededKeys, makeSetupTokens, writeBanner, writeReadyLine } from './first-start.ts';
import {
  CommandError,
  type ExitCode,
  exitCodes,
  growYoungGeneration,
  listen,
  listenForMetrics,
  listenForOperators,
  listenForSighup,
  onStopOrder,
  openReloading,
  type Reloading,
  ReportedError,
  type Shell,
  type ShellEvents,
  type ShellOptions,
  type StopSignal,
  supervise,
  tellingOthers,
  watchedOf,
} from './serving.ts';

export function addServe(program: Command): void {
  withMockOptions(withDataOption(withConfigOption(program.command('serve'))))
    .description('start the gateway; without configuration, it serves a built-in simulator')
    .option('-H, --host <address>', 'address to listen on (default: 127.0.0.1)')
    .option('-p, --port <port>', 'port to listen on; 0 selects a free port (default: 8080)', parsePort)
    .option('-w, --workers <n>', 'number of processes that serve the port, or auto for one per core (default: 1)', parseWorkers)
    .option('--json', 'when ready, print one line of JSON instead of the banner')
    .addHelpText(
      'after',
      `
Examples:
  modelgate serve
  modelgate serve --config modelgate.yaml --host 0.0.0.0
  OPENAI_API_KEY=sk-… modelgate serve --port 0
  modelgate serve --simulate --seed ci --clock 2026-01-01T00:00:00Z --port 0 --json
  modelgate serve --replay test/recordings

Environment (a flag goes first, then the environment, then the file):
  HOST, PORT            same as --host, --port
  MODELGATE_WORKERS     same as --workers
  MODELGATE_CONFIG      same as --config
  MODELGATE_DATA        same as --data
  MODELGATE_PEPPER      secret of the keys, in place of the file "pepper"; the same for all processes
  DATABASE_URL          PostgreSQL in place of the embedded database, for many processes
  REDIS_URL             Redis for limits that many machines share
  MODELGATE_LOG_LEVEL   fatal, error, warn, info, debug, trace or silent
  OPENAI_API_KEY        where no upstream is configured: use OpenAI with this key
  OPENAI_BASE_URL       … or whatever speaks its protocol at this address
  OTEL_EXPORTER_OTLP_ENDPOINT  push metrics and traces to this collector

SIGTERM or SIGINT stops it when the running requests have ended; a second signal stops it at once.
SIGHUP reads the file again; a file with a mistake is rejected whole, and the log says why.
SIGUSR2 replaces the workers one after the other, without a rejected call: with a new program, for example.

Exit codes:
  0  stopped, every request had ended
  1  failed to start, requests were cut at the stop, or too many errors of its own; the reason is on stderr
  2  the command was not understood`,
    )
    .action(serve);
}

interface ServeOptions extends LocationOptions, MockOptions {
  readonly host?: string;
  readonly port?: number;
  readonly workers?: number | 'auto';
  readonly json?: boolean;
}

async function serve(options: ServeOptions): Promise<void> {
  const ended = await start(options);
  if ((await ended.code) !== exitCodes.done) throw new ReportedError();
}

/** Resolves when the gateway listens and has printed the banner; `code` resolves at its end. */
async function start(options: ServeOptions): Promise<{ readonly code: Promise<ExitCode> }> {
  const { shell } = options;
  const hangUps = listenForSighup(shell.events);
  const placed = { ...options, ...readMockFlags(options, shell.folder) };
  const started = readConfigFile(placed);
  const { config } = started;
  const worker = workerLink(shell.env);
  const log = openLog(config, shell.log ?? openStderr(worker !== null));
  if (worker === null && config.server.workers > 1) return { code: supervise({ config, log, hangUps, shell }) };
  // Loaded here, so that other commands start without loading the server.
  const [{ openGateway }, { openApp }, { openAdminListener }] = await Promise.all([
    import('../gateway.ts'),
    import('../http/app.ts'),
    import('../admin/listener.ts'),
  ]);
  const gateway = await openGateway(config, log, shell.env, worker?.limits);
  const telemetry = await openTelemetry({ config, env: shell.env, log, version: readVersion(), watched: watchedOf(gateway) });
  const app = await openApp(gateway, telemetry);
  const reloading = openReloading({ gateway, hangUps, started, load: (file) => readConfigFile(placed, file) });
  const running = runningGateway(gateway);
  gateway.reportBy(() => writeNodeReport(running, Object.keys(gateway.config.upstreams)));
  const admin = config.admin.enabled
    ? await openAdminListener(operationsOf(gateway, running, tellingOthers(reloading, worker)), { log, checkAnswers: config.development })
    : undefined;
  try {
    if (!placed.override) await endSeededKeys({ ...gateway.access, now: Date.now }, log);
    const origin = await listen(app, config.server);
    // Before anything is printed: a program that waits for the banner may send a signal at its first line.
    const code = stopOnSignal({ app, admin, gateway, telemetry, reloading, log, worker }, shell);
    const adminOrigin = admin && (await listenForOperators(admin, config.admin));
    const metricsOrigin = await listenForMetrics(telemetry, config.metrics, worker);
    if (worker && !worker.isFirst) {
      worker.ready();
      growYoungGeneration();
      return { code };
    }
    // After the port is bound: a start that fails must not consume the only time that the key is shown.
    const firstKey = await completeFirstStart({ ...gateway.access, now: Date.now }, gateway.money?.ledger ?? null, {
      chosen: chooseKey(options),
    });
    await warnOfLostGroups(gateway);
    const { folder, emphasize } = shell;
    const setUp = firstKey === undefined ? undefined : await makeSetupTokens(gateway, firstKey);
    const facts = { version: readVersion(), config, folder, origin, adminOrigin, metricsOrigin, firstKey, setUp, emphasize };
    shell.stdout.write(options.json ? writeReadyLine(facts) : writeBanner(facts));
    worker?.ready();
    growYoungGeneration();
    return { code };
  } catch (error) {
    reloading.close();
    await app.close();
    await admin?.close();
    await gateway.close();
    await telemetry?.close();
    throw error;
  }
}

function operationsOf(gateway: Gateway, running: RunningGateway, { reloader }: Reloading): Operations {
  const { access, money, limits, activity, sessions, alerts } = gateway;
  return {
    access,
    ledger: money?.ledger ?? null,
    prices: money?.prices ?? null,
    limits,
    activity,
    sessions,
    alerts,
    reloader,
    gateway: running,
    now: Date.now,
    get config() {
      return gateway.config;
    },
  };
}

/** Warns, because the refusal of a single call does not tell the reason. */
async function warnOfLostGroups({ access, config, log }: Gateway): Promise<void> {
  const lost = findLostGroups(await access.store.listAccounts(), Object.keys(config.groups));
  for (const group of lost) log.warn({ group: group.name, accounts: group.accounts }, describeLostGroup(group));
}

interface Stoppable {
  readonly app: FastifyInstance;
  readonly admin: FastifyInstance | undefined;
  readonly gateway: Gateway;
  readonly telemetry: Telemetry | null;
  readonly reloading: Reloading;
  readonly log: Log;
  readonly worker: WorkerLink | null;
}

/** Resolves with the exit code. */
function stopOnSignal({ worker, ...running }: Stoppable, shell: Shell): Promise<ExitCode> {
  const ended = Promise.withResolvers<ExitCode>();
  const end = (code: ExitCode): void => {
    shell.exit(code);
    ended.resolve(code);
  };
  let isStopping = false;
  const begin = (fields: object, codeOf: (code: ExitCode) => ExitCode): void => {
    isStopping = true;
    running.log.info(fields, 'stopping');
    running.reloading.close();
    void stop(running).then((code) => end(codeOf(code)));
  };
  const onSignal = (signal: StopSignal): void => {
    if (isStopping) end(exitCodes.failed);
    else begin({ signal }, (code) => code);
  };
  onStopOrder(shell.events, worker, onSignal);
  installUncaughtExceptionHandler(shell.events, running.log, () => {
    if (!isStopping) begin({ reason: 'errors' }, () => exitCodes.failed);
  });
  return ended.promise;
}

/** The last part of the drain time is for writing the error event of every open stream. */
const ERROR_EVENTS_MS = 2_000;
/** Files and pools that close after the drain have this long; then the process ends anyway. */
const CLOSE_LIMIT_MS = 5_000;

async function stop({ app, admin, gateway, telemetry, log }: Omit<Stoppable, 'worker'>): Promise<ExitCode> {
  const { drainMs, readinessDelayMs } = gateway.config.server;
  try {
    // A load balancer that has not checked `/readyz` yet still sends calls, so the port must stay open.
    gateway.announceStop();
    await wait(readinessDelayMs);
    const answered = app.close();
    // These callers have disconnected, but their providers bill to the end, so the drain waits for their answers as for any other.
    const closed = answered.then(() => gateway.draining.settled());
    const tailMs = Math.min(ERROR_EVENTS_MS, drainMs / 2);
    const hasDrained = await isDoneWithin(closed, drainMs - tailMs);
    if (!hasDrained) {
      log.warn({ drainMs }, 'drain timeout reached; aborting requests in flight');
      gateway.endStreams();
      if (!(await isDoneWithin(closed, tailMs))) app.server.closeAllConnections();
    }
    const rest = answered
      .then(() => admin?.close())
      .then(() => gateway.close())
      .then(() => telemetry?.close());
    const hasClosed = await isDoneWithin(rest, CLOSE_LIMIT_MS);
    return hasDrained && hasClosed ? exitCodes.done : exitCodes.failed;
  } catch (error) {
    log.error({ err: error }, 'shutdown failed');
    return exitCodes.failed;
  }
}

/** Rejects when the work fails. */
async function isDoneWithin(work: Promise<unknown>, limitMs: number): Promise<boolean> {
  const decided = new AbortController();
  const late = wait(limitMs, false, { signal: decided.signal });
  return await Promise.race([work.then(() => true), late]).finally(() => decided.abort());
}

function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError('Enter a whole number from 0 to 65535.');
}

function parseWorkers(text: string): number | 'auto' {
  if (text === 'auto') return text;
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Enter a whole number from 1 to 256, or auto.');
}

interface MockOptions {
  readonly simulate?: boolean;
  readonly seed?: string;
  readonly clock?: string;
  readonly key?: string;
  readonly record?: string;
  readonly replay?: string;
}

function withMockOptions(command: Command): Command {
  return command
    .option('--simulate', 'serve the simulator only; ignores the upstreams of the file and the environment')
    .option('--seed <text>', 'with --simulate: same key and same IDs, so the same responses in every run', parseSeed)
    .option('--clock <time>', 'with --simulate: the time in all responses, such as 2026-01-01T00:00:00Z', parseClock)
    .option('--key <key>', "a key of the first account, in the format of a printed key; created if it doesn't exist", parseKey)
    .option('--record <folder>', 'save each call and its response to a file in this folder, without secrets')
    .option('--replay <folder>', 'respond only from recorded files; calls no provider');
}

interface MockFlags {
  readonly override: UpstreamOverride | undefined;
  readonly tape: Tape | undefined;
}

/** Throws when options exclude each other. */
function readMockFlags(options: MockOptions, folder: string): MockFlags {
  const { simulate = false, seed, clock, record, replay } = options;
  if (!simulate && (seed !== undefined || clock !== undefined)) throw new CommandError('--seed and --clock require --simulate.');
  if (replay !== undefined && (record !== undefined || simulate))
    throw new CommandError("--replay can't be combined with --record or --simulate.");
  const recorded: Tape | undefined = record === undefined ? undefined : { kind: 'record', folder: resolve(folder, record) };
  if (replay !== undefined) return { override: { name: 'replay' }, tape: { kind: 'replay', folder: resolve(folder, replay) } };
  return { override: simulate ? { name: 'simulator', seed, clock } : undefined, tape: recorded };
}

function parseSeed(text: string): string {
  if (Seed.safeParse(text).success) return text;
  throw new InvalidArgumentError('Enter 1 to 200 characters.');
}

function parseClock(text: string): string {
  if (Clock.safeParse(text).success) return text;
  throw new InvalidArgumentError('Enter a time such as 2026-01-01T00:00:00Z.');
}

function parseKey(text: string): string {
  if (isWellFormed(text)) return text;
  throw new InvalidArgumentError('Specify a key that `modelgate serve` or `modelgate key create` printed, or use --seed.');
}

export function runningGateway(gateway: Gateway): RunningGateway {
  const startedAt = Date.now();
  return {
    node: gateway.node,
    version: readVersion(),
    startedAt,
    memory: () => memoryInUse(),
    openStreams: () => gateway.streams.size,
    waitingCharges: () => gateway.money?.outbox.size ?? null,
    places: () => gateway.health.states(),
    reportOf: (upstream) => gateway.upstreams.find(upstream).state?.(),
    testUpstream: (upstream, model) => testUpstream(gateway, upstream, model),
    resetUpstream: (upstream) => resetUpstream(gateway, upstream),
  };
}

/** With the configuration of this moment, whatever is adopted meanwhile. */
async function testUpstream(gateway: Gateway, upstream: string, id: string): Promise<TestOutcome> {
  const entered = gateway.enter();
  try {
    const model = entered.catalog.find(id);
    const candidate = model && entered.catalog.candidates(model).find((one) => one.upstream === upstream);
    if (!candidate) throw new TypeError(`upstream ${upstream} doesn't serve ${id}`);
    return await testCall(entered.upstreams.find(upstream), candidate);
  } finally {
    entered.leave();
  }
}

function resetUpstream({ health, upstreams }: Gateway, upstream: string): { readonly places: number; readonly keys: number } {
  const places = health.states().filter((place) => place.upstream === upstream && (place.state !== 'closed' || place.restMs > 0));
  health.forget(new Set([upstream]));
  return { places: places.length, keys: upstreams.find(upstream).reset?.() ?? 0 };
}

/** This many in this time mean that the process may be broken. */
const MAX_ERRORS = 20;
const WITHIN_MS = 60_000;

/** `stop` is called once, and may take long. Unhandled rejections count as uncaught errors. */
function installUncaughtExceptionHandler(events: ShellEvents, log: Log, stop: () => void): void {
  let recent: number[] = [];
  let isStopping = false;
  events.on('uncaughtException', (error, origin) => {
    log.error({ err: error, origin }, 'uncaught error');
    const now = performance.now();
    recent = [...recent.filter((at) => now - at < WITHIN_MS), now];
    if (recent.length < MAX_ERRORS || isStopping) return;
    isStopping = true;
    log.fatal({ errors: recent.length }, 'too many uncaught errors; stopping');
    stop();
  });
}

const Package = z.object({ version: z.string() });

export function readVersion(): string {
  return Package.parse(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))).version;
}

export function addVersion(program: Command): void {
  program
    .command('version')
    .description('print the versions of Modelgate and Node')
    .addHelpText('after', '\nExamples:\n  modelgate version\n\nExit codes:\n  0  done')
    .action(({ shell }: ShellOptions) => {
      shell.stdout.write(`modelgate ${readVersion()} (Node ${process.versions.node})\n`);
    });
}

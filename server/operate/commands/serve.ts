/** `modelgate serve`: starts the gateway, prints how to use it, and stops it gracefully. */

import { setTimeout as wait } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import type { FastifyInstance } from 'fastify';
import { describeUnknownGroup, findUnknownGroups } from '../../access/unknown-groups.ts';
import { writeNodeReport } from '../../api/admin/node-report.ts';
import type { Operations } from '../../api/admin/operations.ts';
import type { RunningGateway } from '../../api/admin/running-gateway.ts';
import { findUnusedUpstreams } from '../../config/complete-models.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import { type Log, openLog, openStderr } from '../../telemetry/log.ts';
import { openTelemetry } from '../../telemetry/open.ts';
import type { GaugeSources, Telemetry } from '../../telemetry/telemetry.ts';
import { finishStart } from '../finish-start.ts';
import { openWorkerLink, type WorkerLink } from '../worker-link.ts';
import { writeBanner, writeReadyLine } from './banner.ts';
import { ReportedError } from './command-error.ts';
import { commandSummaries } from './command-summaries.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { createSetupTokens, finishFirstStart, resolvePredefinedKey, revokeSeededKeys } from './first-start.ts';
import { assertPortsAvailable, listen, listenForMetrics, listenForOperators } from './listen.ts';
import { addConfigOption, addDataOption, type LocationOptions, readConfigFile } from './location-options.ts';
import { addMockOptions, type MockOptions, readMockFlags } from './mock-options.ts';
import { parsePort } from './option-values.ts';
import { listenForSighup, openReloadControl, type ReloadControl, withWorkerReload } from './reload-control.ts';
import { runSupervisor } from './run-supervisor.ts';
import { createRunningGateway } from './running-gateway.ts';
import type { Shell, ShellEvents, StopSignal } from './shell.ts';
import { readVersion } from './version.ts';

export function addServeCommand(program: Command): void {
  addMockOptions(addDataOption(addConfigOption(program.command('serve'))))
    .description(commandSummaries.serve)
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

Environment (a flag overrides a variable, a variable overrides the file):
  HOST, PORT            same as --host, --port
  MODELGATE_WORKERS     same as --workers
  MODELGATE_CONFIG      same as --config
  MODELGATE_DATA        same as --data
  MODELGATE_ENVIRONMENT_FILE  same as --environment-file
  MODELGATE_PEPPER      secret that hashes keys, instead of the file "pepper"; the same for all processes
  DATABASE_URL          PostgreSQL instead of the embedded database, for many machines
  REDIS_URL             Redis, to share limits between machines
  MODELGATE_LOG_LEVEL   fatal, error, warn, info, debug, trace or silent
  OPENAI_API_KEY        OpenAI key to use if no upstream is configured
  OPENAI_BASE_URL       base URL of an OpenAI-compatible API, for OPENAI_API_KEY
  OTEL_EXPORTER_OTLP_ENDPOINT  push metrics and traces to this collector

Signals:
  SIGTERM, SIGINT  shut down when the requests in flight have ended; send again to exit immediately
  SIGHUP           reload the configuration; an invalid file is rejected and the reason logged
  SIGUSR2          restart the workers one by one without rejecting requests, for example after an upgrade

Exit codes:
  0  stopped after all requests ended
  1  failed to start, stopped before all requests ended, too many internal errors, or database files deleted; the reason is on stderr
  2  invalid command or option`,
    )
    .action(runServe);
}

interface ServeOptions extends LocationOptions, MockOptions {
  readonly host?: string;
  readonly port?: number;
  readonly workers?: number | 'auto';
  readonly json?: boolean;
}

async function runServe(options: ServeOptions): Promise<void> {
  const run = await startServer(options);
  if ((await run.code) !== exitCodes.done) throw new ReportedError();
}

/** Resolves when the gateway listens and has printed the banner. `code` resolves when the gateway ends. */
async function startServer(options: ServeOptions): Promise<{ readonly code: Promise<ExitCode> }> {
  const { shell } = options;
  const sighups = listenForSighup(shell.events);
  const serveOptions = { ...options, ...readMockFlags(options, shell.folder) };
  const initialConfig = readConfigFile(serveOptions);
  const { config } = initialConfig;
  const worker = openWorkerLink(shell.env);
  const log = openLog(config, shell.log ?? openStderr(worker !== null));
  if (worker === null) await assertPortsAvailable(config);
  if (worker === null && config.server.workers > 1) return { code: runSupervisor(config, log, sighups, shell) };
  // Loaded here, so that other commands start without loading the server.
  const [{ openGateway }, { openApp }, { openLazyAdminListener }] = await Promise.all([
    import('../../gateway/gateway.ts'),
    import('../../api/app.ts'),
    import('../../api/admin/lazy-listener.ts'),
  ]);
  const gateway = await openGateway(config, log, shell.env, worker?.limits);
  const telemetry = await openTelemetry({ config, env: shell.env, log, version: readVersion(), watched: createGaugeSources(gateway) });
  const app = await openApp(gateway, telemetry);
  const reloading = openReloadControl({
    gateway,
    hangUps: sighups,
    started: initialConfig,
    load: (file, text) => readConfigFile(serveOptions, file, text),
  });
  const runningGateway = createRunningGateway(gateway);
  gateway.setReport(() => writeNodeReport(runningGateway, Object.keys(gateway.config.upstreams)));
  const admin = config.admin.enabled
    ? openLazyAdminListener(toOperations(gateway, runningGateway, withWorkerReload(reloading, worker)), {
        log,
        checkAnswers: config.validateResponses,
      })
    : undefined;
  try {
    if (!serveOptions.override) await revokeSeededKeys({ ...gateway.access, now: Date.now }, log);
    const origin = await listen(app, config.server);
    // Set up before anything is printed, because a program that waits for the banner may send a signal at its first line.
    const code = stopOnSignal({ app, admin, gateway, telemetry, reloading, log, worker }, shell);
    const adminOrigin = admin && (await listenForOperators(admin, config.admin));
    const metricsOrigin = await listenForMetrics(telemetry, config.metrics, worker);
    if (worker && !worker.isFirst) {
      worker.ready();
      finishStart();
      return { code };
    }
    // Runs after the port is bound, because the key is shown only once, and a failed start must not use that up.
    const firstKey = await finishFirstStart({ ...gateway.access, now: Date.now }, gateway.money?.ledger ?? null, {
      chosen: resolvePredefinedKey(options),
    });
    await warnAboutUnknownGroups(gateway);
    for (const upstream of findUnusedUpstreams(config)) log.warn({ upstream }, 'upstream serves no model');
    const { folder, emphasize } = shell;
    const setupTokens = firstKey === undefined ? undefined : await createSetupTokens(gateway, firstKey);
    const facts = { version: readVersion(), config, folder, origin, adminOrigin, metricsOrigin, firstKey, setUp: setupTokens, emphasize };
    shell.stdout.write(options.json ? writeReadyLine(facts) : writeBanner(facts));
    worker?.ready();
    finishStart();
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

function toOperations(gateway: Gateway, running: RunningGateway, { reloader }: ReloadControl): Operations {
  const { access, money, limits, limitUse, activity, sessions, alerts } = gateway;
  return {
    access,
    ledger: money?.ledger ?? null,
    prices: money?.prices ?? null,
    limits,
    limitUse,
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

/** Warns, because the error of a rejected call doesn't show the reason. */
async function warnAboutUnknownGroups({ access, config, log }: Gateway): Promise<void> {
  const unknownGroups = findUnknownGroups(await access.store.listAccounts(), Object.keys(config.groups));
  for (const group of unknownGroups) log.warn({ group: group.name, accounts: group.accounts }, describeUnknownGroup(group));
}

interface Stoppable {
  readonly app: FastifyInstance;
  readonly admin: FastifyInstance | undefined;
  readonly gateway: Gateway;
  readonly telemetry: Telemetry | null;
  readonly reloading: ReloadControl;
  readonly log: Log;
  readonly worker: WorkerLink | null;
}

/** Resolves with the exit code. */
function stopOnSignal({ worker, ...server }: Stoppable, shell: Shell): Promise<ExitCode> {
  const exit = Promise.withResolvers<ExitCode>();
  const finish = (code: ExitCode): void => {
    shell.exit(code);
    exit.resolve(code);
  };
  let isStopping = false;
  const beginStop = (fields: object, toExitCode: (code: ExitCode) => ExitCode): void => {
    isStopping = true;
    server.log.info(fields, 'stopping');
    server.reloading.close();
    void shutDown(server).then((code) => finish(toExitCode(code)));
  };
  const onSignal = (signal: StopSignal): void => {
    if (isStopping) finish(exitCodes.failed);
    else beginStop({ signal }, (code) => code);
  };
  onStopSignal(shell.events, worker, onSignal);
  installUncaughtExceptionHandler(shell.events, server.log, () => {
    if (!isStopping) beginStop({ reason: 'errors' }, () => exitCodes.failed);
  });
  void server.gateway.storeLost.then((err) => {
    server.log.fatal({ err }, 'the database files are gone; stopping');
    if (!isStopping) beginStop({ reason: 'database' }, () => exitCodes.failed);
  });
  return exit.promise;
}

/** The last part of the drain time is reserved for writing the error event of every open stream. */
const STREAM_ERROR_TIMEOUT_MS = 2_000;
/** Time for files and pools to close after the drain. Then the process ends anyway. */
const CLOSE_LIMIT_MS = 5_000;

async function shutDown({ app, admin, gateway, telemetry, log }: Omit<Stoppable, 'worker'>): Promise<ExitCode> {
  const { drainMs, readinessDelayMs } = gateway.config.server;
  try {
    // A load balancer that hasn't checked `/readyz` yet still sends calls, so the port must stay open.
    gateway.announceStop();
    await wait(readinessDelayMs);
    const appClosed = app.close();
    // Callers of draining requests have disconnected, but providers bill these requests to the end. So the shutdown
    // waits for their responses, too.
    const drained = appClosed.then(() => gateway.draining.waitUntilSettled());
    const tailMs = Math.min(STREAM_ERROR_TIMEOUT_MS, drainMs / 2);
    const hasDrained = await isDoneWithin(drained, drainMs - tailMs);
    if (!hasDrained) {
      log.warn({ drainMs }, 'drain timeout reached; aborting requests in flight');
      gateway.endStreams();
      if (!(await isDoneWithin(drained, tailMs))) app.server.closeAllConnections();
    }
    const closing = appClosed
      .then(() => admin?.close())
      .then(() => gateway.close())
      .then(() => telemetry?.close());
    const hasClosed = await isDoneWithin(closing, CLOSE_LIMIT_MS);
    return hasDrained && hasClosed ? exitCodes.done : exitCodes.failed;
  } catch (error) {
    log.error({ err: error }, 'shutdown failed');
    return exitCodes.failed;
  }
}

/** Rejects if the work fails. */
async function isDoneWithin(work: Promise<unknown>, limitMs: number): Promise<boolean> {
  const timeoutAbort = new AbortController();
  const timeout = wait(limitMs, false, { signal: timeoutAbort.signal });
  return await Promise.race([work.then(() => true), timeout]).finally(() => timeoutAbort.abort());
}

function parseWorkers(text: string): number | 'auto' {
  if (text === 'auto') return text;
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Enter a whole number from 1 to 256, or auto.');
}

/** If this many errors occur within this time, the process may be broken. */
const MAX_ERRORS = 20;
const ERROR_WINDOW_MS = 60_000;

/** Calls `stop` once, even if it takes long. Unhandled rejections count as uncaught errors. */
function installUncaughtExceptionHandler(events: ShellEvents, log: Log, stop: () => void): void {
  let recentErrorTimes: number[] = [];
  let isStopping = false;
  events.on('uncaughtException', (error, origin) => {
    log.error({ err: error, origin }, 'uncaught error');
    const now = performance.now();
    recentErrorTimes = [...recentErrorTimes.filter((at) => now - at < ERROR_WINDOW_MS), now];
    if (recentErrorTimes.length < MAX_ERRORS || isStopping) return;
    isStopping = true;
    log.fatal({ errors: recentErrorTimes.length }, 'too many uncaught errors; stopping');
    stop();
  });
}

function createGaugeSources(gateway: Gateway): GaugeSources {
  return {
    streamsOpen: () => gateway.streams.size,
    webSocketsOpen: () => gateway.webSockets.size,
    holdsOpen: () => gateway.money?.open.size ?? null,
    outboxWaiting: () => gateway.money?.outbox.size ?? null,
    isLimitShared: () => (gateway.limits.getState ? gateway.limits.getState().kind === 'shared' : null),
    breakers: () => gateway.health.getStates(),
  };
}

/**
 * Calls `stop` when the process must stop. A worker ignores Ctrl-C, which reaches all processes of a terminal, because
 * the supervisor decides when its workers stop. A worker whose supervisor is gone stops.
 */
function onStopSignal(events: ShellEvents, worker: WorkerLink | null, stop: (signal: StopSignal) => void): void {
  events.on('SIGTERM', stop);
  events.on('SIGINT', worker ? () => undefined : stop);
  worker?.onOrphaned(() => stop('SIGTERM'));
}

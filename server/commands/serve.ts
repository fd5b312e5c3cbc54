/** `modelgate serve`: starts the gateway, prints how to use it, and stops it gracefully. */
import { setTimeout as wait } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import type { FastifyInstance } from 'fastify';
import { describeLostGroup, findLostGroups } from '../access/groups.ts';
import { writeNodeReport } from '../admin/node-report.ts';
import type { Operations } from '../admin/operations.ts';
import type { RunningGateway } from '../admin/running.ts';
import type { Gateway } from '../gateway.ts';
import { type Log, openLog, openStderr } from '../telemetry/log.ts';
import { openTelemetry } from '../telemetry/open.ts';
import type { Telemetry } from '../telemetry/record.ts';
import { type WorkerLink, workerLink } from '../workers/link.ts';
import { writeBanner, writeReadyLine } from './banner.ts';
import { chooseKey, endSeededKeys } from './chosen-key.ts';
import { type ExitCode, exitCodes, ToldFailure } from './failure.ts';
import { completeFirstStart } from './first-start.ts';
import { listen, listenForOperators } from './listen.ts';
import { type LocationOptions, readConfigFile, withConfigOption, withDataOption } from './location.ts';
import { type MockOptions, readMockFlags, withMockOptions } from './mock-options.ts';
import { listenForSighup, openReloading, type Reloading } from './reloading.ts';
import { runningGateway } from './running-gateway.ts';
import { makeSetupTokens } from './setup-tokens.ts';
import type { Shell, StopSignal } from './shell.ts';
import { supervise } from './supervise.ts';
import { listenForMetrics, watchedOf } from './telemetry.ts';
import { surviveUncaughtErrors } from './uncaught.ts';
import { readVersion } from './version.ts';
import { onStopOrder, tellingOthers } from './worker.ts';
import { growYoungGeneration } from './young-generation.ts';

export function addServe(program: Command): void {
  withMockOptions(withDataOption(withConfigOption(program.command('serve'))))
    .description('start the gateway; with nothing configured it serves a built-in simulator')
    .option('-H, --host <address>', 'address to listen on (default: 127.0.0.1)')
    .option('-p, --port <port>', 'port to listen on; 0 takes any free one (default: 8080)', parsePort)
    .option('-w, --workers <n>', 'processes that serve the port, or auto for one per core (default: 1)', parseWorkers)
    .option('--json', 'when it is ready, print one line of JSON instead of the banner')
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
SIGHUP reads the file again; a file with a mistake is refused whole, and the log says why.
SIGUSR2 replaces the workers one after the other, without a refused call: with a new program, for example.

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
  if ((await ended.code) !== exitCodes.done) throw new ToldFailure();
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
    if (!placed.standIn) await endSeededKeys({ ...gateway.access, now: Date.now }, log);
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
  const { access, money, limits, activity, sessions } = gateway;
  return {
    access,
    ledger: money?.ledger ?? null,
    prices: money?.prices ?? null,
    limits,
    activity,
    sessions,
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
  surviveUncaughtErrors(shell.events, running.log, () => {
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
    // These callers have disconnected, but their vendors bill to the end, so the drain waits for their answers as for any other.
    const closed = answered.then(() => gateway.draining.settled());
    const tailMs = Math.min(ERROR_EVENTS_MS, drainMs / 2);
    const hasDrained = await isDoneWithin(closed, drainMs - tailMs);
    if (!hasDrained) {
      log.warn({ drainMs }, 'the drain time is over: requests that still run are ended');
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
    log.error({ err: error }, 'the stop failed');
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
  throw new InvalidArgumentError('Write a whole number from 0 to 65535.');
}

function parseWorkers(text: string): number | 'auto' {
  if (text === 'auto') return text;
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Write a whole number of processes from 1 to 256, or auto.');
}

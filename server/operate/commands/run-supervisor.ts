/** Runs `serve` with several workers under a supervisor. */
import type { Config } from '../../config/config.ts';
import { serveMetrics } from '../../telemetry/listener.ts';
import type { Log } from '../../telemetry/log.ts';
import { finishStart } from '../finish-start.ts';
import { findWorkersProblem, Supervisor } from '../supervisor.ts';
import { CommandError } from './command-error.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { metricsSettings, toListenError } from './listen.ts';
import type { SighupListener } from './reload-control.ts';
import type { Shell } from './shell.ts';

/** Resolves with the exit code when all workers have ended. */
export async function runSupervisor(config: Config, log: Log, sighups: SighupListener, shell: Shell): Promise<ExitCode> {
  const problem = findWorkersProblem(config);
  if (problem !== null) throw new CommandError(problem);
  const scrapeWorkers = (): Promise<string> => supervisor.scrape();
  const metrics = config.metrics.enabled ? await serveMetrics(scrapeWorkers, config.metrics, log).catch(throwListenError(config)) : null;
  const { file: program, words } = shell.program;
  const supervisor = new Supervisor({ count: config.server.workers, log, program, words, metricsOrigin: metrics?.origin });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) shell.events.on(signal, () => supervisor.stop());
  shell.events.on('SIGUSR2', () => void supervisor.roll());
  sighups.follow(() => supervisor.reload());
  finishStart();
  const code = await supervisor.run();
  await metrics?.close();
  const exitCode = code === 0 ? exitCodes.done : exitCodes.failed;
  shell.exit(exitCode);
  return exitCode;
}

const throwListenError =
  ({ metrics }: Config) =>
  (error: unknown): never => {
    throw toListenError(error, metrics, metricsSettings);
  };

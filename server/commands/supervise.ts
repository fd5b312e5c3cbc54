/** `modelgate serve --workers`: what the first process does, which serves nothing itself. */
import type { Config } from '../config/config.ts';
import { serveMetrics } from '../telemetry/listener.ts';
import type { Log } from '../telemetry/log.ts';
import { workersProblem } from '../workers/needs.ts';
import { Supervisor } from '../workers/supervisor.ts';
import { CommandError, type ExitCode, exitCodes } from './failure.ts';
import type { Sighups } from './reloading.ts';
import type { Shell } from './shell.ts';
import { metricsListenFailure } from './telemetry.ts';

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

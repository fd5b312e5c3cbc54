/** Telemetry of `modelgate serve`: what it observes, and the listener for metrics. */
import type { Gateway } from '../gateway.ts';
import type { MetricsAddress, Telemetry, Watched } from '../telemetry/record.ts';
import type { WorkerLink } from '../workers/link.ts';
import { CommandError } from './failure.ts';

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

export function metricsListenFailure(error: unknown, { host, port }: MetricsAddress): unknown {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return new CommandError(
      `Port ${port} of ${host}, for the metrics, is in use. Choose another as metrics.port (0 takes any free one), or set metrics.enabled to false.`,
    );
  if (code === 'EACCES') return new CommandError(`This user may not listen on port ${port}. Choose one above 1023 as metrics.port.`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new CommandError(`${host} is not an address of this machine. Choose another as metrics.host, for example 127.0.0.1.`);
  return error;
}

/** What is different when `modelgate serve` runs as one of several workers. */
import type { WorkerLink } from '../workers/link.ts';
import type { Reloading } from './reloading.ts';
import type { ShellEvents, StopSignal } from './shell.ts';

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

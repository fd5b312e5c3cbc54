/** Uncaught errors: each is logged and ends only the work that threw it; after many of them the process stops. */
import type { Log } from '../telemetry/log.ts';
import type { ShellEvents } from './shell.ts';

/** This many in this time mean that the process may be broken. */
export const MOST_ERRORS = 20;
const WITHIN_MS = 60_000;

/** `stop` is called once, and may take long. Unhandled rejections count as uncaught errors. */
export function surviveUncaughtErrors(events: ShellEvents, log: Log, stop: () => void): void {
  let recent: number[] = [];
  let isStopping = false;
  events.on('uncaughtException', (error, origin) => {
    log.error({ err: error, origin }, 'uncaught error');
    const now = performance.now();
    recent = [...recent.filter((at) => now - at < WITHIN_MS), now];
    if (recent.length < MOST_ERRORS || isStopping) return;
    isStopping = true;
    log.fatal({ errors: recent.length }, 'too many uncaught errors: the gateway stops');
    stop();
  });
}

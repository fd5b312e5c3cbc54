/** Uncaught errors: each is logged and ends only the work that raised it; a process that raises many of them stops. */
import type { Log } from '../telemetry/log.ts';
import type { ShellEvents } from './shell.ts';

/** So many within the time are no accident: what is left may be as broken. */
export const MOST_ERRORS = 20;
const WITHIN_MS = 60_000;

/** `stop` is called once, and may take its time. Rejections that nobody handles are among the errors. */
export function outliveErrors(events: ShellEvents, log: Log, stop: () => void): void {
  let recent: number[] = [];
  let isStopping = false;
  events.on('uncaughtException', (error, origin) => {
    log.error({ err: error, origin }, 'an error that nobody caught');
    const now = performance.now();
    recent = [...recent.filter((at) => now - at < WITHIN_MS), now];
    if (recent.length < MOST_ERRORS || isStopping) return;
    isStopping = true;
    log.fatal({ errors: recent.length }, 'too many errors that nobody caught: the gateway stops');
    stop();
  });
}

/** What each heartbeat tells operators of this process, once somebody says how it is written. */
import type { Log } from '../telemetry/log.ts';

export interface Reporting {
  by(write: () => string): void;
  /** Undefined: nothing is told. Never throws: a report that fails must not take the heartbeat with it. */
  tell(): string | undefined;
}

export function openReporting(log: Log): Reporting {
  let write: (() => string) | undefined;
  return {
    by(chosen) {
      write = chosen;
    },
    tell() {
      try {
        return write?.();
      } catch (err) {
        log.error({ err }, 'this process could not report its state');
        return undefined;
      }
    },
  };
}

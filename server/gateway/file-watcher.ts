/** Watches the configuration file for changes. */
import { readStamp, type Stamp } from '../config/config.ts';

/** Polls every second. A file written in pieces is complete when two polls see the same stamp. */
const POLL_INTERVAL_MS = 1_000;

export interface FileWatcher {
  close(): void;
}

interface WatchOptions {
  readonly file: string;
  /** The stamp of the file when it was last read. A different stamp is a change. Null uses the stamp of the first poll. */
  readonly since: Stamp;
  readonly lookMs?: number;
}

/**
 * Polls instead of using file system events, which follow a renamed file to its old copy and are limited in number.
 * Events are also missing on network folders and for switched symbolic links (as in Kubernetes).
 */
export function openFileWatcher({ file, since, lookMs: intervalMs = POLL_INTERVAL_MS }: WatchOptions, onChange: () => void): FileWatcher {
  let appliedStamp = since;
  let lastStamp: Stamp = null;
  let isClosed = false;
  const poll = async (): Promise<void> => {
    const stamp = await readStamp(file);
    if (isClosed) return;
    // A file that is briefly missing is being replaced.
    if (stamp !== null) {
      appliedStamp ??= stamp;
      const isUnchanged = stamp === lastStamp;
      lastStamp = stamp;
      if (isUnchanged && stamp !== appliedStamp) {
        appliedStamp = stamp;
        onChange();
      }
    }
    timer = setTimeout(poll, intervalMs).unref();
  };
  let timer: NodeJS.Timeout | null = null;
  void poll();
  return {
    close() {
      isClosed = true;
      if (timer) clearTimeout(timer);
    },
  };
}

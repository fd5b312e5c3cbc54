/** Watches the configuration file, and reports a change when the file has stopped changing. */
import { lookAtStamp, type Stamp } from '../config/stamp.ts';

/** Polls every second: a file that is written in pieces is complete when two polls see the same stamp. */
const LOOK_MS = 1_000;

export interface Watch {
  close(): void;
}

export interface Watching {
  readonly file: string;
  /** The stamp of the file when it was last read; a different one is a change. Null: the stamp of the first poll. */
  readonly since: Stamp;
  readonly lookMs?: number;
}

/**
 * Polls instead of using file system events: those follow a renamed file to its old copy, are missing on network
 * folders and for switched symbolic links (as Kubernetes does), and their number is limited.
 */
export function openWatch({ file, since, lookMs = LOOK_MS }: Watching, onChange: () => void): Watch {
  let settled = since;
  let seen: Stamp = null;
  let isClosed = false;
  const look = async (): Promise<void> => {
    const now = await lookAtStamp(file);
    if (isClosed) return;
    // A file that is missing for a moment is being replaced.
    if (now !== null) {
      settled ??= now;
      const isStill = now === seen;
      seen = now;
      if (isStill && now !== settled) {
        settled = now;
        onChange();
      }
    }
    timer = setTimeout(look, lookMs).unref();
  };
  let timer: NodeJS.Timeout | null = null;
  void look();
  return {
    close() {
      isClosed = true;
      if (timer) clearTimeout(timer);
    },
  };
}

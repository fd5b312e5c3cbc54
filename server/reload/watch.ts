/** Notices that the configuration file has changed, and says so when it has stopped changing. */
import { lookAtStamp, type Stamp } from '../config/stamp.ts';

/** Looks a second apart: an editor or a copy that writes in pieces is done when two of them see the same. */
const LOOK_MS = 1_000;

export interface Watch {
  close(): void;
}

export interface Watching {
  readonly file: string;
  /** Of the file as it was read last: what has changed since then is a change. Null: as it is at the first look. */
  readonly since: Stamp;
  readonly lookMs?: number;
}

/**
 * By looking, not by the events of the system: those follow a file that is renamed into its old copy, are silent over network
 * folders and for links that are turned (as Kubernetes does), and run out of watches.
 */
export function openWatch({ file, since, lookMs = LOOK_MS }: Watching, onChange: () => void): Watch {
  let settled = since;
  let seen: Stamp = null;
  let isClosed = false;
  const look = async (): Promise<void> => {
    const now = await lookAtStamp(file);
    if (isClosed) return;
    // A file that is away for a moment is being replaced.
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

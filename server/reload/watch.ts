/** Notices that the configuration file has changed, and says so when it has stopped changing. */
import { stat } from 'node:fs/promises';

/** Looks a second apart: an editor or a copy that writes in pieces is done when two of them see the same. */
const LOOK_MS = 1_000;

export interface Watch {
  close(): void;
}

/**
 * By looking, not by the events of the system: those follow a file that is renamed into its old copy, are silent over network
 * folders and for links that are turned (as Kubernetes does), and run out of watches.
 */
export function openWatch(file: string, onChange: () => void, lookMs = LOOK_MS): Watch {
  let settled: string | null = null;
  let seen: string | null = null;
  let isClosed = false;
  const look = async (): Promise<void> => {
    const now = await stampOf(file);
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

/** Of what the name leads to: another file under the same name is another one. Null where nothing can be seen. */
async function stampOf(file: string): Promise<string | null> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(file, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
  } catch {
    return null;
  }
}

/** Triggers of a reload: SIGHUP, and a change of the file when it is watched. */
import type { LoadedConfig } from '../config/config.ts';
import type { Gateway } from '../gateway.ts';
import { openReloader, type Reloader, type ReloadOutcome } from '../reload/reload.ts';
import { openWatch, type Watch } from '../reload/watch.ts';
import type { ShellEvents } from './shell.ts';

export interface Reloading {
  readonly reloader: Reloader;
  /** A gateway that is stopping does not reload. */
  close(): void;
}

/** Handles SIGHUP, which would end a process without a handler. */
export interface Sighups {
  /** A signal that came before the handler was set is delivered now: the file may have changed since it was read. */
  follow(tell: () => void): void;
}

/** Listens from the first moment of the start: a SIGHUP before the gateway is ready must not end it. */
export function listenForSighup(events: ShellEvents): Sighups {
  let hasCome = false;
  let told = (): void => {
    hasCome = true;
  };
  events.on('SIGHUP', () => told());
  return {
    follow(tell) {
      told = tell;
      if (hasCome) tell();
    },
  };
}

export interface ReloadingParts {
  readonly gateway: Gateway;
  readonly hangUps: Sighups;
  /** The options of the start. */
  readonly started: LoadedConfig;
  /** Reads the same file again; null when there was none. */
  readonly load: (file: string | null) => LoadedConfig;
}

export function openReloading({ gateway, hangUps, started, load }: ReloadingParts): Reloading {
  const { log } = gateway;
  let { stamp } = started;
  const read = (): LoadedConfig => {
    const loaded = load(gateway.config.file);
    stamp = loaded.stamp;
    return loaded;
  };
  const inner = openReloader({ gateway, log, sections: started.sections, load: read, peek: () => load(gateway.config.file) });
  let watch: Watch | null = null;
  let isClosed = false;
  const follow = (): void => {
    const { file, reload } = gateway.config;
    const isWanted = reload.watch && file !== null && !isClosed;
    if (isWanted) watch ??= openWatch({ file, since: stamp }, () => void reloader.reload('file'));
    else {
      watch?.close();
      watch = null;
    }
  };
  const reloader: Reloader = {
    async reload(...order): Promise<ReloadOutcome> {
      const outcome = await inner.reload(...order);
      follow();
      return outcome;
    },
    check: () => inner.check(),
  };
  const onSignal = (): void => {
    if (!isClosed) void reloader.reload('signal');
  };
  hangUps.follow(onSignal);
  follow();
  return {
    reloader,
    close() {
      // Keep the handler: without it, SIGHUP would end a process that is draining.
      isClosed = true;
      follow();
    },
  };
}

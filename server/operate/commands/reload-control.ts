/** Triggers reloads: on SIGHUP, on a change of a watched file, and when another worker reloads. */

import type { LoadedConfig } from '../../config/config.ts';
import { type FileWatcher, openFileWatcher } from '../../gateway/file-watcher.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import { openReloader, type Reloader, type ReloadOutcome } from '../../gateway/reload.ts';
import type { WorkerLink } from '../worker-link.ts';
import type { ShellEvents } from './shell.ts';

export interface ReloadControl {
  readonly reloader: Reloader;
  /** Ends reloading, because a gateway that is stopping doesn't reload. */
  close(): void;
}

/** Handles SIGHUP, which would end a process without a handler. */
export interface SighupListener {
  /** Sets the handler. A signal that came earlier is delivered now, because the file may have changed since it was read. */
  follow(onSignal: () => void): void;
}

/** Listens from the beginning, because a SIGHUP before the gateway is ready must not end it. */
export function listenForSighup(events: ShellEvents): SighupListener {
  let wasReceived = false;
  let handleSignal = (): void => {
    wasReceived = true;
  };
  events.on('SIGHUP', () => handleSignal());
  return {
    follow(onSignal) {
      handleSignal = onSignal;
      if (wasReceived) onSignal();
    },
  };
}

interface ReloadControlOptions {
  readonly gateway: Gateway;
  readonly hangUps: SighupListener;
  /** The configuration that the gateway started with. */
  readonly started: LoadedConfig;
  /** Reads the same file again. Null if the gateway started without one. */
  readonly load: (file: string | null, text?: string) => LoadedConfig;
}

export function openReloadControl({ gateway, hangUps, started, load }: ReloadControlOptions): ReloadControl {
  const { log } = gateway;
  let { stamp } = started;
  const loadAndStamp = (): LoadedConfig => {
    const loaded = load(gateway.config.file);
    stamp = loaded.stamp;
    return loaded;
  };
  const baseReloader = openReloader({
    gateway,
    log,
    sections: started.sections,
    load: loadAndStamp,
    peek: (text) => load(gateway.config.file, text),
  });
  let watch: FileWatcher | null = null;
  let isClosed = false;
  const updateWatch = (): void => {
    const { file, reload } = gateway.config;
    const shouldWatch = reload.watch && file !== null && !isClosed;
    if (shouldWatch) watch ??= openFileWatcher({ file, since: stamp }, () => void reloader.reload('file'));
    else {
      watch?.close();
      watch = null;
    }
  };
  const reloader: Reloader = {
    async reload(...order): Promise<ReloadOutcome> {
      const outcome = await baseReloader.reload(...order);
      updateWatch();
      return outcome;
    },
    check: (text) => baseReloader.check(text),
  };
  const onSignal = (): void => {
    if (!isClosed) void reloader.reload('signal');
  };
  hangUps.follow(onSignal);
  updateWatch();
  return {
    reloader,
    close() {
      // The handler stays, because without it, SIGHUP would end a draining process.
      isClosed = true;
      updateWatch();
    },
  };
}

/** If an operator reloads one worker, all workers reload. The others are notified once the first has succeeded. */
export function withWorkerReload(control: ReloadControl, worker: WorkerLink | null): ReloadControl {
  if (worker === null) return control;
  const { reloader } = control;
  return {
    ...control,
    reloader: {
      check: (text) => reloader.check(text),
      async reload(...order) {
        const outcome = await reloader.reload(...order);
        if (outcome.kind === 'reloaded') worker.reloaded();
        return outcome;
      },
    },
  };
}

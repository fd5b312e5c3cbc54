/** Deletes expired data every hour: stored responses, idempotency keys, request log rows, and sessions. Also checks new entries of the ledger. */

import { setTimeout as pause } from 'node:timers/promises';
import { IDLE_TIMEOUT_MS } from '../../access/sessions/sessions.ts';
import { type LiveNode, listLiveNodes, MAX_SILENCE_MS } from '../../money/live-nodes.ts';
import { MAX_CHECKED_ENTRIES } from '../../money/reconcile.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Stores } from './stores.ts';

const DAY_SECONDS = 86_400;

const HOUR_MS = 3_600_000;

/** The length of a pause, as a multiple of the previous step, so that the store is free for calls most of the time. */
const PAUSE_FACTOR = 3;

const MIN_PAUSE_MS = 5;

interface SweepParts {
  readonly stores: Pick<Stores, 'ledger' | 'responses' | 'idempotency' | 'sessions' | 'activity'>;
  readonly activity: { sweep(): Promise<number> };
  /** This process, as named in its heartbeat. */
  readonly node: string;
  /** Whether other processes may use the same stores. */
  readonly isShared: boolean;
  readonly days: () => number;
  readonly log: Log;
}

interface Sweeper {
  /** Resolves when the running step has ended. The next sweep deletes the remaining data. */
  close(): Promise<void>;
}

/**
 * Deletes expired responses, idempotency keys, request log rows and sessions, and checks new ledger entries. Runs immediately, then every
 * hour.
 */
export function startHourlySweep({ stores, activity, node, isShared, days: getRetentionDays, log }: SweepParts): Sweeper {
  const abortController = new AbortController();
  const steps: readonly (() => Promise<number>)[] = [
    () => stores.responses.sweep(Math.floor(Date.now() / 1000) - getRetentionDays() * DAY_SECONDS),
    () => stores.idempotency.sweep(DAY_SECONDS * 1000),
    () => activity.sweep(),
    // A full step can be slightly shorter, because it ends before a charge whose entries continue in the next step.
    async () => ((await stores.ledger.checkEntries()) < MAX_CHECKED_ENTRIES / 2 ? 0 : 1),
  ];
  const sweep = async (): Promise<void> => {
    try {
      if (isShared && !isElected(node, await listLiveNodes(stores.activity.ask, Date.now() - MAX_SILENCE_MS))) return;
      for (const step of steps) await repeatUntilDone(step, abortController.signal);
      if (!abortController.signal.aborted) await stores.sessions.sweep({ expired: Date.now(), idle: Date.now() - IDLE_TIMEOUT_MS });
    } catch (error) {
      if (!abortController.signal.aborted) log.error({ err: error }, 'deleting expired data failed');
    }
  };
  let currentSweep = sweep();
  const timer = setInterval(() => {
    currentSweep = currentSweep.then(sweep);
  }, HOUR_MS).unref();
  return {
    close() {
      clearInterval(timer);
      abortController.abort();
      return currentSweep;
    },
  };
}

/** Picks the first live process by name. If clock skew makes all seem dead, every process sweeps, which is slower but correct. */
const isElected = (node: string, liveNodes: readonly LiveNode[]): boolean => liveNodes.every(({ id }) => node <= id);

async function repeatUntilDone(step: () => Promise<number>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const startedAt = performance.now();
    if ((await step()) === 0) return;
    const durationMs = performance.now() - startedAt;
    await pause(Math.max(PAUSE_FACTOR * durationMs, MIN_PAUSE_MS), undefined, { signal, ref: false });
  }
}

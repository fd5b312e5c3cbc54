/** All stores of a gateway, the same on either database, and the checks when they are opened. */

import { setTimeout as pause } from 'node:timers/promises';
import { type Access, adoptPepper } from '../access/pepper.ts';
import type { ActivityStore } from '../activity/record.ts';
import type { AlertStore } from '../alerts/store.ts';
import type { HistoryStore } from '../history/recorder.ts';
import type { IdempotencyStore } from '../ledger/idempotency.ts';
import { type LiveNode, listNodes, SILENT_MS } from '../ledger/nodes.ts';
import { MAX_CHECKED } from '../ledger/reconcile.ts';
import type { LedgerStore } from '../ledger/store.ts';
import { IDLE_MS, type SessionStore } from '../sessions/sessions.ts';
import { describeNewer, type FoundSchema } from '../storage/compatibility.ts';
import { knownSchema } from '../storage/sqlite/database.ts';
import type { Log } from '../telemetry/log.ts';

export interface Stores {
  readonly access: Access;
  readonly ledger: LedgerStore;
  readonly responses: HistoryStore;
  readonly idempotency: IdempotencyStore;
  readonly activity: ActivityStore;
  readonly sessions: SessionStore;
  readonly alerts: AlertStore;
  /** A note for the operator at the start, when the schema is newer than this program; null otherwise. */
  readonly note: string | null;
  /** Whether the store answers. */
  isReady(): Promise<boolean>;
  close(): Promise<void>;
}

export function noteOn(schema: FoundSchema): string | null {
  const newer = describeNewer(schema, knownSchema);
  return newer && `the database is at ${newer}; when the newer version is stable, start it here, too`;
}

/** Checks that the pepper is that of the other gateways on this database, or records it for them. */
export async function withCheckedPepper(opening: Promise<Access>): Promise<Access> {
  const access = await opening;
  await adoptPepper(access);
  return access;
}

export async function closeOnError<T>(close: () => Promise<void>, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    await close();
    throw error;
  }
}

/** The error itself is not reported here: the log has it with the first request that needs the store. */
export async function succeeds(ask: () => Promise<unknown>): Promise<boolean> {
  try {
    await ask();
    return true;
  } catch {
    return false;
  }
}

const DAY_SECONDS = 86_400;
const HOUR_MS = 3_600_000;
/** A pause is so many times as long as the step before it, so that calls have the store most of the time. */
const PAUSE_FACTOR = 3;
const MIN_PAUSE_MS = 5;

interface Swept {
  readonly stores: Pick<Stores, 'ledger' | 'responses' | 'idempotency' | 'sessions' | 'activity'>;
  readonly activity: { sweep(): Promise<number> };
  /** This process, as its heartbeat names it. */
  readonly node: string;
  /** Whether other processes may use the same stores. */
  readonly isShared: boolean;
  readonly days: () => number;
  readonly log: Log;
}

interface Sweeper {
  /** Resolves when the running step has ended; the rest is deleted the next time. */
  close(): Promise<void>;
}

/** Deletes stored responses, answers by idempotency key, rows of the request log and sessions past their time, and checks new entries of the ledger: from now on, and every hour. */
export function sweepHourly({ stores, activity, node, isShared, days, log }: Swept): Sweeper {
  const stopping = new AbortController();
  const steps: readonly (() => Promise<number>)[] = [
    () => stores.responses.sweep(Math.floor(Date.now() / 1000) - days() * DAY_SECONDS),
    () => stores.idempotency.sweep(DAY_SECONDS * 1000),
    () => activity.sweep(),
    // A full step can be a little shorter: it ends before a charge whose entries continue in the next one.
    async () => ((await stores.ledger.checkEntries()) < MAX_CHECKED / 2 ? 0 : 1),
  ];
  const sweep = async (): Promise<void> => {
    try {
      if (isShared && !isElected(node, await listNodes(stores.activity.ask, Date.now() - SILENT_MS))) return;
      for (const step of steps) await repeat(step, stopping.signal);
      if (!stopping.signal.aborted) await stores.sessions.sweep({ expired: Date.now(), idle: Date.now() - IDLE_MS });
    } catch (error) {
      if (!stopping.signal.aborted) log.error({ err: error }, 'deleting expired data failed');
    }
  };
  let running = sweep();
  const timer = setInterval(() => {
    running = running.then(sweep);
  }, HOUR_MS).unref();
  return {
    close() {
      clearInterval(timer);
      stopping.abort();
      return running;
    },
  };
}

/** Picks the first live process by name. If clock skew makes all seem dead, every process sweeps, which is slower but correct. */
const isElected = (node: string, living: readonly LiveNode[]): boolean => living.every(({ id }) => node <= id);

async function repeat(step: () => Promise<number>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const startedAt = performance.now();
    if ((await step()) === 0) return;
    const tookMs = performance.now() - startedAt;
    await pause(Math.max(PAUSE_FACTOR * tookMs, MIN_PAUSE_MS), undefined, { signal, ref: false });
  }
}

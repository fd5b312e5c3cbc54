/** The dependencies of the operators' API; the gateway provides them, or the command line on a data folder. */

import type { FastifyRequest } from 'fastify';
import type { AnyAdminCode } from '../../contract/admin/errors.ts';
import type { AdminRole } from '../../contract/admin/roles.ts';
import { type Access, type Environment, openAccess, openAccessOn } from '../access/pepper.ts';
import { accessRoom } from '../access/plans.ts';
import type { Activity } from '../activity/activity.ts';
import { activityRoom } from '../activity/plans.ts';
import { readActivity } from '../activity/reads.ts';
import type { ActivityStore } from '../activity/record.ts';
import { alertRoom } from '../alerts/plans.ts';
import type { AlertStore } from '../alerts/store.ts';
import type { Config } from '../config/config.ts';
import { GatewayError } from '../errors.ts';
import { openPostgresLedger } from '../ledger/postgres.ts';
import type { PriceBook } from '../ledger/price-book.ts';
import { openLedgerSteps, openSqliteLedger } from '../ledger/sqlite.ts';
import type { LedgerStore } from '../ledger/store.ts';
import type { LimitStore } from '../limits/limiter.ts';
import type { Reloader } from '../reload/reload.ts';
import type { TestOutcome } from '../request/transcoder.ts';
import { sessionRoom } from '../sessions/plans.ts';
import type { LiveSession, SessionStore } from '../sessions/sessions.ts';
import type { AuditEntry } from '../storage/audit.ts';
import { rejectHalfCopy } from '../storage/compatibility.ts';
import { openPostgres } from '../storage/postgres/pool.ts';
import { migratePostgres } from '../storage/postgres/schema.ts';
import { openDatabase, runHere } from '../storage/sqlite/database.ts';
import type { UpstreamState } from '../upstreams/upstream.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls the operators' API, for the audit log. */
    actor: string;
    /** The session of the call; null when it was made with a key. */
    session: LiveSession | null;
    /** Role of the operator. */
    role: AdminRole;
  }
}

export interface Operations {
  readonly access: Access;
  /** Null when billing is off. */
  readonly ledger: LedgerStore | null;
  /** Null when they are counted in another process. */
  readonly limits: LimitStore | null;
  /** The request log. */
  readonly activity: Pick<Activity, 'find' | 'ask' | 'completeUntil' | 'rowsFrom'>;
  /** Sessions of browsers. */
  readonly sessions: SessionStore;
  readonly alerts: Pick<AlertStore, 'acknowledge'>;
  /** Null when no calls are priced in this process. */
  readonly prices: Pick<PriceBook, 'refresh'> | null;
  /** Read only when needed: on the command line the configuration may be unreadable. */
  readonly config: Config;
  /** Undefined when no gateway runs in this process. */
  readonly reloader?: Reloader;
  /** Undefined when no gateway runs in this process. */
  readonly gateway?: RunningGateway;
  readonly now: () => number;
}

export function ledgerOf({ ledger }: Operations): LedgerStore {
  if (ledger) return ledger;
  throw new GatewayError<AnyAdminCode>('conflict', {
    message: "Billing is off in the configuration, so balances, prices, and receipts aren't available.",
  });
}

/**
 * The details of a change: the fields that it sets, and in `before` their earlier values, as the API writes them. They are read just before the change, so
 * of two changes at the same time both may tell the same earlier value.
 */
export function changeOf<Changes extends object>(
  changes: Changes,
  before: { readonly [Name in keyof Changes]?: unknown },
): AuditEntry['details'] {
  // `as`: an object has no other names than its own.
  const names = Object.keys(changes) as (keyof Changes)[];
  return { ...changes, before: Object.fromEntries(names.map((name) => [name, before[name]])) };
}

/** `details` must not contain a secret. The id of the session is added to them. */
export function auditOf(
  { now }: Operations,
  { actor, session }: FastifyRequest,
  { action, target, details }: Pick<AuditEntry, 'action' | 'target' | 'details'>,
): AuditEntry {
  return { actor, action, target, details: session ? { ...details, session: session.id } : details, at: now() };
}

export interface OperationsPlace {
  readonly folder: string;
  readonly env: Environment;
  /** Read only when it is needed: a secret that is missing in the operator's shell must not prevent a revocation. */
  readonly loadConfig: () => Config;
}

export interface OpenOperations {
  readonly operations: Operations;
  /** The request log, for what no operation of the API does. */
  readonly activity: ActivityStore;
  close(): Promise<void>;
}

export async function openOperations({ folder, env, loadConfig }: OperationsPlace): Promise<OpenOperations> {
  const config = once(loadConfig);
  const url = databaseUrl(config, env);
  const stores = url === undefined ? await openFile(folder, env) : await openServer(url, folder, env);
  const operations: Operations = {
    access: stores.access,
    activity: readActivity(stores.activity, Date.now, () => config().activity.days),
    sessions: stores.sessions,
    alerts: stores.alerts,
    limits: null,
    prices: null,
    now: Date.now,
    get config() {
      return config();
    },
    get ledger() {
      return isBillingOff(config) ? null : stores.ledger;
    },
  };
  return { operations, activity: stores.activity, close: stores.close };
}

interface Kept {
  readonly access: Access;
  readonly ledger: LedgerStore;
  readonly activity: ActivityStore;
  readonly sessions: SessionStore;
  readonly alerts: AlertStore;
  close(): Promise<void>;
}

async function openFile(folder: string, env: Environment): Promise<Kept> {
  // Strict, so that a change by an operator survives a loss of power.
  const database = openDatabase({ folder, durability: 'strict' });
  try {
    const { connection } = database;
    const access = await openAccess(folder, { connection, env });
    const ledger = openSqliteLedger({ connection, steps: runHere(connection, openLedgerSteps) });
    const activity = activityRoom.onSqlite({ connection, steps: runHere(connection, activityRoom.steps) });
    const sessions = sessionRoom.onSqlite({ connection, steps: runHere(connection, sessionRoom.steps) });
    const alerts = alertRoom.onSqlite({ connection, steps: runHere(connection, alertRoom.steps) });
    const close = async (): Promise<void> => {
      await activity.close();
      database.close();
    };
    return { access, ledger, activity, sessions, alerts, close };
  } catch (error) {
    database.close();
    throw error;
  }
}

async function openServer(url: string, folder: string, env: Environment): Promise<Kept> {
  const postgres = openPostgres({ url });
  try {
    await migratePostgres(postgres);
    await rejectHalfCopy(postgres);
    const access = await openAccessOn(folder, accessRoom.onPostgres(postgres), env);
    return {
      access,
      ledger: openPostgresLedger(postgres),
      activity: activityRoom.onPostgres(postgres),
      sessions: sessionRoom.onPostgres(postgres),
      alerts: alertRoom.onPostgres(postgres),
      close: () => postgres.close(),
    };
  } catch (error) {
    await postgres.close();
    throw error;
  }
}

/** Also works when the rest of the configuration cannot be read: a revocation must reach the database with the keys. */
function databaseUrl(config: () => Pick<Config, 'database'>, env: Environment): string | undefined {
  try {
    return config().database.url;
  } catch {
    return env.DATABASE_URL || undefined;
  }
}

/** Balances can be read even when the configuration cannot; operations that need it report the error. */
function isBillingOff(config: () => Config): boolean {
  try {
    return config().billing === 'off';
  } catch {
    return false;
  }
}

/** A failure is cached too: reading the file again would give the same. */
function once<T>(load: () => T): () => T {
  let outcome: { readonly value: T } | { readonly error: unknown } | undefined;
  return () => {
    outcome ??= attempt(load);
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  };
}

function attempt<T>(work: () => T): { readonly value: T } | { readonly error: unknown } {
  try {
    return { value: work() };
  } catch (error) {
    return { error };
  }
}

/** A place that serves models: an upstream and the name of a model there. */
export interface Place {
  readonly upstream: string;
  readonly upstreamModel: string;
}

export interface PlaceState extends Place {
  /** The worst over all accounts. */
  readonly state: 'closed' | 'open' | 'half_open';
  /** Milliseconds until it is tried again; 0: it may be called now. */
  readonly restMs: number;
}

export interface RunningGateway {
  /** Id of the process. */
  readonly node: string;
  readonly version: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Bytes. */
  memory(): number;
  openStreams(): number;
  /** Null when billing is off. */
  waitingCharges(): number | null;
  /** State of the models that were called. */
  places(): readonly PlaceState[];
  /** Undefined for a simulator, and for an upstream that is not in use. */
  reportOf(upstream: string): UpstreamState | undefined;
  /** A real call to an upstream that serves the model; never rejects. */
  testUpstream(upstream: string, model: string): Promise<TestOutcome>;
  /** Clears failures and cooldowns; returns how many models and keys were cooling down. */
  resetUpstream(upstream: string): { readonly places: number; readonly keys: number };
}

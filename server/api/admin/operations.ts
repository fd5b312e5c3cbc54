/** Defines and opens the dependencies of the admin API. The gateway provides them, or a command opens them on a data folder. */

import type { FastifyRequest } from 'fastify';
import type { AnyAdminCode } from '../../../contract/admin/errors.ts';
import type { AdminRole } from '../../../contract/admin/roles.ts';
import { type Access, openAccess, openAccessOn } from '../../access/access.ts';
import type { Environment } from '../../access/pepper.ts';
import { accessStoreDefinition } from '../../access/plans.ts';
import { sessionStoreDefinition } from '../../access/sessions/plans.ts';
import type { LiveSession } from '../../access/sessions/sessions.ts';
import type { SessionStore } from '../../access/sessions/store.ts';
import type { Config } from '../../config/config.ts';
import type { Reloader } from '../../gateway/reload.ts';
import type { LimitUse } from '../../limits/limit-use.ts';
import type { Limiter } from '../../limits/limiter.ts';
import { openPostgresLedger } from '../../money/postgres.ts';
import type { PriceBook } from '../../money/price-book.ts';
import { openLedgerSteps, openSqliteLedger } from '../../money/sqlite.ts';
import type { LedgerStore } from '../../money/store.ts';
import { GatewayError } from '../../primitives/errors.ts';
import { alertStoreDefinition } from '../../records/alerts/plans.ts';
import type { AlertStore } from '../../records/alerts/store.ts';
import { openActivityReader } from '../../records/list-requests.ts';
import { activityStoreDefinition } from '../../records/plans.ts';
import type { RequestLog } from '../../records/request-log.ts';
import type { ActivityStore } from '../../records/store.ts';
import type { AuditEntry } from '../../store/audit.ts';

import { openPostgres } from '../../store/postgres/postgres.ts';
import { migratePostgres } from '../../store/postgres/schema.ts';
import { openDatabase, runInline } from '../../store/sqlite/database.ts';
import { assertNoUnfinishedCopy } from '../../store/unfinished-copy.ts';
import type { RunningGateway } from './running-gateway.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller of the operators' API, for the audit log. */
    actor: string;
    /** The session of the request. Null if it was made with a key. */
    session: LiveSession | null;
    /** The operator's role. */
    role: AdminRole;
  }
}

export interface Operations {
  readonly access: Access;
  /** Null if billing is off. */
  readonly ledger: LedgerStore | null;
  /** Null if another process counts the limits. */
  readonly limits: Limiter | null;
  /** Null if no gateway runs in this process. */
  readonly limitUse: LimitUse | null;
  /** The request log. */
  readonly activity: Pick<RequestLog, 'find' | 'ask' | 'getCompleteUntil' | 'getRowsFrom'>;
  /** Browser sessions. */
  readonly sessions: SessionStore;
  readonly alerts: Pick<AlertStore, 'acknowledge'>;
  /** Null if this process prices no requests. */
  readonly prices: Pick<PriceBook, 'refresh'> | null;
  /** Read only when needed, because the configuration may be unreadable on the command line. */
  readonly config: Config;
  /** Undefined if no gateway runs in this process. */
  readonly reloader?: Reloader;
  /** Undefined if no gateway runs in this process. */
  readonly gateway?: RunningGateway;
  readonly now: () => number;
}

export function requireLedger({ ledger }: Operations): LedgerStore {
  if (ledger) return ledger;
  throw new GatewayError<AnyAdminCode>('conflict', {
    message: "Billing is off in the configuration, so balances, prices, and receipts aren't available.",
  });
}

/**
 * Returns the changed fields and, in `before`, their previous values as the API writes them. The values are read just before the change, so concurrent
 * changes may record the same ones.
 */
export function toChangeDetails<Changes extends object>(
  changes: Changes,
  previous: { readonly [Name in keyof Changes]?: unknown },
): AuditEntry['details'] {
  // `as`: Object.keys widens the names to strings.
  const names = Object.keys(changes) as (keyof Changes)[];
  return { ...changes, before: Object.fromEntries(names.map((name) => [name, previous[name]])) };
}

/** `details` must not contain a secret. Adds the session ID to them. */
export function toAuditEntry(
  { now }: Operations,
  { actor, session }: FastifyRequest,
  { action, target, details }: Pick<AuditEntry, 'action' | 'target' | 'details'>,
): AuditEntry {
  return { actor, action, target, details: session ? { ...details, session: session.id } : details, at: now() };
}

interface OperationsOptions {
  readonly folder: string;
  readonly env: Environment;
  /** Called only when needed: a secret missing in the operator's shell must not prevent a revocation. */
  readonly loadConfig: () => Config;
}

export interface OpenOperations {
  readonly operations: Operations;
  /** The request log, for commands beyond the API's operations. */
  readonly activity: ActivityStore;
  close(): Promise<void>;
}

export async function openOperations({ folder, env, loadConfig }: OperationsOptions): Promise<OpenOperations> {
  const config = memoize(loadConfig);
  const url = findDatabaseUrl(config, env);
  const stores = url === undefined ? await openSqliteStores(folder, env) : await openPostgresStores(url, folder, env);
  const operations: Operations = {
    access: stores.access,
    activity: openActivityReader(stores.activity, Date.now, () => config().activity.days),
    sessions: stores.sessions,
    alerts: stores.alerts,
    limits: null,
    limitUse: null,
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

interface OpenStores {
  readonly access: Access;
  readonly ledger: LedgerStore;
  readonly activity: ActivityStore;
  readonly sessions: SessionStore;
  readonly alerts: AlertStore;
  close(): Promise<void>;
}

async function openSqliteStores(folder: string, env: Environment): Promise<OpenStores> {
  // Strict, so that an operator's change survives a power loss.
  const database = openDatabase({ folder, durability: 'strict' });
  try {
    const { connection } = database;
    const access = await openAccess(folder, { connection, env });
    const ledger = openSqliteLedger({ connection, steps: runInline(connection, openLedgerSteps) });
    const activity = activityStoreDefinition.onSqlite({ connection, steps: runInline(connection, activityStoreDefinition.steps) });
    const sessions = sessionStoreDefinition.onSqlite({ connection, steps: runInline(connection, sessionStoreDefinition.steps) });
    const alerts = alertStoreDefinition.onSqlite({ connection, steps: runInline(connection, alertStoreDefinition.steps) });
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

async function openPostgresStores(url: string, folder: string, env: Environment): Promise<OpenStores> {
  const postgres = openPostgres({ url });
  try {
    await migratePostgres(postgres);
    await assertNoUnfinishedCopy(postgres);
    const access = await openAccessOn(folder, accessStoreDefinition.onPostgres(postgres), env);
    return {
      access,
      ledger: openPostgresLedger(postgres),
      activity: activityStoreDefinition.onPostgres(postgres),
      sessions: sessionStoreDefinition.onPostgres(postgres),
      alerts: alertStoreDefinition.onPostgres(postgres),
      close: () => postgres.close(),
    };
  } catch (error) {
    await postgres.close();
    throw error;
  }
}

/** Falls back to `DATABASE_URL` if the configuration can't be read, so that operators can still revoke keys. */
function findDatabaseUrl(config: () => Pick<Config, 'database'>, env: Environment): string | undefined {
  try {
    return config().database.url;
  } catch {
    return env.DATABASE_URL || undefined;
  }
}

/** Balances can be read even if the configuration can't. Operations that need the configuration report the error. */
function isBillingOff(config: () => Config): boolean {
  try {
    return config().billing === 'off';
  } catch {
    return false;
  }
}

/** Also caches a failure, because reading the file again would fail the same way. */
function memoize<T>(load: () => T): () => T {
  let outcome: { readonly value: T } | { readonly error: unknown } | undefined;
  return () => {
    outcome ??= tryCall(load);
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  };
}

function tryCall<T>(work: () => T): { readonly value: T } | { readonly error: unknown } {
  try {
    return { value: work() };
  } catch (error) {
    return { error };
  }
}

/** The dependencies of the operators' API; the gateway provides them, or the command line on a data folder. */
import type { FastifyRequest } from 'fastify';
import type { AnyAdminCode } from '../../contract/admin-errors.ts';
import type { AdminRole } from '../../contract/admin-roles.ts';
import type { Access } from '../access/open.ts';
import type { Activity } from '../activity/activity.ts';
import type { Config } from '../config/config.ts';
import { GatewayError } from '../errors.ts';
import type { PriceBook } from '../ledger/price-book.ts';
import type { LedgerStore } from '../ledger/store.ts';
import type { LimitStore } from '../limits/limiter.ts';
import type { Reloader } from '../reload/reload.ts';
import type { LiveSession } from '../sessions/sessions.ts';
import type { SessionStore } from '../sessions/store.ts';
import type { AuditEntry } from '../storage/audit.ts';
import type { RunningGateway } from './running.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls the operators' API, for the audit log. */
    actor: string;
    /** The session of the call; null when it was made with a key. */
    session: LiveSession | null;
    /** What the operator may do. */
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
  /** Of browsers. */
  readonly sessions: SessionStore;
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
    message: 'Billing is off in the configuration: there are no balances, prices and receipts.',
  });
}

/** `details` must not contain a secret. The id of the session is added to them. */
export function auditOf(
  { now }: Operations,
  { actor, session }: FastifyRequest,
  { action, target, details }: Pick<AuditEntry, 'action' | 'target' | 'details'>,
): AuditEntry {
  return { actor, action, target, details: session ? { ...details, session: session.id } : details, at: now() };
}

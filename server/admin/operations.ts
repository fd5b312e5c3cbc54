/** The dependencies of the operators' API; the gateway provides them, or the command line on a data folder. */
import type { FastifyRequest } from 'fastify';
import type { AnyAdminCode } from '../../contract/admin-errors.ts';
import type { Access } from '../access/open.ts';
import type { Activity } from '../activity/activity.ts';
import type { Config } from '../config/config.ts';
import { GatewayError } from '../errors.ts';
import type { PriceBook } from '../ledger/price-book.ts';
import type { LedgerStore } from '../ledger/store.ts';
import type { LimitStore } from '../limits/limiter.ts';
import type { Reloader } from '../reload/reload.ts';
import type { AuditEntry } from '../storage/audit.ts';
import type { RunningGateway } from './running.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls the operators' API, for the audit log. */
    actor: string;
  }
}

export interface Operations {
  readonly access: Access;
  /** Null when billing is off. */
  readonly ledger: LedgerStore | null;
  /** Null when they are counted in another process. */
  readonly limits: LimitStore | null;
  /** The request log. */
  readonly activity: Pick<Activity, 'find' | 'ask' | 'completeUntil'>;
  /** Null when no calls are priced in this process. */
  readonly prices: Pick<PriceBook, 'refresh'> | null;
  /** Read only when needed: on the command line the configuration may be unreadable. */
  readonly config: Pick<Config, 'groups' | 'plans' | 'upstreams' | 'priceLists' | 'limits' | 'models'>;
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

/** `details` must not contain a secret. */
export function auditOf(
  { now }: Operations,
  { actor }: FastifyRequest,
  entry: Pick<AuditEntry, 'action' | 'target' | 'details'>,
): AuditEntry {
  return { actor, ...entry, at: now() };
}

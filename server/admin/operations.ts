/** Everything that an operator's call works on; the gateway fills it in, and so does the command line on a data folder. */
import type { FastifyRequest } from 'fastify';
import type { AnyAdminCode } from '../../contract/admin-errors.ts';
import type { Access } from '../access/open.ts';
import type { Config } from '../config/config.ts';
import { GatewayError } from '../errors.ts';
import type { PriceBook } from '../ledger/price-book.ts';
import type { LedgerStore } from '../ledger/store.ts';
import type { LimitStore } from '../limits/limiter.ts';
import type { RefusalStore } from '../refusals/store.ts';
import type { Reloader } from '../reload/reload.ts';
import type { AuditEntry } from '../storage/audit.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls the operator's API, for the audit. */
    actor: string;
  }
}

export interface Operations {
  readonly access: Access;
  /** Null where billing is off. */
  readonly ledger: LedgerStore | null;
  /** Null where they are counted in another process. */
  readonly limits: LimitStore | null;
  /** What was refused or failed. */
  readonly refusals: Pick<RefusalStore, 'find'>;
  /** Null where no calls are priced in this process. */
  readonly prices: Pick<PriceBook, 'refresh'> | null;
  /** Not taken apart before it is needed: on the command line it may be one that cannot be read. */
  readonly config: Pick<Config, 'groups' | 'plans' | 'priceLists' | 'limits' | 'models'>;
  /** Left out where no gateway runs in this process. */
  readonly reloader?: Reloader;
  readonly now: () => number;
}

export function ledgerOf({ ledger }: Operations): LedgerStore {
  if (ledger) return ledger;
  throw new GatewayError<AnyAdminCode>('conflict', {
    message: 'Billing is off in the configuration: there are no balances, prices and receipts.',
  });
}

/** `details` must hold no secret. */
export function auditOf(
  { now }: Operations,
  { actor }: FastifyRequest,
  entry: Pick<AuditEntry, 'action' | 'target' | 'details'>,
): AuditEntry {
  return { actor, ...entry, at: now() };
}

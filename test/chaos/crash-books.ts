/** Reads the database of a gateway from outside: whether each promise was kept, and whether the books are right (G1 to G4). */
import type { DatabaseSync } from 'node:sqlite';
import { reconcile } from '../../server/money/reconcile.ts';
import type { GatewayProcess } from '../harness/gateway-process.ts';
import type { Promised } from './crash-caller.ts';

export interface Books {
  /** Charges by state. */
  readonly states: Readonly<Record<string, number>>;
  /** Request ids of the holds that expired. */
  readonly expired: readonly string[];
  /** Request ids and response ids that were promised and are missing. */
  readonly lost: readonly string[];
  /** Request ids that do not have exactly one pair of entries that moves money. */
  readonly doubled: readonly string[];
  /** What reconciliation found wrong. */
  readonly wrong: readonly unknown[];
}

export function readBooks(served: GatewayProcess, promised: readonly Promised[] = []): Books {
  const database = served.open();
  try {
    // One snapshot, because the gateway may move the mark of checked entries between two queries.
    database.exec('BEGIN');
    const { differences, unbalanced, contradictions } = reconcile(database);
    return {
      states: statesIn(database),
      expired: database
        .prepare("SELECT request_id AS id FROM charges WHERE state = 'expired'")
        .all()
        .map(({ id }) => String(id)),
      lost: promised.flatMap((one) => missing(database, one)),
      doubled: database
        .prepare("SELECT transfer FROM entries WHERE kind = 'charge' GROUP BY transfer HAVING count(*) <> 2 OR sum(amount) <> 0")
        .all()
        .map(({ transfer }) => String(transfer)),
      wrong: [...differences, ...unbalanced, ...contradictions],
    };
  } finally {
    database.close();
  }
}

function statesIn(database: DatabaseSync): Record<string, number> {
  const rows = database.prepare('SELECT state, count(*) AS number FROM charges GROUP BY state').all();
  return Object.fromEntries(rows.map(({ state, number }) => [String(state), Number(number)]));
}

function missing(database: DatabaseSync, { id, response }: Promised): string[] {
  const charge = database
    .prepare(
      `SELECT state, charged, (SELECT count(*) FROM entries WHERE transfer = request_id AND kind = 'charge' AND abs(amount) = charged) AS entries
       FROM charges WHERE request_id = ?`,
    )
    .get(id);
  const isCharged = charge?.state === 'posted' && Number(charge.charged) > 0 && charge.entries === 2;
  const isStored = response === undefined || database.prepare('SELECT 1 FROM responses WHERE id = ?').get(response) !== undefined;
  return [...(isCharged ? [] : [id]), ...(isStored ? [] : [String(response)])];
}

/** The request ids that were charged. */
export function chargedOf(served: GatewayProcess, ids: readonly string[]): readonly string[] {
  const database = served.open();
  try {
    const charge = database.prepare('SELECT charged FROM charges WHERE request_id = ?');
    return ids.filter((id) => Number(charge.get(id)?.charged ?? 0) > 0);
  } finally {
    database.close();
  }
}

/** Request ids of the open holds. */
export function openHolds(served: GatewayProcess): readonly string[] {
  const database = served.open();
  try {
    const rows = database.prepare("SELECT request_id AS id FROM charges WHERE state = 'held'").all();
    return rows.map(({ id }) => String(id));
  } finally {
    database.close();
  }
}

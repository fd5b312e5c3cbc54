/** Reads charges for receipts: one by its request id, or those of an account, newest first. */
import type { DatabaseSync } from 'node:sqlite';
import type { ChargeQuery, ChargeRecord, ChargeState, KeptAttempt, Metered } from '../store.ts';
import { integer, number, numberOrNull, prepare, type Row, text, textOrNull } from './rows.ts';

const COLUMNS = `request_id, account_id, key_id, model, operation, price_version, multiplier, state, source, held, charged, overrun,
  usage, estimated, outcome, created_at, settled_at`;

export function openChargeReads(connection: DatabaseSync) {
  const one = prepare(connection, `SELECT ${COLUMNS} FROM charges WHERE request_id = ?`);
  const place = prepare(connection, 'SELECT created_at FROM charges WHERE request_id = ? AND account_id = ?');
  const page = prepare(
    connection,
    `SELECT ${COLUMNS} FROM charges
     WHERE account_id = ? AND created_at >= ? AND created_at < ? AND (? IS NULL OR key_id = ?) AND (? IS NULL OR (created_at, request_id) < (?, ?))
     ORDER BY created_at DESC, request_id DESC LIMIT ?`,
  );
  const attempts = prepare(connection, 'SELECT attempts FROM attempts WHERE request_id = ?');
  return {
    listAttempts: (requestId: string): readonly KeptAttempt[] => {
      const row = attempts.get(requestId);
      // Written with the settlement of this request, from the same type.
      return row ? (JSON.parse(text(row.attempts)) as KeptAttempt[]) : [];
    },
    findCharge: (requestId: string): ChargeRecord | undefined => {
      const row = one.get(requestId);
      return row && asCharge(row);
    },
    listCharges: (query: ChargeQuery): readonly ChargeRecord[] => {
      const { accountId, keyId = null, from = 0, to = Number.MAX_SAFE_INTEGER, limit, after = null } = query;
      const start = after === null ? null : place.get(after, accountId)?.created_at;
      // The id of another account counts as unknown: the page after it is empty.
      if (start === undefined) return [];
      return page.all(accountId, from, to, keyId, keyId, after, start, after, limit).map(asCharge);
    },
  };
}

function asCharge(row: Row): ChargeRecord {
  const usage = textOrNull(row.usage);
  return {
    requestId: text(row.request_id),
    accountId: text(row.account_id),
    keyId: text(row.key_id),
    model: text(row.model),
    operation: text(row.operation),
    priceVersion: number(row.price_version),
    multiplier: number(row.multiplier),
    // The table lets in no other word.
    state: text(row.state) as ChargeState,
    source: text(row.source),
    held: integer(row.held),
    charged: integer(row.charged),
    overrun: integer(row.overrun),
    // Written by the post of this request, from the same type.
    metered: usage === null ? null : (JSON.parse(usage) as Metered),
    isEstimated: row.estimated === 1n,
    outcome: textOrNull(row.outcome),
    createdAt: number(row.created_at),
    settledAt: numberOrNull(row.settled_at),
  };
}

/**
 * Lists the charges and payments of one account, newest first: charges by account, and payments by an index of the operators' entries. Each page reads a
 * bounded number of rows.
 */

import { readInteger, readNumber, readText, readTextOrNull } from '../store/rows.ts';
import { OPERATOR_ENTRIES_CONDITION } from '../store/tables.ts';
import type { RecordsQuery } from './store.ts';

export interface MoneyLine {
  readonly id: string;
  readonly kind: 'charge' | 'top_up' | 'refund' | 'correction';
  /** Amount in micro-dollars. Negative for debits. */
  readonly amount: bigint;
  readonly source: string;
  readonly model: string | null;
  readonly keyId: string | null;
  /** Milliseconds since 1970. */
  readonly at: number;
}

interface StatementParams {
  readonly accountId: string;
  /** Milliseconds since 1970. `from` is inclusive, `to` is exclusive. */
  readonly from: number;
  readonly to: number;
  readonly limit: number;
  /** ID of the line to continue after. */
  readonly after?: string | undefined;
}

/** Both parts are ordered by (time, ID), so a page is the newest lines of both. */
export const CHARGES_SQL = `
  SELECT request_id AS id, 'charge' AS kind, -charged AS amount, source, model, key_id, created_at
  FROM charges WHERE account_id = ?1 AND created_at >= ?2 AND created_at <= ?3 AND charged > 0
    AND (created_at < ?3 OR request_id < ?4)
  ORDER BY created_at DESC, request_id DESC LIMIT ?5`;
export const PAYMENTS_SQL = `
  SELECT transfer AS id, kind, amount, 'balance' AS source, NULL AS model, NULL AS key_id, created_at
  FROM entries WHERE book = ?1 AND ${OPERATOR_ENTRIES_CONDITION} AND created_at >= ?2 AND created_at <= ?3
    AND (created_at < ?3 OR transfer < ?4)
  ORDER BY created_at DESC, transfer DESC LIMIT ?5`;
const FIND_CHARGE_TIME = 'SELECT created_at FROM charges WHERE request_id = ?1 AND account_id = ?2';
const FIND_PAYMENT_TIME = `SELECT created_at FROM entries WHERE transfer = ?1 AND book = ?2 AND ${OPERATOR_ENTRIES_CONDITION}`;

/** Undefined if `after` isn't a line of this account. */
export async function readStatement(read: RecordsQuery, query: StatementParams): Promise<readonly MoneyLine[] | undefined> {
  const { accountId, from, to, limit, after } = query;
  const book = `account:${accountId}`;
  // No ID is below an empty text, so the end of the range is excluded.
  const cursor = after === undefined ? { at: to, id: '' } : await findCursor(read, after, accountId, book);
  if (cursor === undefined) return undefined;
  const [at, id] = cursor.at >= to ? [to, ''] : [cursor.at, cursor.id];
  const [charges, payments] = await Promise.all([
    read(CHARGES_SQL, [accountId, from, at, id, limit]),
    read(PAYMENTS_SQL, [book, from, at, id, limit]),
  ]);
  const lines = [...charges, ...payments].map((row) => ({
    id: readText(row.id),
    // `as`: the queries select only these kinds.
    kind: readText(row.kind) as MoneyLine['kind'],
    amount: readInteger(row.amount),
    source: readText(row.source),
    model: readTextOrNull(row.model ?? null),
    keyId: readTextOrNull(row.key_id ?? null),
    at: readNumber(row.created_at),
  }));
  return lines.toSorted(compareNewestFirst).slice(0, limit);
}

const compareNewestFirst = (one: MoneyLine, other: MoneyLine): number => other.at - one.at || (one.id < other.id ? 1 : -1);

async function findCursor(
  read: RecordsQuery,
  id: string,
  accountId: string,
  book: string,
): Promise<{ at: number; id: string } | undefined> {
  const [row] = [...(await read(FIND_CHARGE_TIME, [id, accountId])), ...(await read(FIND_PAYMENT_TIME, [id, book]))];
  return row && { at: readNumber(row.created_at), id };
}

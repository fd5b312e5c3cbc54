/** Charges and payments of one account, newest first: from charges by account, and from the index of payments. Bounded by the page. */
import { integer, number, text, textOrNull } from '../storage/postgres/rows.ts';
import type { Ask } from './store.ts';

export interface MoneyLine {
  readonly id: string;
  readonly kind: 'charge' | 'top_up' | 'refund' | 'correction';
  /** In micro-dollars; what went out is negative. */
  readonly amount: bigint;
  readonly source: string;
  readonly model: string | null;
  readonly keyId: string | null;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface StatementQuestion {
  readonly accountId: string;
  /** Milliseconds since 1970: `from` inclusive, `to` exclusive. */
  readonly from: number;
  readonly to: number;
  readonly limit: number;
  /** Id of the line after which to continue. */
  readonly after?: string | undefined;
}

/** Both parts have the order (time, id), so a page is the newest lines of both. */
export const CHARGES_SQL = `
  SELECT request_id AS id, 'charge' AS kind, -charged AS amount, source, model, key_id, created_at
  FROM charges WHERE account_id = ?1 AND created_at >= ?2 AND created_at <= ?3 AND charged > 0
    AND (created_at < ?3 OR request_id < ?4)
  ORDER BY created_at DESC, request_id DESC LIMIT ?5`;
export const PAYMENTS_SQL = `
  SELECT transfer AS id, kind, amount, 'balance' AS source, NULL AS model, NULL AS key_id, created_at
  FROM entries WHERE book = ?1 AND kind IN ('top_up', 'refund', 'correction') AND created_at >= ?2 AND created_at <= ?3
    AND (created_at < ?3 OR transfer < ?4)
  ORDER BY created_at DESC, transfer DESC LIMIT ?5`;
const CHARGE_AT = 'SELECT created_at FROM charges WHERE request_id = ?1 AND account_id = ?2';
const PAYMENT_AT = `SELECT created_at FROM entries WHERE transfer = ?1 AND book = ?2 AND kind IN ('top_up', 'refund', 'correction')`;

/** Undefined when `after` is no line of this account. */
export async function readStatement(ask: Ask, question: StatementQuestion): Promise<readonly MoneyLine[] | undefined> {
  const { accountId, from, to, limit, after } = question;
  const book = `account:${accountId}`;
  // No id is below an empty text, so the end of the range is not part of it.
  const end = after === undefined ? { at: to, id: '' } : await placeOf(ask, after, { accountId, book });
  if (end === undefined) return undefined;
  const [at, id] = end.at >= to ? [to, ''] : [end.at, end.id];
  const [charges, payments] = await Promise.all([
    ask(CHARGES_SQL, [accountId, from, at, id, limit]),
    ask(PAYMENTS_SQL, [book, from, at, id, limit]),
  ]);
  const lines = [...charges, ...payments].map((row) => ({
    id: text(row.id),
    // `as`: the questions select these kinds alone.
    kind: text(row.kind) as MoneyLine['kind'],
    amount: integer(row.amount),
    source: text(row.source),
    model: textOrNull(row.model ?? null),
    keyId: textOrNull(row.key_id ?? null),
    at: number(row.created_at),
  }));
  return lines.toSorted(newestFirst).slice(0, limit);
}

const newestFirst = (one: MoneyLine, other: MoneyLine): number => other.at - one.at || (one.id < other.id ? 1 : -1);

interface Owner {
  readonly accountId: string;
  readonly book: string;
}

async function placeOf(ask: Ask, id: string, { accountId, book }: Owner): Promise<{ at: number; id: string } | undefined> {
  const [found] = [...(await ask(CHARGE_AT, [id, accountId])), ...(await ask(PAYMENT_AT, [id, book]))];
  return found && { at: number(found.created_at), id };
}

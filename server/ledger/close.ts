/**
 * Closes old months of the ledger: the charges of a month become one for each key, model and price, and their entries two lines. Totals stay as they are, book by
 * book; what the calls were is in an archive, which is written before. A sum takes the IDs of the last lines it replaces: IDs go on to rise with time.
 */
import { createHash } from 'node:crypto';
import { type Dialect, type Plan, sql } from '../storage/plan.ts';
import { integer, number, numberOrNull, type Row, text, textOrNull } from '../storage/rows.ts';
import { OF_OWNERS } from '../storage/tables.ts';
import { BALANCE } from './decide.ts';
import { toChargeRecord } from './plans.ts';
import type { ChargeRecord, Metered } from './store.ts';

export interface Line {
  readonly id: bigint;
  readonly transfer: string;
  readonly kind: string;
  readonly book: string;
  readonly amount: bigint;
  readonly note: string | null;
  readonly at: number;
}

/** A charge that has ended, with all that its total must have in common with it. */
export interface EndedCharge extends ChargeRecord {
  readonly sourcePeriod: number | null;
  readonly capOwner: string | null;
  readonly capPeriod: number | null;
  readonly settledAt: number;
}

/** JSON text, as it is stored. */
export const writeUsage = ({ metered }: EndedCharge): string | null => metered && JSON.stringify(metered);

/** One that cost something, with its entries. */
export interface BookedCharge {
  readonly charge: EndedCharge;
  readonly lines: readonly Line[];
}

/** Charges before this time, in milliseconds since 1970, whose entries are up to this one. */
export interface Part {
  readonly before: number;
  readonly upTo: bigint;
  /** So many entries make a slice, which is one transaction when it is closed. */
  readonly entriesAtOnce: number;
}

export interface Slice {
  readonly calls: readonly BookedCharge[];
  /** Sums of earlier closings, by their IDs. */
  readonly sums: ReadonlyMap<string, BookedCharge>;
  /** The entry after which the next slice begins; null at the end. */
  readonly next: bigint | null;
}

const CHARGES_AT_ONCE = 500;
const CHARGE = `c.request_id, c.account_id, c.key_id, c.model, c.operation, c.price_version, c.multiplier, c.state, c.source, c.source_period, c.cap_owner,
  c.cap_period, c.held, c.charged, c.overrun, c.usage, c.estimated, c.outcome, c.created_at, c.settled_at`;
const SLICE = `
  SELECT e.id, e.transfer, e.kind, e.book, e.amount, e.note, e.created_at AS booked_at, ${CHARGE}
  FROM (SELECT * FROM entries WHERE id > ?1 AND id <= ?2 ORDER BY id LIMIT ?4) AS e
    LEFT JOIN charges AS c ON c.request_id = e.transfer AND e.kind IN ('charge', 'overrun') AND c.state = 'posted' AND c.created_at < ?3
  ORDER BY e.id`;
/** Those that cost nothing have no entries. */
const FREE = `
  SELECT ${CHARGE} FROM charges AS c
  WHERE c.account_id = ?1 AND c.created_at < ?2 AND c.charged = 0 AND c.overrun = 0 AND c.state <> 'held' AND (c.created_at, c.request_id) > (?3, ?4)
  ORDER BY c.created_at, c.request_id LIMIT ${CHARGES_AT_ONCE}`;
const CLOSED = 'closed';

export function* readSlice({ before, upTo, entriesAtOnce }: Part, after: bigint): Plan<Slice> {
  const rows = yield sql(SLICE, after, upTo, before, entriesAtOnce);
  const charged = rows.filter((row) => row.request_id !== null);
  const found = [...Map.groupBy(charged, (row) => row.request_id).values()].map(
    (some): BookedCharge => ({
      charge: toCharge(some[0] ?? {}),
      lines: some.map(toLine),
    }),
  );
  const [whole, cut] = [found.filter(isWhole), found.filter((one) => !isWhole(one))];
  const last = rows.at(-1);
  const split = cut.flatMap(({ lines }) => lines[0]?.id ?? []).reduce((one, other) => (other < one ? other : one), END);
  return {
    calls: whole.filter(({ charge }) => charge.outcome !== CLOSED),
    sums: new Map(whole.filter(({ charge }) => charge.outcome === CLOSED).map((one) => [one.charge.requestId, one])),
    // The lines of a charge may be apart by those of others. One that is never whole is left as it is.
    next: last === undefined ? null : split > after + 1n && split !== END ? split - 1n : integer(last.id),
  };
}

const END = 1n << 62n;
const isWhole = ({ charge: { charged, overrun }, lines }: BookedCharge): boolean =>
  lines.length === (charged > 0n ? 2 : 0) + (overrun > 0n ? 2 : 0);

export interface Place {
  readonly at: number;
  readonly requestId: string;
}

export function* readFree({ before }: Part, accountId: string, { at, requestId }: Place): Plan<readonly EndedCharge[]> {
  return (yield sql(FREE, accountId, before, at, requestId)).map(toCharge);
}

const HELD = "SELECT count(*) AS count FROM charges WHERE state = 'held' AND created_at < ?1";

export function* countHeld({ before }: Pick<Part, 'before'>): Plan<number> {
  return number((yield sql(HELD, before))[0]?.count);
}

export interface ClosingBalance {
  readonly accountId: string;
  readonly balance: bigint;
}

const BALANCES = `
  SELECT a.id, coalesce(b.balance, 0) AS balance,
    CAST(coalesce((SELECT sum(amount) FROM entries WHERE book = 'account:' || a.id AND ${OF_OWNERS} AND created_at >= ?1), 0) AS BIGINT) AS later
  FROM accounts AS a LEFT JOIN balances AS b ON b.account_id = a.id ORDER BY a.id`;

/** Totals by account ID. */
export function* readBalances({ before }: Part): Plan<readonly ClosingBalance[]> {
  return (yield sql(BALANCES, before)).map((row) => ({ accountId: text(row.id), balance: integer(row.balance) - integer(row.later) }));
}

export function* readAttempts(db: Dialect, requestIds: readonly string[]): Plan<ReadonlyMap<string, string>> {
  const rows = yield sql(`SELECT request_id, attempts FROM attempts WHERE request_id IN ${db.list('?1')}`, requestIds);
  return new Map(rows.map((row) => [text(row.request_id), text(row.attempts)]));
}

/** Puts sums in the place of these calls. `known`: sums that exist already. The response has those that were written. */
export function* foldCalls(
  db: Dialect,
  calls: readonly BookedCharge[],
  known: ReadonlyMap<string, BookedCharge>,
): Plan<readonly BookedCharge[]> {
  const groups = [...Map.groupBy(calls, ({ charge }) => sumId(charge))];
  const gone = groups.map(([id, some]) => [...some, ...(known.get(id) ? [known.get(id) as BookedCharge] : [])]);
  const sums = groups.map(([id], index) => sumOf(id, gone[index] ?? []));
  yield sql('INSERT INTO closing (id) VALUES (1)');
  const lines = gone.flat().flatMap((one) => one.lines.map(({ id }) => String(id)));
  expectAll(lines, yield sql(`DELETE FROM entries WHERE id IN ${db.numbers('?1')} RETURNING id`, lines));
  yield* deleteCharges(
    db,
    gone.flat().map(({ charge }) => charge.requestId),
  );
  for (const sum of sums) yield* write(sum);
  yield sql('DELETE FROM closing');
  return sums;
}

const deleteSql = (db: Dialect, table: 'charges' | 'attempts', which: string): string =>
  `DELETE FROM ${table} WHERE request_id IN ${db.list('?1')} AND ${which} RETURNING request_id`;

function* deleteCharges(db: Dialect, requestIds: readonly string[]): Plan<void> {
  yield sql(deleteSql(db, 'attempts', 'TRUE'), requestIds);
  expectAll(requestIds, yield sql(deleteSql(db, 'charges', "state = 'posted'"), requestIds));
}

/** Deletes the next of those that cost nothing, and returns the last; null at the end. One that is charged late in the meantime stays. */
export function* dropFree(db: Dialect, part: Part, accountId: string, after: Place): Plan<Place | null> {
  const found = yield* readFree(part, accountId, after);
  const ids = found.map(({ requestId }) => requestId);
  const gone = yield sql(deleteSql(db, 'charges', "charged = 0 AND overrun = 0 AND state <> 'held'"), ids);
  const goneIds = gone.map((row) => text(row.request_id));
  yield sql(deleteSql(db, 'attempts', 'TRUE'), goneIds);
  return placeOf(found);
}

export function placeOf(charges: readonly EndedCharge[]): Place | null {
  const last = charges.at(-1);
  return last ? { at: last.createdAt, requestId: last.requestId } : null;
}

function expectAll(wanted: readonly string[], found: readonly Row[]): void {
  if (found.length !== wanted.length) throw new Error('The ledger changed while it was being closed. Is another close command running?');
}

/** Returns an ID of the total that a charge belongs to, from the fields that its charges have in common. */
function sumId(charge: EndedCharge): string {
  const { accountId, keyId, model, operation, priceVersion, multiplier, source, sourcePeriod, capOwner, capPeriod, createdAt } = charge;
  const month = new Date(createdAt).toISOString().slice(0, 7);
  const parts = [month, accountId, keyId, model, operation, priceVersion, multiplier, source, sourcePeriod, capOwner, capPeriod];
  return `closed_${month}_${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 24)}`;
}

function sumOf(requestId: string, calls: readonly BookedCharge[]): BookedCharge {
  const charges = calls.map(({ charge }) => charge);
  const [first] = charges;
  if (!first) throw new TypeError('no charges to total');
  const total = (of: (charge: EndedCharge) => bigint): bigint => charges.reduce((sum, charge) => sum + of(charge), 0n);
  const charge: EndedCharge = {
    ...first,
    requestId,
    held: total(({ charged }) => charged),
    charged: total(({ charged }) => charged),
    overrun: total(({ overrun }) => overrun),
    metered: charges.map(({ metered }) => metered).reduce(addUp),
    isEstimated: charges.some(({ isEstimated }) => isEstimated),
    outcome: CLOSED,
    createdAt: Math.max(...charges.map(({ createdAt }) => createdAt)),
    settledAt: Math.max(...charges.map(({ settledAt }) => settledAt)),
  };
  return {
    charge,
    lines: linesOf(
      charge,
      calls.flatMap(({ lines }) => lines).toSorted((one, other) => Number(other.id - one.id)),
    ),
  };
}

type Counts = { readonly [name: string]: number | Counts };

/** Adds numbers of the same name, also within. */
function addCounts(one: Counts, other: Counts): Counts {
  const sum: Record<string, number | Counts> = { ...one };
  for (const [name, value] of Object.entries(other)) {
    const before = sum[name];
    if (typeof value === 'number') sum[name] = (typeof before === 'number' ? before : 0) + value;
    else sum[name] = addCounts(typeof before === 'object' ? before : {}, value);
  }
  return sum;
}

/** `as`: what is metered has numbers alone, by their names, and so does their sum. */
const addUp = (one: Metered | null, other: Metered | null): Metered | null =>
  one && other ? (addCounts(one as unknown as Counts, other as unknown as Counts) as unknown as Metered) : (one ?? other);

function linesOf({ requestId, accountId, source, charged, overrun }: EndedCharge, gone: readonly Line[]): readonly Line[] {
  const own = source === BALANCE ? `account:${accountId}` : `subscription:${source.slice('sub:'.length)}`;
  const sides = [
    ...(charged > 0n ? [['charge', own, -charged] as const, ['charge', 'revenue', charged] as const] : []),
    ...(overrun > 0n ? [['overrun', 'overrun', -overrun] as const, ['overrun', 'revenue', overrun] as const] : []),
  ];
  const at = gone[0]?.at ?? 0;
  const ids = gone.slice(0, sides.length).map(({ id }) => id);
  return sides.map(([kind, book, amount], index) => ({
    id: ids[sides.length - 1 - index] ?? 0n,
    transfer: requestId,
    kind,
    book,
    amount,
    note: CLOSED,
    at,
  }));
}

const ADD_CHARGE = `
  INSERT INTO charges (request_id, account_id, key_id, model, operation, price_version, multiplier, state, node, source, source_period, cap_owner,
    cap_period, held, charged, overrun, usage, estimated, outcome, created_at, settled_at)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 'posted', '', ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)`;
const ADD_LINE = 'INSERT INTO entries (id, transfer, kind, book, amount, note, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)';

function* write({ charge, lines }: BookedCharge): Plan<void> {
  const { requestId, accountId, keyId, model, operation, priceVersion, multiplier } = charge;
  const call = [requestId, accountId, keyId, model, operation, priceVersion, multiplier];
  const places = [charge.source, charge.sourcePeriod, charge.capOwner, charge.capPeriod];
  const amounts = [charge.held, charge.charged, charge.overrun, writeUsage(charge), charge.isEstimated];
  yield sql(ADD_CHARGE, ...call, ...places, ...amounts, charge.outcome, charge.createdAt, charge.settledAt);
  for (const { id, transfer, kind, book, amount, note, at } of lines) yield sql(ADD_LINE, id, transfer, kind, book, amount, note, at);
}

const toLine = (row: Row): Line => ({
  id: integer(row.id),
  transfer: text(row.transfer),
  kind: text(row.kind),
  book: text(row.book),
  amount: integer(row.amount),
  note: textOrNull(row.note),
  at: number(row.booked_at),
});

const toCharge = (row: Row): EndedCharge => ({
  ...toChargeRecord(row),
  sourcePeriod: numberOrNull(row.source_period),
  capOwner: textOrNull(row.cap_owner),
  capPeriod: numberOrNull(row.cap_period),
  settledAt: number(row.settled_at),
});

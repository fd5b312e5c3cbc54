/**
 * Closes old months of the ledger: replaces a month's charges with one total per key, model, and price, with two entries each. No balance changes. The
 * archive, which is written first, has the calls. A total gets the IDs of the last entries it replaces, so that IDs still rise with time.
 */
import { createHash } from 'node:crypto';
import { type Dialect, type Plan, sql } from '../store/plan.ts';
import { type Row, readInteger, readNumber, readNumberOrNull, readText, readTextOrNull } from '../store/rows.ts';
import { OWNER_ENTRIES_CONDITION } from '../store/tables.ts';
import type { Fund } from './decide-hold.ts';
import { BALANCE_SOURCE } from './ledger-batch.ts';
import { ADD_CHARGE_CAP, toChargeRecord, toFund } from './plans.ts';
import type { ChargeRecord, MeteredUsage } from './store.ts';

export interface LedgerEntry {
  readonly id: bigint;
  readonly transfer: string;
  readonly kind: string;
  readonly book: string;
  readonly amount: bigint;
  readonly note: string | null;
  readonly at: number;
}

/** An ended charge, with all fields that its total has in common with it. */
export interface EndedCharge extends ChargeRecord {
  readonly sourcePeriod: number | null;
  readonly capOwner: string | null;
  readonly capPeriod: number | null;
  /** The funds of its other caps. */
  readonly furtherCaps: readonly Fund[];
  readonly settledAt: number;
}

/** Returns the JSON text as it's stored. */
export const formatUsage = ({ metered }: EndedCharge): string | null => metered && JSON.stringify(metered);

/** A charge with a cost, and its entries. */
export interface BookedCharge {
  readonly charge: EndedCharge;
  readonly lines: readonly LedgerEntry[];
}

/** The range to close: charges before this time, in milliseconds since 1970, with entries up to this ID. */
export interface LedgerClosing {
  readonly before: number;
  readonly upTo: bigint;
  /** The number of entries in a slice. A slice is closed in one transaction. */
  readonly entriesAtOnce: number;
}

export interface ClosingSlice {
  readonly calls: readonly BookedCharge[];
  /** Totals of earlier closings, by ID. */
  readonly sums: ReadonlyMap<string, BookedCharge>;
  /** The last entry before the next slice. Null at the end. */
  readonly next: bigint | null;
}

const MAX_CHARGES = 500;
const CHARGE_COLUMNS = `c.request_id, c.account_id, c.key_id, c.model, c.operation, c.price_version, c.multiplier, c.state, c.source, c.source_period, c.cap_owner,
  c.cap_period, c.held, c.charged, c.overrun, c.usage, c.estimated, c.outcome, c.created_at, c.settled_at`;
const READ_SLICE = `
  SELECT e.id, e.transfer, e.kind, e.book, e.amount, e.note, e.created_at AS booked_at, ${CHARGE_COLUMNS}
  FROM (SELECT * FROM entries WHERE id > ?1 AND id <= ?2 ORDER BY id LIMIT ?4) AS e
    LEFT JOIN charges AS c ON c.request_id = e.transfer AND e.kind IN ('charge', 'overrun') AND c.state = 'posted' AND c.created_at < ?3
  ORDER BY e.id`;
/** Charges without a cost have no entries. */
const READ_FREE_CHARGES = `
  SELECT ${CHARGE_COLUMNS} FROM charges AS c
  WHERE c.account_id = ?1 AND c.created_at < ?2 AND c.charged = 0 AND c.overrun = 0 AND c.state <> 'held' AND (c.created_at, c.request_id) > (?3, ?4)
  ORDER BY c.created_at, c.request_id LIMIT ${MAX_CHARGES}`;
const CLOSED = 'closed';

export function* readSlice(db: Dialect, { before, upTo, entriesAtOnce }: LedgerClosing, after: bigint): Plan<ClosingSlice> {
  const rows = yield sql(READ_SLICE, after, upTo, before, entriesAtOnce);
  const chargeRows = rows.filter((row) => row.request_id !== null);
  const linesByCharge = [...Map.groupBy(chargeRows, (row) => readText(row.request_id)).values()];
  const charges = yield* readFurtherCaps(
    db,
    linesByCharge.map(([row = {}]) => toEndedCharge(row)),
  );
  const bookedCharges = charges.map((charge, index): BookedCharge => ({ charge, lines: (linesByCharge[index] ?? []).map(toLedgerEntry) }));
  const [wholeCharges, cutCharges] = [bookedCharges.filter(isWhole), bookedCharges.filter((one) => !isWhole(one))];
  const last = rows.at(-1);
  const firstCutId = cutCharges
    .flatMap(({ lines }) => lines[0]?.id ?? [])
    .reduce((one, other) => (other < one ? other : one), MAX_ENTRY_ID);
  return {
    calls: wholeCharges.filter(({ charge }) => charge.outcome !== CLOSED),
    sums: new Map(wholeCharges.filter(({ charge }) => charge.outcome === CLOSED).map((one) => [one.charge.requestId, one])),
    // Entries of other charges may lie between those of a charge. A charge that is never complete stays unchanged.
    next: last === undefined ? null : firstCutId > after + 1n && firstCutId !== MAX_ENTRY_ID ? firstCutId - 1n : readInteger(last.id),
  };
}

const MAX_ENTRY_ID = 1n << 62n;
const isWhole = ({ charge: { charged, overrun }, lines }: BookedCharge): boolean =>
  lines.length === (charged > 0n ? 2 : 0) + (overrun > 0n ? 2 : 0);

export interface ChargeCursor {
  readonly at: number;
  readonly requestId: string;
}

export function* readFreeCharges(
  db: Dialect,
  { before }: LedgerClosing,
  accountId: string,
  { at, requestId }: ChargeCursor,
): Plan<readonly EndedCharge[]> {
  return yield* readFurtherCaps(db, (yield sql(READ_FREE_CHARGES, accountId, before, at, requestId)).map(toEndedCharge));
}

function* readFurtherCaps(db: Dialect, charges: readonly EndedCharge[]): Plan<readonly EndedCharge[]> {
  const ids = charges.flatMap(({ requestId, capOwner }) => (capOwner === null ? [] : [requestId]));
  if (ids.length === 0) return charges;
  const capsSql = `SELECT request_id, owner, period_start FROM charge_caps WHERE request_id IN ${db.list('?1')} ORDER BY owner, period_start`;
  const rowsByCharge = Map.groupBy(yield sql(capsSql, ids), (row) => readText(row.request_id));
  return charges.map((charge) => ({ ...charge, furtherCaps: (rowsByCharge.get(charge.requestId) ?? []).map(toFund) }));
}

const COUNT_HOLDS = "SELECT count(*) AS count FROM charges WHERE state = 'held' AND created_at < ?1";

export function* countHolds({ before }: Pick<LedgerClosing, 'before'>): Plan<number> {
  return readNumber((yield sql(COUNT_HOLDS, before))[0]?.count);
}

export interface ClosingBalance {
  readonly accountId: string;
  readonly balance: bigint;
}

const READ_BALANCES = `
  SELECT a.id, coalesce(b.balance, 0) AS balance,
    CAST(coalesce((SELECT sum(amount) FROM entries WHERE book = 'account:' || a.id AND ${OWNER_ENTRIES_CONDITION} AND created_at >= ?1), 0) AS BIGINT) AS later
  FROM accounts AS a LEFT JOIN balances AS b ON b.account_id = a.id ORDER BY a.id`;

/** Returns the balances by account. */
export function* readBalances({ before }: LedgerClosing): Plan<readonly ClosingBalance[]> {
  return (yield sql(READ_BALANCES, before)).map((row) => ({
    accountId: readText(row.id),
    balance: readInteger(row.balance) - readInteger(row.later),
  }));
}

export function* readAttempts(db: Dialect, requestIds: readonly string[]): Plan<ReadonlyMap<string, string>> {
  const rows = yield sql(`SELECT request_id, attempts FROM attempts WHERE request_id IN ${db.list('?1')}`, requestIds);
  return new Map(rows.map((row) => [readText(row.request_id), readText(row.attempts)]));
}

/** Replaces charges with totals, and merges `knownTotals` into them. Returns the new totals. */
export function* foldCharges(
  db: Dialect,
  charges: readonly BookedCharge[],
  knownTotals: ReadonlyMap<string, BookedCharge>,
): Plan<readonly BookedCharge[]> {
  const groups = [...Map.groupBy(charges, ({ charge }) => computeTotalId(charge))];
  const replacedCharges = groups.map(([id, some]) => [...some, ...(knownTotals.get(id) ? [knownTotals.get(id) as BookedCharge] : [])]);
  const totalCharges = groups.map(([id], index) => createTotalCharge(id, replacedCharges[index] ?? []));
  yield sql('INSERT INTO closing (id) VALUES (1)');
  const entryIds = replacedCharges.flat().flatMap((one) => one.lines.map(({ id }) => String(id)));
  assertAllDeleted(entryIds, yield sql(`DELETE FROM entries WHERE id IN ${db.numbers('?1')} RETURNING id`, entryIds));
  yield* deleteCharges(
    db,
    replacedCharges.flat().map(({ charge }) => charge.requestId),
  );
  for (const total of totalCharges) yield* writeCharge(total);
  yield sql('DELETE FROM closing');
  return totalCharges;
}

const buildDeleteSql = (db: Dialect, table: 'charges' | 'charge_caps' | 'attempts', condition: string): string =>
  `DELETE FROM ${table} WHERE request_id IN ${db.list('?1')} AND ${condition} RETURNING request_id`;

function* deleteCharges(db: Dialect, requestIds: readonly string[]): Plan<void> {
  for (const table of ['attempts', 'charge_caps'] as const) yield sql(buildDeleteSql(db, table, 'TRUE'), requestIds);
  assertAllDeleted(requestIds, yield sql(buildDeleteSql(db, 'charges', "state = 'posted'"), requestIds));
}

/**
 * Deletes the next charges without a cost. Returns the last one, or null at the end. A charge that is posted late at the same time stays.
 */
export function* deleteFreeCharges(db: Dialect, closing: LedgerClosing, accountId: string, after: ChargeCursor): Plan<ChargeCursor | null> {
  const freeCharges = yield* readFreeCharges(db, closing, accountId, after);
  const ids = freeCharges.map(({ requestId }) => requestId);
  const deletedRows = yield sql(buildDeleteSql(db, 'charges', "charged = 0 AND overrun = 0 AND state <> 'held'"), ids);
  const deletedIds = deletedRows.map((row) => readText(row.request_id));
  for (const table of ['attempts', 'charge_caps'] as const) yield sql(buildDeleteSql(db, table, 'TRUE'), deletedIds);
  return toCursor(freeCharges);
}

export function toCursor(charges: readonly EndedCharge[]): ChargeCursor | null {
  const last = charges.at(-1);
  return last ? { at: last.createdAt, requestId: last.requestId } : null;
}

function assertAllDeleted(expected: readonly string[], deletedRows: readonly Row[]): void {
  if (deletedRows.length !== expected.length)
    throw new Error('The ledger changed while it was being closed. Is another close command running?');
}

/** Returns the ID of the total that a charge belongs to, from the fields that its charges have in common. */
function computeTotalId(charge: EndedCharge): string {
  const { accountId, keyId, model, operation, priceVersion, multiplier, source, sourcePeriod, createdAt } = charge;
  const { capOwner, capPeriod, furtherCaps } = charge;
  const month = new Date(createdAt).toISOString().slice(0, 7);
  const capParts = [capOwner, capPeriod, ...furtherCaps.flatMap(({ owner, start }) => [owner, start])];
  const parts = [month, accountId, keyId, model, operation, priceVersion, multiplier, source, sourcePeriod, ...capParts];
  return `closed_${month}_${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 24)}`;
}

function createTotalCharge(requestId: string, bookedCharges: readonly BookedCharge[]): BookedCharge {
  const charges = bookedCharges.map(({ charge }) => charge);
  const [first] = charges;
  if (!first) throw new TypeError('no charges to total');
  const sumAmounts = (getAmount: (charge: EndedCharge) => bigint): bigint => charges.reduce((sum, charge) => sum + getAmount(charge), 0n);
  const charge: EndedCharge = {
    ...first,
    requestId,
    held: sumAmounts(({ charged }) => charged),
    charged: sumAmounts(({ charged }) => charged),
    overrun: sumAmounts(({ overrun }) => overrun),
    metered: charges.map(({ metered }) => metered).reduce(addMetered),
    isEstimated: charges.some(({ isEstimated }) => isEstimated),
    outcome: CLOSED,
    createdAt: Math.max(...charges.map(({ createdAt }) => createdAt)),
    settledAt: Math.max(...charges.map(({ settledAt }) => settledAt)),
  };
  return {
    charge,
    lines: buildEntries(
      charge,
      bookedCharges.flatMap(({ lines }) => lines).toSorted((one, other) => Number(other.id - one.id)),
    ),
  };
}

type NestedCounts = { readonly [name: string]: number | NestedCounts };

/** Adds numbers with the same name, including nested ones. */
function addCounts(one: NestedCounts, other: NestedCounts): NestedCounts {
  const total: Record<string, number | NestedCounts> = { ...one };
  for (const [name, value] of Object.entries(other)) {
    const previous = total[name];
    if (typeof value === 'number') total[name] = (typeof previous === 'number' ? previous : 0) + value;
    else total[name] = addCounts(typeof previous === 'object' ? previous : {}, value);
  }
  return total;
}

/** `as`: metered usage nests only numbers, so the sum has the same shape. */
const addMetered = (one: MeteredUsage | null, other: MeteredUsage | null): MeteredUsage | null =>
  one && other ? (addCounts(one as unknown as NestedCounts, other as unknown as NestedCounts) as unknown as MeteredUsage) : (one ?? other);

function buildEntries(
  { requestId, accountId, source, charged, overrun }: EndedCharge,
  replacedEntries: readonly LedgerEntry[],
): readonly LedgerEntry[] {
  const sourceBook = source === BALANCE_SOURCE ? `account:${accountId}` : `subscription:${source.slice('sub:'.length)}`;
  const sides = [
    ...(charged > 0n ? [['charge', sourceBook, -charged] as const, ['charge', 'revenue', charged] as const] : []),
    ...(overrun > 0n ? [['overrun', 'overrun', -overrun] as const, ['overrun', 'revenue', overrun] as const] : []),
  ];
  const at = replacedEntries[0]?.at ?? 0;
  const ids = replacedEntries.slice(0, sides.length).map(({ id }) => id);
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
const ADD_ENTRY = 'INSERT INTO entries (id, transfer, kind, book, amount, note, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)';

function* writeCharge({ charge, lines }: BookedCharge): Plan<void> {
  const { requestId, accountId, keyId, model, operation, priceVersion, multiplier } = charge;
  const callValues = [requestId, accountId, keyId, model, operation, priceVersion, multiplier];
  const fundValues = [charge.source, charge.sourcePeriod, charge.capOwner, charge.capPeriod];
  const amounts = [charge.held, charge.charged, charge.overrun, formatUsage(charge), charge.isEstimated];
  yield sql(ADD_CHARGE, ...callValues, ...fundValues, ...amounts, charge.outcome, charge.createdAt, charge.settledAt);
  for (const { owner, start } of charge.furtherCaps) yield sql(ADD_CHARGE_CAP, requestId, owner, start);
  for (const { id, transfer, kind, book, amount, note, at } of lines) yield sql(ADD_ENTRY, id, transfer, kind, book, amount, note, at);
}

const toLedgerEntry = (row: Row): LedgerEntry => ({
  id: readInteger(row.id),
  transfer: readText(row.transfer),
  kind: readText(row.kind),
  book: readText(row.book),
  amount: readInteger(row.amount),
  note: readTextOrNull(row.note),
  at: readNumber(row.booked_at),
});

const toEndedCharge = (row: Row): EndedCharge => ({
  ...toChargeRecord(row),
  sourcePeriod: readNumberOrNull(row.source_period),
  capOwner: readTextOrNull(row.cap_owner),
  capPeriod: readNumberOrNull(row.cap_period),
  furtherCaps: [],
  settledAt: readNumber(row.settled_at),
});

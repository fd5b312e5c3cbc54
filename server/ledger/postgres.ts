/** The ledger on PostgreSQL: many processes share it, and each promise is kept inside the database (promises G1 to G4). */

import type { AuditEntry } from '../storage/audit.ts';
import { canBeKept, flag, integer, number, numberOrNull, type Row, text, textOrNull } from '../storage/postgres/connections.ts';
import type { Postgres } from '../storage/postgres/pool.ts';
import { writeAudit } from '../storage/postgres/statements.ts';
import { countInFlight, type InFlightCalls } from './in-flight.ts';
import { openBalances, openSubscriptions } from './postgres/accounts.ts';
import { openNodes, reconcile } from './postgres/books.ts';
import { openAllowances, openDryRun, openReserve, openSettles } from './postgres/calls.ts';
import { openRecentSubscriptions } from './price-book.ts';
import type { ChargeQuery, ChargeRecord, ChargeState, KeptAttempt, LedgerStore, Metered, NewPrice, PriceVersion } from './store.ts';

export function openPostgresLedger(postgres: Postgres): LedgerStore {
  const { activeSubscription, addSubscription, cancelSubscription, ...subscriptions } = openSubscriptions(postgres);
  const recent = openRecentSubscriptions(activeSubscription);
  const inFlight: InFlightCalls = { count: 0 };
  const expected = (): number => inFlight.count;
  return {
    ...countInFlight(inFlight, { reserve: openReserve(postgres, expected), ...openSettles(postgres, expected) }),
    dryRunHold: openDryRun(postgres),
    ...openNodes(postgres),
    ...openBalances(postgres),
    ...openCharges(postgres),
    ...subscriptions,
    activeSubscription: recent.find,
    addSubscription: (record, audit) => addSubscription(record, audit).finally(recent.forget),
    cancelSubscription: (id, at, audit) => cancelSubscription(id, at, audit).finally(recent.forget),
    ...openAllowances(postgres),
    ...openPriceVersions(postgres),
    reconcile: () => reconcile(postgres),
  };
}

const CHARGE_COLUMNS = `request_id, account_id, key_id, model, operation, price_version, multiplier, state, source, held, charged, overrun,
  usage, estimated, outcome, created_at, settled_at`;
const oneCharge = { name: 'charge', text: `SELECT ${CHARGE_COLUMNS} FROM charges WHERE request_id = $1` };
const attempts = { text: 'SELECT attempts FROM attempts WHERE request_id = $1' };
const place = { text: 'SELECT created_at FROM charges WHERE request_id = $1 AND account_id = $2' };
const page = `SELECT ${CHARGE_COLUMNS} FROM charges WHERE account_id = $1 AND created_at >= $2 AND created_at < $3`;

function openCharges(postgres: Pick<Postgres, 'query' | 'work'>) {
  return {
    async listAttempts(requestId: string): Promise<readonly KeptAttempt[]> {
      if (!canBeKept(requestId)) return [];
      const [row] = await postgres.query(attempts, [requestId]);
      // Written with the settlement of this request, from the same type.
      return row ? (JSON.parse(text(row.attempts)) as KeptAttempt[]) : [];
    },
    async findCharge(requestId: string): Promise<ChargeRecord | undefined> {
      if (!canBeKept(requestId)) return undefined;
      const [row] = await postgres.query(oneCharge, [requestId]);
      return row && asCharge(row);
    },
    async listCharges({
      accountId,
      keyId,
      from = 0,
      to = Number.MAX_SAFE_INTEGER,
      limit,
      after,
    }: ChargeQuery): Promise<readonly ChargeRecord[]> {
      if (![accountId, keyId ?? '', after ?? ''].every(canBeKept)) return [];
      const values: (string | number)[] = [accountId, from, to];
      const value = (given: string | number): string => `$${values.push(given)}`;
      const rules: string[] = [];
      if (keyId !== undefined) rules.push(`key_id = ${value(keyId)}`);
      if (after !== undefined) {
        const [start] = await postgres.query(place, [after, accountId]);
        // The id of another account counts as unknown: the page after it is empty.
        if (!start) return [];
        rules.push(`(created_at, request_id) < (${value(number(start.created_at))}, ${value(after)})`);
      }
      const order = `ORDER BY created_at DESC, request_id DESC LIMIT ${value(limit)}`;
      return (await postgres.work({ text: `${[page, ...rules].join(' AND ')} ${order}` }, values)).map(asCharge);
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
    isEstimated: flag(row.estimated),
    outcome: textOrNull(row.outcome),
    createdAt: number(row.created_at),
    settledAt: numberOrNull(row.settled_at),
  };
}

const PRICE_COLUMNS = 'version, price_list, model, source, prices, created_at';
const onePrice = { text: `SELECT ${PRICE_COLUMNS} FROM price_versions WHERE version = $1` };
const newest = (which: string): string =>
  `SELECT DISTINCT ON (price_list, model) ${PRICE_COLUMNS} FROM price_versions ${which} ORDER BY price_list, model, version DESC`;
const latest = { name: 'latest_prices', text: newest('') };
const configured = { text: newest("WHERE source = 'config'") };
// One after the other: a reader who has seen a version has seen all earlier ones.
const queue = { text: 'LOCK TABLE price_versions IN SHARE ROW EXCLUSIVE MODE' };
const insert = {
  text: `INSERT INTO price_versions (price_list, model, source, prices, created_at) VALUES ($1, $2, $3, $4, $5) RETURNING ${PRICE_COLUMNS}`,
};

function openPriceVersions(postgres: Postgres) {
  const add = (prices: readonly NewPrice[], audit?: AuditEntry): Promise<readonly PriceVersion[]> =>
    postgres.transaction('write', async (queries) => {
      await queries.query(queue);
      const added: PriceVersion[] = [];
      for (const { priceList, model, source, prices: text, createdAt } of prices) {
        const [row = {}] = await queries.query(insert, [priceList, model, source, text, createdAt]);
        added.push(asPrice(row));
      }
      const [first] = added;
      if (audit && first) await writeAudit(queries, { ...audit, details: { version: first.version, ...audit.details } });
      return added;
    });
  return {
    addPrices: (prices: readonly NewPrice[]) => add(prices),
    async addPrice(price: NewPrice, audit?: AuditEntry): Promise<PriceVersion> {
      const [added] = await add([price], audit);
      if (!added) throw new TypeError('a price was written and no version came of it');
      return added;
    },
    async findPrice(version: number): Promise<PriceVersion | undefined> {
      const [row] = await postgres.query(onePrice, [version]);
      return row && asPrice(row);
    },
    latestPrices: async (): Promise<readonly PriceVersion[]> => (await postgres.query(latest)).map(asPrice),
    latestConfigPrices: async (): Promise<readonly PriceVersion[]> => (await postgres.query(configured)).map(asPrice),
  };
}

function asPrice(row: Row): PriceVersion {
  return {
    version: number(row.version),
    priceList: text(row.price_list),
    model: text(row.model),
    source: row.source === 'admin' ? 'admin' : 'config',
    prices: text(row.prices),
    createdAt: number(row.created_at),
  };
}

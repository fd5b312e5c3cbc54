/** Versions of prices: each change is a new row, so that an old receipt can always be worked out again. */
import type { DatabaseSync } from 'node:sqlite';
import { type Audited, openAudit } from '../../storage/audit.ts';
import type { NewPrice, PriceVersion } from '../store.ts';
import { number, prepare, type Row, text } from './rows.ts';

const COLUMNS = 'version, price_list, model, source, prices, created_at';

export function openPriceSteps(connection: DatabaseSync) {
  const insert = prepare(
    connection,
    `INSERT INTO price_versions (price_list, model, source, prices, created_at) VALUES (?, ?, ?, ?, ?) RETURNING ${COLUMNS}`,
  );
  const tell = openAudit(connection);
  const addPrice = ({ priceList, model, source, prices, createdAt, audit }: NewPrice & Audited): PriceVersion => {
    const added = asPrice(insert.get(priceList, model, source, prices, createdAt) ?? {});
    if (audit) tell({ ...audit, details: { version: added.version, ...audit.details } });
    return added;
  };
  return { addPrice, addPrices: (prices: readonly NewPrice[]): readonly PriceVersion[] => prices.map((price) => addPrice(price)) };
}

export function openPriceReads(connection: DatabaseSync) {
  const one = prepare(connection, `SELECT ${COLUMNS} FROM price_versions WHERE version = ?`);
  const newest = (which: string) =>
    prepare(
      connection,
      `SELECT ${COLUMNS} FROM price_versions
       WHERE version IN (SELECT max(version) FROM price_versions ${which} GROUP BY price_list, model) ORDER BY price_list, model`,
    );
  const latest = newest('');
  const configured = newest("WHERE source = 'config'");
  return {
    findPrice: (version: number): PriceVersion | undefined => {
      const row = one.get(version);
      return row && asPrice(row);
    },
    latestPrices: (): readonly PriceVersion[] => latest.all().map(asPrice),
    latestConfigPrices: (): readonly PriceVersion[] => configured.all().map(asPrice),
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

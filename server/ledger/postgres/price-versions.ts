/** Versions of prices on PostgreSQL: each change is a new row, so that an old receipt can always be worked out again. */
import type { AuditEntry } from '../../storage/audit.ts';
import { writeAudit } from '../../storage/postgres/audit.ts';
import type { Postgres } from '../../storage/postgres/pool.ts';
import { number, type Row, text } from '../../storage/postgres/rows.ts';
import type { NewPrice, PriceVersion } from '../store.ts';

const COLUMNS = 'version, price_list, model, source, prices, created_at';
const one = { text: `SELECT ${COLUMNS} FROM price_versions WHERE version = $1` };
const newest = (which: string): string =>
  `SELECT DISTINCT ON (price_list, model) ${COLUMNS} FROM price_versions ${which} ORDER BY price_list, model, version DESC`;
const latest = { name: 'latest_prices', text: newest('') };
const configured = { text: newest("WHERE source = 'config'") };
// One after the other: a reader who has seen a version has seen all earlier ones.
const queue = { text: 'LOCK TABLE price_versions IN SHARE ROW EXCLUSIVE MODE' };
const insert = {
  text: `INSERT INTO price_versions (price_list, model, source, prices, created_at) VALUES ($1, $2, $3, $4, $5) RETURNING ${COLUMNS}`,
};

export function openPriceVersions(postgres: Postgres) {
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
      const [row] = await postgres.query(one, [version]);
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

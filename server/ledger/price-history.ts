/** All versions of prices, newest first, a page at a time; the same question on both databases. */
import { number, text } from '../storage/postgres/rows.ts';
import type { Read, ReadValue } from '../storage/shared-reads.ts';
import type { PriceVersion } from './store.ts';

export interface VersionQuery {
  /** A field that is undefined does not filter. */
  readonly model: string | undefined;
  readonly priceList: string | undefined;
  /** Only versions with a lower number. */
  readonly before: number | undefined;
  readonly limit: number;
}

export async function listVersions(read: Read, { model, priceList, before, limit }: VersionQuery): Promise<readonly PriceVersion[]> {
  const values: ReadValue[] = [];
  const given = (value: ReadValue): string => `?${values.push(value)}`;
  const conditions = [
    ...(model === undefined ? [] : [`model = ${given(model)}`]),
    ...(priceList === undefined ? [] : [`price_list = ${given(priceList)}`]),
    ...(before === undefined ? [] : [`version < ${given(before)}`]),
  ];
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  const rows = await read(
    `SELECT version, price_list, model, source, prices, created_at FROM price_versions ${where} ORDER BY version DESC LIMIT ${given(limit)}`,
    values,
  );
  return rows.map((row) => ({
    version: number(row.version),
    priceList: text(row.price_list),
    model: text(row.model),
    source: text(row.source) === 'admin' ? 'admin' : 'config',
    prices: text(row.prices),
    createdAt: number(row.created_at),
  }));
}

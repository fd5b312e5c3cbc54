/** Compares two databases: every row of every table, and the sum of all balances (promises G2 to G4). */
import { createHash } from 'node:crypto';
import { type Progress, rowsOf } from './copy.ts';
import type { Cell, CopyReader } from './side.ts';
import { type Table, tables } from './tables.ts';

export interface TableComparison {
  readonly name: string;
  readonly sourceRows: number;
  readonly targetRows: number;
  /** Whether all rows are identical. */
  readonly isEqual: boolean;
}

export interface Comparison {
  readonly tables: readonly TableComparison[];
  /** The sum of all accounts, in micro-dollars. */
  readonly sourceBalance: bigint;
  readonly targetBalance: bigint;
  readonly isEqual: boolean;
}

export interface Sides {
  readonly source: CopyReader;
  readonly target: CopyReader;
  readonly onProgress?: (progress: Progress) => void;
}

export async function compare({ source, target, onProgress = () => undefined }: Sides): Promise<Comparison> {
  let total = 0;
  for (const table of tables) total += (await source.count(table)) + (await target.count(table));
  let done = 0;
  const compared: TableComparison[] = [];
  const balance = { source: 0n, target: 0n };
  for (const table of tables) {
    const take = (reader: CopyReader): Promise<TableDigest> =>
      digestTable(reader, table, (rows) => {
        done += rows;
        onProgress({ phase: 'compared', table: table.name, done, total });
      });
    const [one, other] = [await take(source), await take(target)];
    balance.source += one.balance;
    balance.target += other.balance;
    compared.push({ name: table.name, sourceRows: one.rows, targetRows: other.rows, isEqual: one.digest === other.digest });
  }
  const isEqual = balance.source === balance.target && compared.every((table) => table.isEqual);
  return { tables: compared, sourceBalance: balance.source, targetBalance: balance.target, isEqual };
}

interface TableDigest {
  readonly rows: number;
  readonly digest: string;
  /** 0 for every table except `balances`. */
  readonly balance: bigint;
}

async function digestTable(reader: CopyReader, table: Table, onRows: (rows: number) => void): Promise<TableDigest> {
  const hash = createHash('sha256');
  const money = table.name === 'balances' ? table.columns.findIndex(({ name }) => name === 'balance') : -1;
  let rows = 0;
  let balance = 0n;
  for await (const batch of rowsOf(reader, table)) {
    for (const row of batch) {
      hash.update(`${JSON.stringify(row.map(asJson))}\n`);
      const amount = row[money];
      if (typeof amount === 'bigint') balance += amount;
    }
    rows += batch.length;
    onRows(batch.length);
  }
  return { rows, digest: hash.digest('hex'), balance };
}

const asJson = (cell: Cell): unknown => {
  if (typeof cell === 'bigint') return String(cell);
  return Buffer.isBuffer(cell) ? cell.toString('base64') : cell;
};

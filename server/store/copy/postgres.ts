/** PostgreSQL as one side of a copy. Each failed batch is retried, so that a short outage does not end the copy. */
import { setTimeout as wait } from 'node:timers/promises';
import { StorageError } from '../errors.ts';
import type { Postgres, Queries } from '../postgres/postgres.ts';
import { type Row, readNumber, readText } from '../rows.ts';
import { COPY_NOTES_TABLE, hasPostgresTable } from '../unfinished-copy.ts';
import {
  type Cell,
  type Cells,
  type ColumnKind,
  type CopyDatabase,
  type CopyNote,
  type CopyReader,
  MAX_BATCH_BYTES,
  MAX_BATCH_ROWS,
  type Table,
  tables,
} from './copy.ts';

/** The timeout for one batch, or for counting a table, on a busy disk. */
const MAX_TRANSACTION_MS = 1_800_000;
const MAX_TRIES = 5;

/** `pauseMs`: the pause before a failed batch is retried. */
export function openPostgresCopyDatabase(postgres: Postgres, label: string, pauseMs = 1_000): CopyDatabase {
  const writeWithRetry = (work: (queries: Queries) => Promise<unknown>) =>
    retry(async () => void (await postgres.transaction('write', work, MAX_TRANSACTION_MS)), pauseMs);
  return {
    label,
    readConsistently: (work) =>
      postgres.transaction(
        'read',
        async (queries) => {
          // The other side may be slow between two batches.
          await queries.query({ text: 'SET LOCAL idle_in_transaction_session_timeout = 0' });
          return await work(openReader(queries));
        },
        MAX_TRANSACTION_MS,
      ),
    async readNotes() {
      if (!(await hasPostgresTable(postgres, COPY_NOTES_TABLE))) return null;
      const rows = await postgres.query({ text: `SELECT name, value FROM ${COPY_NOTES_TABLE}` });
      return new Map(rows.map(({ name, value }) => [readText(name), readText(value)]));
    },
    beginCopying: (note) =>
      writeWithRetry(async (queries) => {
        await queries.query({ text: `CREATE TABLE IF NOT EXISTS ${COPY_NOTES_TABLE} (name TEXT PRIMARY KEY, value TEXT NOT NULL)` });
        await writeNote(queries, note);
      }),
    write: (table, rows, note) =>
      writeWithRetry(async (queries) => {
        await insert(queries, table, rows);
        await writeNote(queries, note);
      }),
    setCounters: () =>
      writeWithRetry(async (queries) => {
        for (const sql of buildCounterSql()) await queries.query({ text: sql });
      }),
    dropNotes: () => writeWithRetry((queries) => queries.query({ text: `DROP TABLE IF EXISTS ${COPY_NOTES_TABLE}` })),
  };
}

/** A retry is safe, because it writes the same rows and notes again. */
async function retry(work: () => Promise<void>, pauseMs: number): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StorageError) || tries === MAX_TRIES) throw error;
      await wait(pauseMs);
    }
  }
}

async function writeNote(queries: Queries, { name, value }: CopyNote): Promise<void> {
  const sql = `INSERT INTO ${COPY_NOTES_TABLE} VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value`;
  await queries.query({ text: sql }, [name, value]);
}

function openReader(queries: Queries): CopyReader {
  const readCount = async (sql: string): Promise<number> => readNumber((await queries.query({ text: sql }))[0]?.count);
  return {
    count: ({ name }) => readCount(`SELECT count(*) AS count FROM ${name}`),
    countHolds: () => readCount(`SELECT count(*) AS count FROM charges WHERE state = 'held'`),
    async read(table, after) {
      const rows = await queries.query({ text: buildSelectSql(table, after !== null) }, after ?? []);
      return rows.map((row) => table.columns.map(({ name }) => readCell(row, name)));
    },
  };
}

/** Selects rows until the batch is full. The server measures the texts, and sends only the batch's texts. */
function buildSelectSql({ name, key, columns }: Table, isAfter: boolean): string {
  const names = columns.map((column) => column.name).join(', ');
  const keyColumns = key.join(', ');
  const afterCondition = isAfter ? `WHERE (${keyColumns}) > (${key.map((_, index) => `$${index + 1}`).join(', ')})` : '';
  const sizeExpressions = columns
    .filter(({ kind }) => kind === 'text' || kind === 'bytes')
    .map((column) => `coalesce(octet_length(${column.name}), 0)`);
  return `
    SELECT ${names} FROM (
      SELECT *, sum(bytes) OVER (ORDER BY ${keyColumns} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
      FROM (SELECT ${names}, ${sizeExpressions.join(' + ') || '0'} AS bytes FROM ${name} ${afterCondition} ORDER BY ${keyColumns} LIMIT ${MAX_BATCH_ROWS}) AS next
    ) AS measured
    WHERE coalesce(before, 0) < ${MAX_BATCH_BYTES} ORDER BY ${keyColumns}`;
}

const arrayTypes: Readonly<Record<ColumnKind, string>> = { text: 'TEXT[]', integer: 'BIGINT[]', bytes: 'BYTEA[]', flag: 'BOOLEAN[]' };

async function insert(queries: Queries, { name, key, columns }: Table, rows: readonly Cells[]): Promise<void> {
  const names = columns.map((column) => column.name).join(', ');
  const parameters = columns.map(({ kind }, index) => `$${index + 1}::${arrayTypes[kind]}`).join(', ');
  const sql = `INSERT INTO ${name} (${names}) SELECT * FROM unnest(${parameters}) ON CONFLICT (${key.join(', ')}) DO NOTHING`;
  const values = columns.map((_, index) => rows.map((row) => row[index] ?? null));
  await queries.query({ text: sql }, values);
}

function buildCounterSql(): readonly string[] {
  return tables.flatMap(({ name, counter }) =>
    counter === null
      ? []
      : [`SELECT setval(pg_get_serial_sequence('${name}', '${counter}'), max(${counter})) FROM ${name} HAVING max(${counter}) IS NOT NULL`],
  );
}

function readCell(row: Row, name: string): Cell {
  const value = row[name];
  if (value === null || typeof value === 'string' || typeof value === 'bigint' || typeof value === 'boolean') return value;
  if (Buffer.isBuffer(value)) return value;
  throw new TypeError(`the column ${name} has a type that the copy does not support`);
}

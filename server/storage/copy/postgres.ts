/** PostgreSQL as one side of a copy. Each failed batch is retried, so that a short outage does not end the copy. */
import { setTimeout as wait } from 'node:timers/promises';
import { StorageError } from '../errors.ts';
import type { Postgres, Queries } from '../postgres/pool.ts';
import { number, type Row, text } from '../rows.ts';
import {
  type Cell,
  type Cells,
  type CopyReader,
  type CopySide,
  type Kind,
  MAX_BYTES,
  MAX_ROWS,
  type Note,
  notesTable,
  type Table,
  tables,
} from './copy.ts';

/** The time limit of one batch, or of counting a table, on a busy disk. */
const MAX_MS = 1_800_000;
const MAX_TRIES = 5;

/** `pauseMs`: the pause before a failed batch is retried. */
export function openPostgresSide(postgres: Postgres, label: string, pauseMs = 1_000): CopySide {
  const write = (work: (queries: Queries) => Promise<unknown>) =>
    retried(async () => void (await postgres.transaction('write', work, MAX_MS)), pauseMs);
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
        MAX_MS,
      ),
    async notes() {
      const [table] = await postgres.query({ text: `SELECT to_regclass('${notesTable}') IS NOT NULL AS exists` });
      if (table?.exists !== true) return null;
      const rows = await postgres.query({ text: `SELECT name, value FROM ${notesTable}` });
      return new Map(rows.map(({ name, value }) => [text(name), text(value)]));
    },
    begin: (note) =>
      write(async (queries) => {
        await queries.query({ text: `CREATE TABLE IF NOT EXISTS ${notesTable} (name TEXT PRIMARY KEY, value TEXT NOT NULL)` });
        await writeNote(queries, note);
      }),
    write: (table, rows, note) =>
      write(async (queries) => {
        await insert(queries, table, rows);
        await writeNote(queries, note);
      }),
    setCounters: () =>
      write(async (queries) => {
        for (const sql of counterSql()) await queries.query({ text: sql });
      }),
    dropNotes: () => write((queries) => queries.query({ text: `DROP TABLE IF EXISTS ${notesTable}` })),
  };
}

/** Gateways with a heartbeat within `silentMs`, by the server's clock, which writes the heartbeats, too. Works on any schema, and on an empty database. */
export async function runningGatewaysOn(queries: Queries, silentMs: number): Promise<readonly string[]> {
  const [table] = await queries.query({ text: `SELECT to_regclass('nodes') IS NOT NULL AS exists` });
  if (table?.exists !== true) return [];
  const sql = 'SELECT id FROM nodes WHERE seen_at > (extract(epoch FROM clock_timestamp()) * 1000)::BIGINT - $1::BIGINT';
  const rows = await queries.query({ text: sql }, [silentMs]);
  return rows.map(({ id }) => text(id));
}

/** A retry is safe: the same rows and notes are written again. */
async function retried(work: () => Promise<void>, pauseMs: number): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StorageError) || tries === MAX_TRIES) throw error;
      await wait(pauseMs);
    }
  }
}

async function writeNote(queries: Queries, { name, value }: Note): Promise<void> {
  const sql = `INSERT INTO ${notesTable} VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value`;
  await queries.query({ text: sql }, [name, value]);
}

function openReader(queries: Queries): CopyReader {
  const one = async (sql: string): Promise<number> => number((await queries.query({ text: sql }))[0]?.count);
  return {
    count: ({ name }) => one(`SELECT count(*) AS count FROM ${name}`),
    countHolds: () => one(`SELECT count(*) AS count FROM charges WHERE state = 'held'`),
    async read(table, after) {
      const rows = await queries.query({ text: selectSql(table, after !== null) }, after ?? []);
      return rows.map((row) => table.columns.map(({ name }) => readCell(row, name)));
    },
  };
}

/** Selects the rows up to the one that fills a batch. The server measures the texts, and sends only those of the batch. */
function selectSql({ name, key, columns }: Table, isAfter: boolean): string {
  const names = columns.map((column) => column.name).join(', ');
  const along = key.join(', ');
  const rest = isAfter ? `WHERE (${along}) > (${key.map((_, index) => `$${index + 1}`).join(', ')})` : '';
  const long = columns
    .filter(({ kind }) => kind === 'text' || kind === 'bytes')
    .map((column) => `coalesce(octet_length(${column.name}), 0)`);
  return `
    SELECT ${names} FROM (
      SELECT *, sum(bytes) OVER (ORDER BY ${along} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
      FROM (SELECT ${names}, ${long.join(' + ') || '0'} AS bytes FROM ${name} ${rest} ORDER BY ${along} LIMIT ${MAX_ROWS}) AS next
    ) AS measured
    WHERE coalesce(before, 0) < ${MAX_BYTES} ORDER BY ${along}`;
}

const arrays: Readonly<Record<Kind, string>> = { text: 'TEXT[]', integer: 'BIGINT[]', bytes: 'BYTEA[]', flag: 'BOOLEAN[]' };

async function insert(queries: Queries, { name, key, columns }: Table, rows: readonly Cells[]): Promise<void> {
  const names = columns.map((column) => column.name).join(', ');
  const given = columns.map(({ kind }, index) => `$${index + 1}::${arrays[kind]}`).join(', ');
  const sql = `INSERT INTO ${name} (${names}) SELECT * FROM unnest(${given}) ON CONFLICT (${key.join(', ')}) DO NOTHING`;
  const values = columns.map((_, index) => rows.map((row) => row[index] ?? null));
  await queries.query({ text: sql }, values);
}

function counterSql(): readonly string[] {
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

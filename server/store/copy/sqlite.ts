/** The embedded database as one side of a copy. */
import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { type Database, hasTable } from '../sqlite/database.ts';
import { COPY_NOTES_TABLE } from '../unfinished-copy.ts';
import {
  type Cell,
  type Cells,
  type Column,
  type CopyDatabase,
  type CopyNote,
  type CopyReader,
  MAX_BATCH_BYTES,
  MAX_BATCH_ROWS,
  ORDER_COLUMN,
  type Table,
} from './copy.ts';

export function openSqliteCopyDatabase({ connection, transaction }: Database, label: string): CopyDatabase {
  const reader = openReader(connection);
  const writeNote = ({ name, value }: CopyNote): void => {
    connection
      .prepare(`INSERT INTO ${COPY_NOTES_TABLE} VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`)
      .run(name, value);
  };
  return {
    label,
    async readConsistently(work) {
      connection.exec('BEGIN');
      try {
        return await work(reader);
      } finally {
        connection.exec('COMMIT');
      }
    },
    async readNotes() {
      if (!hasTable(connection, COPY_NOTES_TABLE)) return null;
      const rows = connection.prepare(`SELECT name, value FROM ${COPY_NOTES_TABLE}`).all();
      return new Map(rows.map(({ name, value }) => [String(name), String(value)]));
    },
    beginCopying: async (note) =>
      transaction(() => {
        connection.exec(`CREATE TABLE ${COPY_NOTES_TABLE} (name TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) STRICT`);
        writeNote(note);
      }),
    write: async (table, rows, note) =>
      transaction(() => {
        const insert = connection.prepare(buildInsertSql(table));
        for (const row of rows) insert.run(...row.map(toSqlite));
        writeNote(note);
      }),
    // SQLite continues from the highest number automatically.
    setCounters: async () => undefined,
    dropNotes: async () => connection.exec(`DROP TABLE ${COPY_NOTES_TABLE}`),
  };
}

function openReader(connection: Database['connection']): CopyReader {
  const readCount = (sql: string): number => Number(connection.prepare(sql).get()?.count);
  return {
    count: async ({ name }) => readCount(`SELECT count(*) AS count FROM ${name}`),
    countHolds: async () => readCount(`SELECT count(*) AS count FROM charges WHERE state = 'held'`),
    async read(table, after) {
      const statement = connection.prepare(buildSelectSql(table, after !== null));
      statement.setReadBigInts(true);
      const rows: Cells[] = [];
      let bytes = 0;
      for (const row of statement.iterate(...(after ?? []).map(toSqlite))) {
        const cells = table.columns.map(({ name, kind }) => readCell(kind, row[name] ?? null));
        rows.push(cells);
        for (const cell of cells) if (typeof cell === 'string' || Buffer.isBuffer(cell)) bytes += cell.length;
        if (bytes >= MAX_BATCH_BYTES) break;
      }
      return rows;
    },
  };
}

const toSqliteName = (name: string): string => (name === ORDER_COLUMN ? 'rowid' : name);
const formatPlaceholders = (names: readonly unknown[]): string => names.map(() => '?').join(', ');

function buildSelectSql({ name, key, columns }: Table, isAfter: boolean): string {
  const columnList = columns.map((column) => `${toSqliteName(column.name)} AS ${column.name}`).join(', ');
  const afterCondition = isAfter ? `WHERE (${key.join(', ')}) > (${formatPlaceholders(key)})` : '';
  return `SELECT ${columnList} FROM ${name} ${afterCondition} ORDER BY ${key.join(', ')} LIMIT ${MAX_BATCH_ROWS}`;
}

function buildInsertSql({ name, key, columns }: Table): string {
  const names = columns.map((column) => toSqliteName(column.name)).join(', ');
  return `INSERT INTO ${name} (${names}) VALUES (${formatPlaceholders(columns)}) ON CONFLICT (${key.join(', ')}) DO NOTHING`;
}

/**
 * Replaces NUL characters, which PostgreSQL can't store in a text. The gateway writes none, but a person may have typed one into a note.
 */
function readCell(kind: Column['kind'], value: SQLOutputValue): Cell {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value;
  if (typeof value === 'number') throw new TypeError('SQLite returned a number instead of a bigint');
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return kind === 'flag' && value !== null ? value !== 0n : value;
}

const toSqlite = (cell: Cell): SQLInputValue => (typeof cell === 'boolean' ? Number(cell) : cell);

/** The database check of `modelgate doctor`: it opens, has the tables of this version, and can write and roll back. */
import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describeNewer, type FoundSchema, whyUnusable } from '../storage/compatibility.ts';
import { COPY_NOTES, halfCopy, refuseHalfCopy } from '../storage/half-copy.ts';
import { openPostgres, type Postgres } from '../storage/postgres/pool.ts';
import { findSchemaOn } from '../storage/postgres/schema.ts';
import { databaseFile } from '../storage/sqlite/database.ts';
import { findSchema, knownSchema } from '../storage/sqlite/schema.ts';
import { fault, milliseconds, ok, reasonOf, timed, type Verdict, warning } from './finding.ts';

const BUSY_MS = 2_000;
const SLOW_COMMIT_MS = 50;
/** A full integrity check of a larger file takes too long for an interactive command. */
const MOST_CHECKED = 256 * 1_048_576;

export async function examineSqlite(folder: string): Promise<Verdict> {
  const file = databaseFile(folder);
  if (!existsSync(file)) return ok('does not exist yet; the first start creates it');
  try {
    const connection = new DatabaseSync(file, { timeout: BUSY_MS });
    try {
      return await lookInto(connection, file);
    } finally {
      connection.close();
    }
  } catch (error) {
    const hint =
      'Is the disk full, does another user own the file, or does another program lock it? Otherwise restore it from a backup, together with the pepper.';
    return fault(`${file}: ${reasonOf(error)}`, hint);
  }
}

async function lookInto(connection: DatabaseSync, file: string): Promise<Verdict> {
  const found = findSchema(connection);
  const refusal = refusalOf(found);
  if (refusal) return refusal;
  if (connection.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(COPY_NOTES) !== undefined) throw halfCopy();
  if (statSync(file).size <= MOST_CHECKED) {
    const said = connection.prepare('PRAGMA quick_check(1)').get()?.quick_check;
    if (said !== 'ok') return fault(`${file} is damaged`, 'Stop the gateway and restore the file from a backup, together with the pepper.');
  }
  const { ms } = await timed(() => connection.exec('BEGIN IMMEDIATE; CREATE TABLE doctor_probe (x); ROLLBACK'));
  return ok(`SQLite, ${schemaText(found)}, write and rollback ${milliseconds(ms)}`);
}

export async function examinePostgres(url: string): Promise<Verdict> {
  const postgres = openPostgres({ url, connections: 1 });
  try {
    return await askPostgres(postgres);
  } catch (error) {
    return fault(reasonOf(error), 'Does PostgreSQL run, and are address, user and password of DATABASE_URL or database.url right?');
  } finally {
    await postgres.close();
  }
}

async function askPostgres(postgres: Postgres): Promise<Verdict> {
  const first = await timed(() => postgres.query({ text: 'SELECT extract(epoch FROM clock_timestamp())::float8 AS now' }));
  const apartMs = Math.abs(Number(first.value[0]?.now) * 1_000 - Date.now());
  const again = await timed(() => postgres.query({ text: 'SELECT 1' }));
  const found = await findSchemaOn(postgres);
  const refusal = refusalOf(found);
  if (refusal) return refusal;
  await refuseHalfCopy(postgres);
  await rollBack(postgres);
  // Assigns a transaction id, so that the commit must reach the disk.
  const commit = await timed(() => postgres.transaction('write', (queries) => queries.query({ text: 'SELECT pg_current_xact_id()' })));
  const facts = [
    `connected in ${milliseconds(first.ms)}`,
    `answers in ${milliseconds(again.ms)}`,
    schemaText(found),
    `commit ${milliseconds(commit.ms)}`,
  ];
  const detail = `PostgreSQL, ${facts.join(', ')}`;
  if (apartMs > CLOCKS_APART_MS) return clocksApart(detail, apartMs);
  return commit.ms > SLOW_COMMIT_MS
    ? warning(detail, 'Commits are slow: every paid call waits for two. Check the disk of the server, and the network to it.')
    : ok(detail);
}

export const CLOCKS_APART_MS = 2_000;
export const clocksApart = (detail: string, apartMs: number): Verdict =>
  warning(
    `${detail}; its clock and this one are ${milliseconds(apartMs)} apart`,
    'Synchronise both with the same time server: limits, expiry and periods depend on the clock.',
  );

class Undone extends Error {}

/** Writes, and rolls back. */
async function rollBack(postgres: Postgres): Promise<void> {
  try {
    await postgres.transaction('write', async (queries) => {
      await queries.query({ text: 'CREATE TABLE doctor_probe (x BIGINT)' });
      throw new Undone();
    });
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
  }
}

function refusalOf(found: FoundSchema): Verdict | null {
  const why = whyUnusable(found, knownSchema);
  return why && fault(why.fact, `${why.remedy}; or name another database.`);
}

function schemaText(found: FoundSchema): string {
  const { version } = found;
  if (version === knownSchema) return `schema ${version}`;
  if (version === 0) return 'empty; the first start creates its tables';
  return describeNewer(found, knownSchema) ?? `schema ${version}; the next start migrates it to ${knownSchema}`;
}

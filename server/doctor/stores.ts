/** Checks the stores for `modelgate doctor`: whether the database opens, has the schema of this version, and can write and roll back. */

import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { type Environment, hasPepper, isOther, openPepper } from '../access/pepper.ts';
import { accessRoom } from '../access/plans.ts';
import type { Config } from '../config/config.ts';
import { inTime, openConnection } from '../limits/redis/connection.ts';
import { KEY_PREFIX, type Script } from '../limits/redis/script.ts';
import { COPY_NOTES, describeNewer, type FoundSchema, halfCopy, rejectHalfCopy, whyUnusable } from '../storage/compatibility.ts';
import { openPostgres, type Postgres } from '../storage/postgres/pool.ts';
import { findSchemaOn } from '../storage/postgres/schema.ts';
import { databaseFile, findSchema, hasDatabase, knownSchema, runHere } from '../storage/sqlite/database.ts';

const BUSY_MS = 2_000;
const SLOW_COMMIT_MS = 50;
/** A full integrity check of a larger file takes too long for an interactive command. */
const MAX_CHECKED = 256 * 1_048_576;

export async function examineSqlite(folder: string): Promise<Verdict> {
  const file = databaseFile(folder);
  if (!existsSync(file)) return ok("doesn't exist yet; the first start creates it");
  try {
    const connection = new DatabaseSync(file, { timeout: BUSY_MS });
    try {
      return await lookInto(connection, file);
    } finally {
      connection.close();
    }
  } catch (error) {
    const hint =
      'Check whether the disk is full, another user owns the file, or another program locks it. If not, restore it from a backup, together with the pepper.';
    return fault(`${file}: ${reasonOf(error)}`, hint);
  }
}

async function lookInto(connection: DatabaseSync, file: string): Promise<Verdict> {
  const found = findSchema(connection);
  const refusal = refusalOf(found);
  if (refusal) return refusal;
  if (connection.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(COPY_NOTES) !== undefined) throw halfCopy();
  if (statSync(file).size <= MAX_CHECKED) {
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
    return fault(
      reasonOf(error),
      'Check that PostgreSQL is running, and check the address, user, and password in DATABASE_URL or database.url.',
    );
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
  await rejectHalfCopy(postgres);
  await rollBack(postgres);
  // Assigns a transaction ID, so that the commit must be written to disk.
  const commit = await timed(() => postgres.transaction('write', (queries) => queries.query({ text: 'SELECT pg_current_xact_id()' })));
  const facts = [
    `connected in ${milliseconds(first.ms)}`,
    `responds in ${milliseconds(again.ms)}`,
    schemaText(found),
    `commit ${milliseconds(commit.ms)}`,
  ];
  const detail = `PostgreSQL, ${facts.join(', ')}`;
  if (apartMs > CLOCKS_APART_MS) return clocksApart(detail, apartMs);
  return commit.ms > SLOW_COMMIT_MS
    ? warning(detail, "Check the server's disk and the network to it: commits are slow, and every paid call waits for two.")
    : ok(detail);
}

const CLOCKS_APART_MS = 2_000;
const clocksApart = (detail: string, apartMs: number): Verdict =>
  warning(
    `${detail}; its clock and this one are ${milliseconds(apartMs)} apart`,
    'Synchronize both with the same time server: limits, expiry, and periods depend on the clock.',
  );

class Undone extends Error {}

/** Writes a table and rolls back. */
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
  return why && fault(why.fact, `${why.remedy}; or specify another database.`);
}

function schemaText(found: FoundSchema): string {
  const { version } = found;
  if (version === knownSchema) return `schema ${version}`;
  if (version === 0) return 'empty; the first start creates its tables';
  return describeNewer(found, knownSchema) ?? `schema ${version}; the next start migrates it to ${knownSchema}`;
}

/** Checks the pepper, without which no key in the database is recognized. */
export async function examinePepper({ data, database }: Pick<Config, 'data' | 'database'>, env: Environment): Promise<Verdict> {
  if (hasPepper(data, env)) {
    const place = env.MODELGATE_PEPPER?.trim() ? 'from MODELGATE_PEPPER' : 'in the data folder';
    // A database that doesn't respond is reported separately.
    const kept = await (database.url === undefined ? keptInFile(data) : keptOnServer(database.url)).catch(() => undefined);
    if (!isOther(kept, openPepper(data, env))) return ok(place);
    return fault(
      `${place}, but the keys in the database were created with a different one`,
      'Set MODELGATE_PEPPER to the pepper of the gateways that created the keys, or to the content of the file "pepper" in their data folder.',
    );
  }
  const needs = await (database.url === undefined ? fileNeedsOne(data) : serverNeedsOne(database.url)).catch(() => undefined);
  if (needs === false) return ok("doesn't exist yet; the first start creates it");
  if (needs === undefined) return warning("missing, and the database, which may contain keys, doesn't respond", REMEDY);
  return fault('the database has keys, but their pepper is missing', REMEDY);
}

const REMEDY = 'Copy the file "pepper" here from the folder where the keys were created, or set MODELGATE_PEPPER to its content.';

/** If one of these tables has rows, the database needs its pepper. */
const tablesOfPepper = ['keys', 'admin_keys', 'pepper_fingerprint'];
const firstRow = (table: string): string => `SELECT 1 AS found FROM ${table} LIMIT 1`;

const fileNeedsOne = async (folder: string): Promise<boolean> =>
  hasDatabase(folder) &&
  (await inFile(folder, (connection) => {
    const isThere = connection.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?');
    return tablesOfPepper.some((table) => isThere.get(table) !== undefined && connection.prepare(firstRow(table)).get() !== undefined);
  }));

const serverNeedsOne = (url: string): Promise<boolean> =>
  onServer(url, async (postgres) => {
    for (const table of tablesOfPepper) {
      const [known] = await postgres.query({ text: 'SELECT to_regclass($1) IS NOT NULL AS known' }, [table]);
      if (known?.known === true && (await postgres.query({ text: firstRow(table) })).length > 0) return true;
    }
    return false;
  });

const keptInFile = (folder: string) =>
  inFile(folder, (connection) => accessRoom.onSqlite({ connection, steps: runHere(connection, accessRoom.steps) }).findFingerprint());
const keptOnServer = (url: string) => onServer(url, (postgres) => accessRoom.onPostgres(postgres).findFingerprint());

async function inFile<T>(folder: string, look: (connection: DatabaseSync) => T): Promise<T> {
  const connection = new DatabaseSync(databaseFile(folder), { readOnly: true, timeout: 2_000 });
  try {
    return look(connection);
  } finally {
    connection.close();
  }
}

async function onServer<T>(url: string, look: (postgres: Postgres) => Promise<T>): Promise<T> {
  const postgres = openPostgres({ url, connections: 1 });
  try {
    return await look(postgres);
  } finally {
    await postgres.close();
  }
}

type State = 'ok' | 'warning' | 'fault' | 'skipped';

export interface Verdict {
  readonly state: State;
  readonly detail: string;
  /** Says what to do. Absent if everything is OK. */
  readonly hint?: string;
}
export interface Finding extends Verdict {
  readonly part: string;
  readonly ms: number;
}

export const ok = (detail: string): Verdict => ({ state: 'ok', detail });
export const warning = (detail: string, hint: string): Verdict => ({ state: 'warning', detail, hint });
export const fault = (detail: string, hint: string): Verdict => ({ state: 'fault', detail, hint });
export const skipped = (detail: string): Verdict => ({ state: 'skipped', detail });

/** Runs a check. An unexpected error counts as a fault, described by its code or its first line. */
export async function examine(part: string, work: () => Verdict | Promise<Verdict>): Promise<Finding> {
  const startedAt = performance.now();
  const verdict = await attempt(work);
  return { part, ...verdict, ms: Math.round((performance.now() - startedAt) * 10) / 10 };
}

async function attempt(work: () => Verdict | Promise<Verdict>): Promise<Verdict> {
  try {
    return await work();
  } catch (error) {
    return fault(reasonOf(error), 'See docs/guides/operating.md for this part.');
  }
}

/** Removes everything that looks like a URL, because URLs can contain passwords. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // When several addresses failed, Node gives only a code.
  const text = error.message === '' && 'code' in error ? String(error.code) : error.message;
  // The message of a failed fetch has no reason; its cause has.
  if (text === 'fetch failed' && error.cause instanceof Error) return reasonOf(error.cause);
  const [line = ''] = text.split('\n');
  return line.replace(/\w+:\/\/\S*/g, '[address]').slice(0, 300);
}

export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

export async function timed<T>(work: () => T | Promise<T>): Promise<{ readonly value: T; readonly ms: number }> {
  const startedAt = performance.now();
  const value = await work();
  return { value, ms: performance.now() - startedAt };
}

export const milliseconds = (ms: number): string => (ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`);

const WAIT_MS = 3_000;
/** How long a call waits for Redis before the gateway counts without it. */
const SLOW_MS = 50;
const TEXT = "redis.call('SET', KEYS[1], '1', 'PX', 1000) local time = redis.call('TIME') return {tonumber(time[1])}";
const script: Script = { text: TEXT, sha: createHash('sha1').update(TEXT).digest('hex') };

export async function examineRedis(url: string): Promise<Verdict> {
  let lost: unknown = null;
  const connection = openConnection(url, (cause) => {
    lost = cause;
  });
  try {
    const opened = await timed(() => inTime(connection.opened, WAIT_MS));
    const run = () =>
      inTime(connection.run<readonly number[]>(script, { keys: [`${KEY_PREFIX}doctor:${process.pid}`], args: [] }), WAIT_MS);
    const [seconds = 0] = await run();
    const { ms } = await timed(run);
    const detail = `connected in ${milliseconds(opened.ms)}, script run in ${milliseconds(ms)}`;
    const apartMs = Math.abs(seconds * 1_000 - Date.now());
    if (apartMs > CLOCKS_APART_MS) return clocksApart(detail, apartMs);
    return ms > SLOW_MS
      ? warning(
          detail,
          'Check the network to Redis: limits wait for it at most 50 ms by default (redis.timeoutMs). After that, each process enforces its own share.',
        )
      : ok(detail);
  } catch (error) {
    return fault(
      reasonOf(lost ?? error),
      'Check that Redis is running, and check the address and password in REDIS_URL or redis.url. Until then, each process enforces its own share of every limit.',
    );
  } finally {
    connection.close();
  }
}

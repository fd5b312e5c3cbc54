/**
 * Defines a store's methods once for both databases. A plan yields statements and gets their rows; SQLite runs a plan in one turn, PostgreSQL in one
 * transaction. The `Dialect` contains only the SQL that differs between the engines.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { Queries, Statement, Value } from './postgres/connections.ts';
import type { Postgres } from './postgres/postgres.ts';
import { isStorableText, type Row } from './rows.ts';
import type { StepRunner, Steps } from './sqlite/database.ts';

type PlanValue = string | number | bigint | boolean | Uint8Array | null | readonly string[];

/** A named query is part of a call. PostgreSQL prepares it, and it must finish within the timeout of a step. */
export interface Query extends Statement {
  readonly values: readonly PlanValue[];
  /** Whether the query may transfer much data and gets more time. */
  readonly isBig?: true;
}

export type Plan<R> = Generator<Query, R, readonly Row[]>;

export type StorePlans<S> = {
  readonly [K in keyof S]: S[K] extends (...args: infer A) => Promise<infer R> ? (...args: A) => Plan<R> : never;
};

/** `text` has parameters `?1`, `?2`, … */
export const sql = (text: string, ...values: readonly PlanValue[]): Query => ({ text, values });
/** For statements on the path of a request. */
export const preparedSql = (name: string, text: string, ...values: readonly PlanValue[]): Query => ({ name, text, values });

/** For statements on the path of a request that may transfer much data. */
export const preparedLargeSql = (name: string, text: string, ...values: readonly PlanValue[]): Query => ({
  name,
  text,
  values,
  isBig: true,
});

export interface Dialect {
  readonly isShared: boolean;
  /** Placed after a SELECT: locks its rows against other changes until the transaction ends. */
  readonly lock: string;
  /** Placed after a SELECT: locks its rows and skips rows locked by another process. */
  readonly lockFree: string;
  /** The column that orders a table's rows by creation. */
  readonly place: string;
  /** The most rows that one step of a sweep deletes. Few on SQLite, where the holds and charges of calls wait for the step. */
  readonly maxSweptRows: number;
  /** The values of a list of texts, for `IN`. */
  list(parameter: string): string;
  /** The values of a list of numbers written as texts, for `IN`. */
  numbers(parameter: string): string;
  /** Milliseconds since 1970: the parameter if it's set, otherwise the database's clock. */
  now(parameter: string): string;
}

export const SQLITE: Dialect = {
  isShared: false,
  lock: '',
  lockFree: '',
  place: 'rowid',
  maxSweptRows: 10,
  list: (parameter) => `(SELECT value FROM json_each(${parameter}))`,
  numbers: (parameter) => `(SELECT CAST(value AS INTEGER) FROM json_each(${parameter}))`,
  now: (parameter) => `CAST(coalesce(${parameter}, unixepoch('subsec') * 1000) AS INTEGER)`,
};

export const POSTGRES: Dialect = {
  isShared: true,
  lock: 'FOR NO KEY UPDATE',
  lockFree: 'FOR UPDATE SKIP LOCKED',
  place: 'place',
  maxSweptRows: 100,
  list: (parameter) => `(SELECT unnest(${parameter}::TEXT[]))`,
  numbers: (parameter) => `(SELECT unnest(${parameter}::TEXT[])::BIGINT)`,
  // The clock of a single machine may be wrong, and its time would apply to all processes.
  now: (parameter) => `coalesce(${parameter}::BIGINT, (extract(epoch FROM clock_timestamp()) * 1000)::BIGINT)`,
};

interface SqliteTarget {
  /** For reads. It sees committed data and doesn't wait for writers. */
  readonly connection: DatabaseSync;
  // biome-ignore lint/suspicious/noExplicitAny: the runner of the gateway has the steps of all rooms.
  readonly steps: Pick<StepRunner<any>, 'run'>;
}

interface StoreOptions<S> {
  readonly reads: readonly (keyof S)[];
  /** Changes that need no transaction: they have a single statement, or each statement is correct without the next. */
  readonly noTransaction?: readonly (keyof S)[];
  /** The timeout per statement for changes that need more than PostgreSQL's usual timeout. */
  readonly mostMs?: Partial<Record<keyof S, number>>;
  /** Lists memory of the arguments to transfer to the thread without a copy. If omitted, all memory is copied. */
  readonly given?: (method: keyof S, args: readonly unknown[]) => readonly ArrayBuffer[];
}

type Method = (...args: readonly unknown[]) => Plan<unknown>;

/** `name`: the prefix of the store's steps in the writing thread. Methods not listed in the options are changes in one transaction. */
export function defineStore<S extends object>(
  name: string,
  { reads, noTransaction: withoutTransaction = [], mostMs: maxMs = {}, given: listTransferredBuffers }: StoreOptions<S>,
  plans: (db: Dialect) => StorePlans<S>,
) {
  // `as`: the type checker can't match each method with its name.
  const listMethods = (db: Dialect) => Object.entries(plans(db)) as [keyof S & string, Method][];
  const createStore = (
    db: Dialect,
    bindMethod: (method: keyof S & string, plan: Method) => (...args: readonly unknown[]) => Promise<unknown>,
  ): S => Object.fromEntries(listMethods(db).map(([method, plan]) => [method, bindMethod(method, plan)])) as S;
  return {
    /** Prepares the steps for the writing thread. */
    steps(connection: DatabaseSync): Steps {
      const run = createRunner(connection);
      const writeMethods = listMethods(SQLITE).filter(([method]) => !reads.includes(method));
      return Object.fromEntries(
        writeMethods.map(([method, plan]) => [`${name}.${method}`, (args: readonly unknown[]) => run(plan(...args))]),
      );
    },
    onSqlite({ connection, steps }: SqliteTarget): S {
      const run = createRunner(connection);
      return createStore(SQLITE, (method, plan) =>
        reads.includes(method)
          ? async (...args) => run(plan(...args))
          : (...args) => steps.run(`${name}.${method}`, args, listTransferredBuffers?.(method, args)),
      );
    },
    onPostgres: (postgres: Postgres): S =>
      createStore(POSTGRES, (method, plan) => {
        const skipsTransaction = reads.includes(method) || withoutTransaction.includes(method);
        if (skipsTransaction) return (...args) => runPlan(plan(...args), (query) => runQuery(postgres, query));
        return (...args) => postgres.transaction('write', (queries) => runPlanOn(plan(...args), queries), maxMs[method]);
      }),
  };
}

type RunStatement = (values: readonly PlanValue[]) => readonly Row[];

const statementsByConnection = new WeakMap<DatabaseSync, Map<string, RunStatement>>();

/** Runs plans on one connection. Plans never begin or end a transaction. */
export function createRunner(connection: DatabaseSync): <R>(plan: Plan<R>) => R {
  const preparedStatements = statementsByConnection.get(connection) ?? new Map<string, RunStatement>();
  statementsByConnection.set(connection, preparedStatements);
  const prepare = (text: string): RunStatement => {
    const runStatement = prepareStatement(connection, text);
    preparedStatements.set(text, runStatement);
    return runStatement;
  };
  return (plan) => {
    for (let next = plan.next(); ; ) {
      if (next.done) return next.value;
      const { text, values } = next.value;
      next = plan.next((preparedStatements.get(text) ?? prepare(text))(values));
    }
  };
}

/** Reads rows as arrays, because SQLite's binding creates the names of all columns again for each row. */
function prepareStatement(connection: DatabaseSync, text: string): RunStatement {
  const statement = connection.prepare(text);
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  const names = statement.columns().map(({ name }) => name);
  // `as`: the setting above makes each row an array.
  return (values) => (statement.all(...values.map(toSqlite)) as unknown as readonly unknown[][]).map((row) => toRow(names, row));
}

function toRow(names: readonly string[], values: readonly unknown[]): Row {
  const row: Record<string, unknown> = {};
  for (const [index, name] of names.entries()) row[name] = values[index];
  return row;
}

function toSqlite(value: PlanValue): string | number | bigint | Uint8Array | null {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return value;
  return JSON.stringify(value);
}

async function runPlan<R>(plan: Plan<R>, run: (query: Query) => Promise<readonly Row[]>): Promise<R> {
  for (let next = plan.next(); ; ) {
    if (next.done) return next.value;
    next = plan.next(await run(next.value));
  }
}

/** Runs a plan in a transaction that is already open. */
export const runPlanOn = <R>(plan: Plan<R>, queries: Queries): Promise<R> =>
  runPlan(plan, async (query) => (canNeverMatch(query) ? [] : queries.query(...toPostgresQuery(query))));

async function runQuery(postgres: Postgres, query: Query): Promise<readonly Row[]> {
  if (canNeverMatch(query)) return [];
  const [statement, values] = toPostgresQuery(query);
  return await (query.name === undefined || query.isBig ? postgres.work(statement, values) : postgres.query(statement, values));
}

/** PostgreSQL can't store a text with a NUL character, so no row can match it. */
const canNeverMatch = ({ text, values }: Query): boolean =>
  /^\s*(?:SELECT|DELETE|UPDATE|WITH RECURSIVE)/.test(text) && values.some(hasNullCharacter);
const hasNullCharacter = (value: PlanValue): boolean => typeof value === 'string' && !isStorableText(value);

const numberedTexts = new Map<string, string>();

/** PostgreSQL writes `?1` as `$1`. */
function toNumberedText(text: string): string {
  const cachedText = numberedTexts.get(text);
  if (cachedText !== undefined) return cachedText;
  const numberedText = text.replaceAll(/\?(\d+)/g, '$$$1');
  numberedTexts.set(text, numberedText);
  return numberedText;
}

function toPostgresQuery({ name, text, values }: Query): [Statement, readonly Value[]] {
  return [{ text: toNumberedText(text), ...(name !== undefined && { name }) }, values.map(toPostgres)];
}

function toPostgres(value: PlanValue): Value {
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  // `as`: all arrays contain texts.
  return Array.isArray(value) ? (value as readonly string[]).filter(isStorableText) : (value as Value);
}

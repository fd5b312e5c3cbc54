/**
 * A store's methods, written once for both databases. A plan yields statements and gets their rows; the embedded database runs a plan in one turn,
 * PostgreSQL in one transaction. Only what the engines write differently is in the `Dialect`.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Queries, Statement, Value } from './postgres/connections.ts';
import type { Postgres } from './postgres/pool.ts';
import { canBeKept, type Row } from './rows.ts';
import type { StepRunner, Steps } from './sqlite/database.ts';

type PlanValue = string | number | bigint | boolean | Uint8Array | null | readonly string[];

/** With a name, it is one that calls wait for: PostgreSQL prepares it, and it must be answered within the time of a call. */
export interface Query extends Statement {
  readonly values: readonly PlanValue[];
  /** One that may carry much, and gets more time. */
  readonly isBig?: true;
}

export type Plan<R> = Generator<Query, R, readonly Row[]>;

export type PlansOf<S> = { readonly [K in keyof S]: S[K] extends (...args: infer A) => Promise<infer R> ? (...args: A) => Plan<R> : never };

/** `text` has parameters `?1`, `?2`, … */
export const sql = (text: string, ...values: readonly PlanValue[]): Query => ({ text, values });
/** For statements on the path of a call. */
export const hot = (name: string, text: string, ...values: readonly PlanValue[]): Query => ({ name, text, values });

/** The same, where it may carry much. */
export const big = (name: string, text: string, ...values: readonly PlanValue[]): Query => ({ name, text, values, isBig: true });

export interface Dialect {
  readonly isShared: boolean;
  /** After a SELECT: keeps other changes away from its rows until the end. */
  readonly lock: string;
  /** The same, and rows that another process has locked are left to it. */
  readonly lockFree: string;
  /** The order in which rows of a table were made. */
  readonly place: string;
  /** The values of a list of texts, for `IN`. */
  list(parameter: string): string;
  /** The same, of numbers that are written as texts. */
  numbers(parameter: string): string;
  /** Milliseconds since 1970 by the clock of the database, unless the parameter has a time. */
  now(parameter: string): string;
}

export const SQLITE: Dialect = {
  isShared: false,
  lock: '',
  lockFree: '',
  place: 'rowid',
  list: (parameter) => `(SELECT value FROM json_each(${parameter}))`,
  numbers: (parameter) => `(SELECT CAST(value AS INTEGER) FROM json_each(${parameter}))`,
  now: (parameter) => `CAST(coalesce(${parameter}, unixepoch('subsec') * 1000) AS INTEGER)`,
};

export const POSTGRES: Dialect = {
  isShared: true,
  lock: 'FOR NO KEY UPDATE',
  lockFree: 'FOR UPDATE SKIP LOCKED',
  place: 'place',
  list: (parameter) => `(SELECT unnest(${parameter}::TEXT[]))`,
  numbers: (parameter) => `(SELECT unnest(${parameter}::TEXT[])::BIGINT)`,
  // That of one machine may be wrong, and would count for all.
  now: (parameter) => `coalesce(${parameter}::BIGINT, (extract(epoch FROM clock_timestamp()) * 1000)::BIGINT)`,
};

interface SqlitePlace {
  /** For reads: it sees committed data, and waits for no writer. */
  readonly connection: DatabaseSync;
  // biome-ignore lint/suspicious/noExplicitAny: the runner of the gateway has the steps of all rooms.
  readonly steps: Pick<StepRunner<any>, 'run'>;
}

export interface Room<S> {
  /** Prepares the steps that the writing thread runs. */
  readonly steps: (connection: DatabaseSync) => Steps;
  onSqlite(place: SqlitePlace): S;
  onPostgres(postgres: Postgres): S;
}

interface Kinds<S> {
  readonly reads: readonly (keyof S)[];
  /** Changes that need no transaction around their statements: there is one, or each is right without the next. */
  readonly noTransaction?: readonly (keyof S)[];
  /** For each statement of a change, where the usual time is too short for PostgreSQL. */
  readonly mostMs?: Partial<Record<keyof S, number>>;
  /** Memory of the arguments that is handed to the thread without a copy. Absent: all is copied. */
  readonly given?: (method: keyof S, args: readonly unknown[]) => readonly ArrayBuffer[];
}

type Method = (...args: readonly unknown[]) => Plan<unknown>;

/** `name`: of its steps in the writing thread. What is not named in `kinds` is a change in one transaction. */
export function openRoom<S extends object>(
  name: string,
  { reads, noTransaction = [], mostMs = {}, given }: Kinds<S>,
  plans: (db: Dialect) => PlansOf<S>,
): Room<S> {
  // `as`: a list of methods whose types fit each other name by name.
  const methodsOf = (db: Dialect) => Object.entries(plans(db)) as [keyof S & string, Method][];
  const storeOf = (db: Dialect, run: (method: keyof S & string, plan: Method) => (...args: readonly unknown[]) => Promise<unknown>): S =>
    Object.fromEntries(methodsOf(db).map(([method, plan]) => [method, run(method, plan)])) as S;
  return {
    steps(connection) {
      const run = runnerOn(connection);
      const changes = methodsOf(SQLITE).filter(([method]) => !reads.includes(method));
      return Object.fromEntries(changes.map(([method, plan]) => [`${name}.${method}`, (args: readonly unknown[]) => run(plan(...args))]));
    },
    onSqlite({ connection, steps }) {
      const run = runnerOn(connection);
      return storeOf(SQLITE, (method, plan) =>
        reads.includes(method)
          ? async (...args) => run(plan(...args))
          : (...args) => steps.run(`${name}.${method}`, args, given?.(method, args)),
      );
    },
    onPostgres: (postgres) =>
      storeOf(POSTGRES, (method, plan) => {
        const isLoose = reads.includes(method) || noTransaction.includes(method);
        if (isLoose) return (...args) => drive(plan(...args), (query) => ask(postgres, query));
        return (...args) => postgres.transaction('write', (queries) => driveOn(plan(...args), queries), mostMs[method]);
      }),
  };
}

const statements = new WeakMap<DatabaseSync, Map<string, StatementSync>>();

/** Runs plans on one connection; none of them begins or ends a transaction. */
export function runnerOn(connection: DatabaseSync): <R>(plan: Plan<R>) => R {
  const prepared = statements.get(connection) ?? new Map<string, StatementSync>();
  statements.set(connection, prepared);
  const prepare = (text: string): StatementSync => {
    const statement = connection.prepare(text);
    statement.setReadBigInts(true);
    prepared.set(text, statement);
    return statement;
  };
  return (plan) => {
    for (let next = plan.next(); ; ) {
      if (next.done) return next.value;
      const { text, values } = next.value;
      next = plan.next((prepared.get(text) ?? prepare(text)).all(...values.map(toSqlite)));
    }
  };
}

function toSqlite(value: PlanValue): string | number | bigint | Uint8Array | null {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return value;
  return JSON.stringify(value);
}

/** Runs a plan, statement by statement. */
async function drive<R>(plan: Plan<R>, run: (query: Query) => Promise<readonly Row[]>): Promise<R> {
  for (let next = plan.next(); ; ) {
    if (next.done) return next.value;
    next = plan.next(await run(next.value));
  }
}

/** In a transaction that is open already. */
export const driveOn = <R>(plan: Plan<R>, queries: Queries): Promise<R> =>
  drive(plan, async (query) => (findsNothing(query) ? [] : queries.query(...translated(query))));

async function ask(postgres: Postgres, query: Query): Promise<readonly Row[]> {
  if (findsNothing(query)) return [];
  const [statement, values] = translated(query);
  return await (query.name === undefined || query.isBig ? postgres.work(statement, values) : postgres.query(statement, values));
}

/** PostgreSQL cannot store a text with a zero character, so nothing is found by it. */
const findsNothing = ({ text, values }: Query): boolean => /^\s*(?:SELECT|DELETE|UPDATE|WITH RECURSIVE)/.test(text) && values.some(hasZero);
const hasZero = (value: PlanValue): boolean => typeof value === 'string' && !canBeKept(value);

const texts = new Map<string, string>();

/** `?1` is `$1` there. */
function numbered(text: string): string {
  const known = texts.get(text);
  if (known !== undefined) return known;
  const made = text.replaceAll(/\?(\d+)/g, '$$$1');
  texts.set(text, made);
  return made;
}

function translated({ name, text, values }: Query): [Statement, readonly Value[]] {
  return [{ text: numbered(text), ...(name !== undefined && { name }) }, values.map(toPostgres)];
}

function toPostgres(value: PlanValue): Value {
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  // `as`: the only arrays are those of texts.
  return Array.isArray(value) ? (value as readonly string[]).filter(canBeKept) : (value as Value);
}

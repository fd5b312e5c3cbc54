/** The audit log: the entry about a change is written in the transaction that makes the change. */
import { StorageError } from './errors.ts';
import { type Plan, sql } from './plan.ts';
import type { Row } from './rows.ts';

/** `details` contains no secret. */
export interface AuditEntry {
  readonly actor: string;
  /** `key.create`, `account.edit`, … */
  readonly action: string;
  /** ID of the changed object. */
  readonly target: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly at: number;
}

/** Writes money as a string of digits, because a JSON number would lose precision. */
export const formatDetails = (details: AuditEntry['details']): string =>
  JSON.stringify(details, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value));

const ADD_ENTRY = 'INSERT INTO audit (actor, action, target, details, created_at) VALUES (?1, ?2, ?3, ?4, ?5)';

export function* writeAudit({ actor, action, target, details, at }: AuditEntry): Plan<void> {
  yield sql(ADD_ENTRY, actor, action, target, formatDetails(details), at);
}

/** A parameter that both databases accept. */
export type ReadValue = string | number | bigint | null;

/** Runs a SQL query with parameters `?1`, `?2`, … */
export type Read = (sql: string, values: readonly ReadValue[]) => Promise<readonly Row[]>;

const MAX_CONCURRENT_READS = 2;
const MAX_PENDING_READS = 32;
const MAX_READ_MS = 5_000;

/** A query that times out rejects immediately, but keeps its slot until it has finished. */
export function limitReads(read: Read, maxMs = MAX_READ_MS): Read {
  let runningCount = 0;
  const queue: (() => void)[] = [];
  const startNext = (): void => {
    runningCount--;
    queue.shift()?.();
  };
  return async (sql, values) => {
    if (runningCount >= MAX_CONCURRENT_READS) {
      if (queue.length >= MAX_PENDING_READS) throw createSlowQueryError();
      await new Promise<void>((resolve) => queue.push(resolve));
    }
    runningCount++;
    const result = read(sql, values);
    void result.then(startNext, startNext);
    return await withDeadline(result, maxMs);
  };
}

async function withDeadline<T>(work: Promise<T>, maxMs: number): Promise<T> {
  const deadline = Promise.withResolvers<never>();
  const timer = setTimeout(() => deadline.reject(createSlowQueryError()), maxMs).unref();
  try {
    return await Promise.race([work, deadline.promise]);
  } finally {
    clearTimeout(timer);
  }
}

const createSlowQueryError = (): StorageError => new StorageError('The query takes too long. Use a shorter time range or fewer rows.');

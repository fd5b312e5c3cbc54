/** The audit log: the entry about a change is written in the transaction that makes the change. */
import { StorageError } from './errors.ts';
import { type Plan, sql } from './plan.ts';
import type { Row } from './rows.ts';

/** `details` holds no secret. */
export interface AuditEntry {
  readonly actor: string;
  /** `key.create`, `account.edit`, … */
  readonly action: string;
  /** Id of what was changed. */
  readonly target: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly at: number;
}

/** A change with its audit entry; absent when the gateway itself made the change. */
export interface Audited {
  readonly audit?: AuditEntry | undefined;
}

/** Money is written as a string of digits: a JSON number would lose some. */
export const detailsText = (details: AuditEntry['details']): string =>
  JSON.stringify(details, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value));

const INSERT = 'INSERT INTO audit (actor, action, target, details, created_at) VALUES (?1, ?2, ?3, ?4, ?5)';

export function* writeAudit({ actor, action, target, details, at }: AuditEntry): Plan<void> {
  yield sql(INSERT, actor, action, target, detailsText(details), at);
}

/** A parameter that both databases take. */
export type ReadValue = string | number | bigint | null;

/** A question in SQL, with parameters `?1`, `?2`, … */
export type Read = (sql: string, values: readonly ReadValue[]) => Promise<readonly Row[]>;

const MAX_AT_ONCE = 2;
const MAX_IN_LINE = 32;
const MAX_MS = 5_000;

/** A question that took too long is answered with an error, and keeps its place until it has really ended. */
export function shareReads(read: Read, longestMs = MAX_MS): Read {
  let running = 0;
  const line: (() => void)[] = [];
  const next = (): void => {
    running--;
    line.shift()?.();
  };
  return async (sql, values) => {
    if (running >= MAX_AT_ONCE) {
      if (line.length >= MAX_IN_LINE) throw tooSlow();
      await new Promise<void>((resolve) => line.push(resolve));
    }
    running++;
    const reading = read(sql, values);
    void reading.then(next, next);
    return await endingBy(reading, longestMs);
  };
}

async function endingBy<T>(work: Promise<T>, longestMs: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(tooSlow()), longestMs).unref();
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

const tooSlow = (): StorageError => new StorageError('The query takes too long. Use a shorter time range or fewer rows.');

export const MAX_SWEPT = 100;

/** Classifies failures of PostgreSQL: which are failures of the store, which may be retried, and which make a connection unusable (F52). */
import { StorageError } from '../errors.ts';
import { LateError } from './deadline.ts';

/** The SQLSTATE of an error of PostgreSQL, five characters. Codes of the operating system (EPIPE) have no digit. */
export function sqlState(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^(?=.*\d)[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';
/** The server does not know a prepared statement, or has one of this name already. */
const NAME_UNKNOWN = '26000';
const NAME_TAKEN = '42P05';

/** The statement was prepared on another connection. Nothing was done. */
export function isUnknownStatement(error: unknown): boolean {
  const state = sqlState(causeOf(error));
  return state === NAME_UNKNOWN || state === NAME_TAKEN;
}

/** A transient failure: the same step may succeed when it is retried. */
export function isTransient(error: unknown): boolean {
  const state = sqlState(causeOf(error));
  return state === SERIALIZATION_FAILURE || state === DEADLOCK || isUnknownStatement(error);
}

const LOCK_NOT_AVAILABLE = '55P03';

/** Another transaction held the lock for longer than the step waits. */
export const isLocked = (error: unknown): boolean => sqlState(causeOf(error)) === LOCK_NOT_AVAILABLE;

const STATEMENT_TIMEOUT = '57014';

/** The step might have succeeded with more time. */
export const timedOut = (error: unknown): boolean => error instanceof LateError || sqlState(causeOf(error)) === STATEMENT_TIMEOUT;

const UNIQUE_VIOLATION = '23505';

/** Another row has the unique value. */
export const isTaken = (error: unknown): boolean => sqlState(error) === UNIQUE_VIOLATION;

const READ_ONLY = '25006';
/** Invalid data, violated constraints and errors of our own functions: the step was wrong, not the store. */
const stepErrors = /^(?:22|23|P0)/;
/**
 * PostgreSQL answered, and the connection is still usable. Exceptions need a new connection: a server that stops or became read-only (57P, 25006),
 * and a prepared statement whose tables a newer version has changed (0A000).
 */
const keepsConnection = /^(?!08|0A000|25006|57P)/;

/** The error that the caller of the store gets. */
export function asFailure(error: unknown): unknown {
  const state = sqlState(error);
  if (error instanceof StorageError || (state !== undefined && stepErrors.test(state))) return error;
  const reason = error instanceof Error && error.message !== '' ? error.message : String(sqlState(error) ?? error);
  const advice = state === READ_ONLY ? 'Point DATABASE_URL at the primary.' : 'Check DATABASE_URL and the server.';
  // The fields of the original error may contain sent data, which must not be logged.
  return new StorageError(`PostgreSQL failed: ${reason}. ${advice}`, { cause: { code: state, message: reason } });
}

/** Whether the connection on which this happened must not be used again. */
export function breaksConnection(error: unknown): boolean {
  if (!(error instanceof StorageError)) return false;
  const state = sqlState(causeOf(error));
  return state === undefined || !keepsConnection.test(state);
}

/** The cause of a StorageError, as an error so that `sqlState` can read its code. */
function causeOf(error: unknown): unknown {
  if (!(error instanceof StorageError)) return error;
  return Object.assign(new Error(error.message), error.cause);
}

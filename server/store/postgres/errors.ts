/** Classifies errors of PostgreSQL: what they mean for the caller, the statement, and the connection. */

import { toFields } from '../../primitives/fields.ts';
import { StorageError } from '../errors.ts';
import { PostgresTimeoutError } from './deadlines.ts';

/**
 * Returns the SQLSTATE of a PostgreSQL error, or of the cause of a StorageError: five characters. Error codes of the operating system
 * (EPIPE) have no digit.
 */
export function getSqlState(error: unknown): string | undefined {
  const { code } = toFields(error instanceof StorageError ? error.cause : error);
  return typeof code === 'string' && /^(?=.*\d)[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

const SERIALIZATION_FAILURE = '40001';

const DEADLOCK = '40P01';

/** The server doesn't have the prepared statement, or already has one with this name. */
const UNKNOWN_STATEMENT_NAME = '26000';

const DUPLICATE_STATEMENT_NAME = '42P05';

/** Whether the statement was prepared on another connection. The statement had no effect. */
export function isUnknownStatement(error: unknown): boolean {
  const state = getSqlState(error);
  return state === UNKNOWN_STATEMENT_NAME || state === DUPLICATE_STATEMENT_NAME;
}

/** Whether a retry of the same step may succeed. */
export function isTransient(error: unknown): boolean {
  const state = getSqlState(error);
  return state === SERIALIZATION_FAILURE || state === DEADLOCK || isUnknownStatement(error);
}

const LOCK_NOT_AVAILABLE = '55P03';

/** Whether another transaction held the lock for longer than the step waits. */
export const isLockTimeout = (error: unknown): boolean => getSqlState(error) === LOCK_NOT_AVAILABLE;

const STATEMENT_TIMEOUT = '57014';

/** Whether the step might have succeeded with more time. */
export const isTimeout = (error: unknown): boolean => error instanceof PostgresTimeoutError || getSqlState(error) === STATEMENT_TIMEOUT;

const UNIQUE_VIOLATION = '23505';

/** Whether another row has the unique value. */
export const isUniqueViolation = (error: unknown): boolean => getSqlState(error) === UNIQUE_VIOLATION;

const READ_ONLY_TRANSACTION = '25006';

/** Invalid data, violated constraints, and errors of our own functions. The step was wrong, not the store. */
const statementErrorPattern = /^(?:22|23|P0)/;

/**
 * PostgreSQL responded, and the connection is still usable. Some errors need a new connection:
 * a server that stops or became read-only (57P, 25006), and a prepared statement whose tables a newer version has changed (0A000).
 */
const connectionKeptPattern = /^(?!08|0A000|25006|57P)/;

/** Converts an error to the one that the store's caller gets. */
export function toStoreError(error: unknown): unknown {
  const state = getSqlState(error);
  if (error instanceof StorageError || (state !== undefined && statementErrorPattern.test(state))) return error;
  const reason = error instanceof Error && error.message !== '' ? error.message : String(getSqlState(error) ?? error);
  const advice = state === READ_ONLY_TRANSACTION ? 'Point DATABASE_URL at the primary.' : 'Check DATABASE_URL and the server.';
  // The original error's fields may contain request data, which must not be logged.
  return new StorageError(`PostgreSQL failed: ${reason}. ${advice}`, { cause: { code: state, message: reason } });
}

/** Whether the connection must not be used again after this error. */
export function breaksConnection(error: unknown): boolean {
  if (!(error instanceof StorageError)) return false;
  const state = getSqlState(error);
  return state === undefined || !connectionKeptPattern.test(state);
}

/** What goes wrong between this process and PostgreSQL: which failures are the store's own, which may be tried again, which spoil a connection (F52). */
import { StorageError } from '../errors.ts';
import { LateError } from './deadline.ts';

/** PostgreSQL's five characters, where it said something. The system's own (EPIPE) have no digit. */
export function sqlState(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^(?=.*\d)[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';
/** A prepared statement that the server does not know, and one that it has already. */
const NAME_UNKNOWN = '26000';
const NAME_TAKEN = '42P05';

/** The connection is not the one on which the statement was prepared. Nothing was done. */
export function isForgotten(error: unknown): boolean {
  const state = sqlState(causeOf(error));
  return state === NAME_UNKNOWN || state === NAME_TAKEN;
}

/** It was nobody's fault: the same step finds its way a moment later. */
export function isPassing(error: unknown): boolean {
  const state = sqlState(causeOf(error));
  return state === SERIALIZATION_FAILURE || state === DEADLOCK || isForgotten(error);
}

const LOCK_NOT_AVAILABLE = '55P03';

/** Somebody else holds what the step needs, and for longer than it waits. */
export const isLocked = (error: unknown): boolean => sqlState(causeOf(error)) === LOCK_NOT_AVAILABLE;

const STATEMENT_TIMEOUT = '57014';

/** With more time it might have succeeded. */
export const lackedTime = (error: unknown): boolean => error instanceof LateError || sqlState(causeOf(error)) === STATEMENT_TIMEOUT;

const UNIQUE_VIOLATION = '23505';

/** Another row has what only one may have. */
export const isTaken = (error: unknown): boolean => sqlState(error) === UNIQUE_VIOLATION;

const READ_ONLY = '25006';
/** Data that no column takes, rows that a constraint forbids, and what our own triggers raise: the step was wrong, not the store. */
const ofTheStep = /^(?:22|23|P0)/;
/**
 * PostgreSQL answered, and the connection goes on. What became of a server that stops or only reads shows on a new one; and only there can a
 * statement be prepared again whose tables a newer version changed (0A000).
 */
const goesOn = /^(?!08|0A000|25006|57P)/;

/** As the caller of the store is to see it. */
export function asFailure(error: unknown): unknown {
  const state = sqlState(error);
  if (error instanceof StorageError || (state !== undefined && ofTheStep.test(state))) return error;
  const reason = error instanceof Error && error.message !== '' ? error.message : String(sqlState(error) ?? error);
  const advice = state === READ_ONLY ? 'Point DATABASE_URL at the primary.' : 'Check DATABASE_URL and the server.';
  // Its fields may hold what was sent, which is nothing for a log.
  return new StorageError(`PostgreSQL failed: ${reason}. ${advice}`, { cause: { code: state, message: reason } });
}

/** Whether nothing more is to be sent over the connection on which this happened. */
export function isSpoiled(error: unknown): boolean {
  if (!(error instanceof StorageError)) return false;
  const state = sqlState(causeOf(error));
  return state === undefined || !goesOn.test(state);
}

/** The failure below ours, dressed as an error so that its code can be read. */
function causeOf(error: unknown): unknown {
  if (!(error instanceof StorageError)) return error;
  return Object.assign(new Error(error.message), error.cause);
}

/** A circuit breaker that silence opens and any answer closes: it distinguishes a server that hangs from a slow one (docs/decisions/0014, F52). */

import { Socket } from 'node:net';
import { Client, type ClientConfig } from 'pg';
import { openSharedTimeout } from '../../primitives/shared-timeout.ts';
import { StorageError } from '../errors.ts';

interface BreakerOptions {
  /** How long a step of a call may take. */
  readonly timeoutMs: number;
  /** Asks the server for any answer, over a connection of its own; calls `noteAnswer` when one comes. Resolves when the probe has ended. */
  readonly probe: () => Promise<void>;
  /** Called when the breaker opens and when it closes. */
  readonly changed?: (isHung: boolean) => void;
}

const MAX_BETWEEN_PROBES_MS = 250;
/** Probes within the timeout of a step: the first one is answered long before the timeout. */
const PROBES_IN_TIME = 4;

export class Breaker {
  readonly #options: BreakerOptions;
  #isOpen = false;
  #isEnded = false;
  #isProbing = false;
  /** Steps that are waiting for an answer. */
  #waiting = 0;
  /** All answers so far: when the number is unchanged, there was no answer in between. */
  #answers = 0;
  #answersBefore = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: BreakerOptions) {
    this.#options = options;
  }

  /** The server hangs: nothing may be sent. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  refuse(): HungError {
    return new HungError(this.#options.timeoutMs);
  }

  /** Runs a step of a call. When it times out, and no connection had an answer in all that time, the server hangs. */
  async watch<T>(step: () => Promise<T>): Promise<T> {
    if (this.#isOpen) throw this.refuse();
    const answersBefore = this.#answers;
    this.#waiting++;
    this.#startTimer();
    try {
      return await step();
    } catch (error) {
      if (error instanceof LateError && this.#answers === answersBefore) this.#open();
      throw error;
    } finally {
      this.#waiting--;
    }
  }

  /** The server has answered on some connection. */
  noteAnswer(): void {
    this.#answers++;
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#options.changed?.(false);
  }

  end(): void {
    this.#isEnded = true;
    clearInterval(this.#timer);
  }

  #open(): void {
    if (this.#isOpen || this.#isEnded) return;
    this.#isOpen = true;
    this.#options.changed?.(true);
    this.#startTimer();
  }

  #startTimer(): void {
    if (this.#timer !== undefined || this.#isEnded) return;
    this.#answersBefore = this.#answers;
    const { timeoutMs } = this.#options;
    this.#timer = setInterval(() => this.#tick(), Math.min(MAX_BETWEEN_PROBES_MS, timeoutMs / PROBES_IN_TIME)).unref();
  }

  #tick(): void {
    const isSilent = this.#answers === this.#answersBefore;
    this.#answersBefore = this.#answers;
    if (this.#waiting > 0 || this.#isOpen) {
      if (isSilent) void this.#probe();
      return;
    }
    // An idle process needs no timer.
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #probe(): Promise<void> {
    if (this.#isProbing) return;
    this.#isProbing = true;
    await this.#options.probe().finally(() => {
      this.#isProbing = false;
    });
  }
}

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

/** The default, the same as in the configuration. */
export const STANDARD_TIMEOUT_MS = 2_000;

export interface Deadlines {
  /** One whole step of a call, with its wait for a connection and its retries. */
  readonly callMs: number;
  /** Silence after which a new connection is closed. Longer than a step of a call: a connection that is late for one step serves later ones. */
  readonly connectMs: number;
  /** PostgreSQL's own timeout for a statement of a call: shorter than `callMs`, so that the outcome is known and the connection stays usable. */
  readonly statementMs: number;
  /** The wait for a lock. It must fit twice, because a step that met a lock is retried. */
  readonly lockMs: number;
  /** Each statement of a step that no call waits for, or that transfers much data. */
  readonly workMs: number;
}

const SHARE_OF_LOCK = 0.45;
const CONNECT_SLACK_MS = 1_000;
const MIN_WORK_MS = 20_000;

export function deadlinesFor(timeoutMs: number): Deadlines {
  const lockMs = Math.floor(timeoutMs * SHARE_OF_LOCK);
  return {
    callMs: timeoutMs,
    connectMs: timeoutMs + CONNECT_SLACK_MS,
    statementMs: 2 * lockMs,
    lockMs,
    workMs: Math.max(MIN_WORK_MS, timeoutMs),
  };
}

/** It is unknown whether the server has run the statement. */
export class LateError extends StorageError {
  constructor(ms: number) {
    super(`PostgreSQL didn't respond within ${Math.round(ms)} ms. Check the server and its locks.`);
  }
}

/** Nothing was sent, because the server hangs. */
export class HungError extends StorageError {
  constructor(ms: number) {
    super(`PostgreSQL hangs: it hasn't responded for ${ms} ms, and nothing is sent until it does. Check the server and the network to it.`);
  }
}

export const TICK_MS = 50;
/** `setImmediate`: after the process was suspended, answers that have arrived are read before timeouts are decided. */
export const withTimeout = openSharedTimeout(TICK_MS, setImmediate);

/** Rejects when the work takes longer than `ms`; the work continues. `allMs`: the time that the error names, when some of it was spent before. */
export const inTime = <T>(work: Promise<T>, ms: number, allMs = ms): Promise<T> => withTimeout(work, ms, () => new LateError(allMs));

interface Silence {
  /** The longest silence. */
  readonly mostMs: number;
  /** Sockets that are open or opening. */
  readonly sockets: Set<Socket>;
}

/** A class, because the pool makes its clients itself. */
export const clientWithTimeouts = ({ mostMs, sockets }: Silence) =>
  class ImpatientClient extends Client {
    readonly #socket: Socket;

    constructor(config?: string | ClientConfig) {
      const socket = new Socket();
      super({ ...asConfig(config), stream: () => socket });
      this.#socket = socket.setTimeout(mostMs, () => socket.destroy());
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    }

    /** After the log-in silence is normal: statements may be slow, and connections idle. */
    disableTimeout(): void {
      this.#socket.setTimeout(0);
    }
  };

const asConfig = (config: string | ClientConfig | undefined): ClientConfig | undefined =>
  typeof config === 'string' ? { connectionString: config } : config;

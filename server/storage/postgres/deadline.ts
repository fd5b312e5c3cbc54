/** How long anyone waits for PostgreSQL: a server that hangs is left to itself, so that a caller hears of it within half a second (F52). */
import { StorageError } from '../errors.ts';

/** All of one step on the way of a call, with its wait for a connection and its repetitions. */
export const callMs = 420;
/** A new connection may take longer than the step that asked for it: it is there for the next ones. */
export const connectMs = 2_000;
/** What PostgreSQL itself gives up after, on a call's way: sooner than we do, so that its answer is known and the connection stays. */
export const statementMs = 320;
/** Twice, since one that gathered with others is tried again alone. */
export const lockMs = 180;
/** Whoever was late on our own clock asks again only where the server still speaks: what is left of the half second shows that. */
export const signOfLifeMs = 60;
/** Steps that nobody waits for, or that carry much: each statement of them. */
export const workMs = 20_000;

/** Nobody knows what the server made of it. */
export class LateError extends StorageError {
  constructor(ms: number) {
    super(`PostgreSQL did not answer within ${Math.round(ms)} ms. Check the server and its locks.`);
  }
}

/** Rejects where the work takes longer, and lets it run. What came in while this process was busy itself is read first, and counts. */
export function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const tooLate = () => reject(new LateError(ms));
    const timer = setTimeout(() => setImmediate(tooLate), Math.max(ms, 1));
    work.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}

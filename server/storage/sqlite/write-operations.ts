/** Steps on the embedded database that a thread of its own takes, so that no commit ever holds up a stream. */
import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from './transaction.ts';

/** A step takes one argument that can be cloned, and returns what can be cloned. It runs inside a transaction that others may share. */
export type Step = (argument: never) => unknown;
export type Steps = Readonly<Record<string, Step>>;
/** Prepares its statements once and gives its steps. */
export type OpenSteps<S extends Steps> = (connection: DatabaseSync) => S;

/** Runs steps by name, in the order in which they were asked for; a promise is kept only after the commit. */
export interface StepRunner<S extends Steps> {
  /** `given`: memory of the argument that goes to the writer without a copy; nobody reads it here any more. */
  run<K extends keyof S & string>(name: K, argument: Parameters<S[K]>[0], given?: readonly ArrayBuffer[]): Promise<ReturnType<S[K]>>;
  close(): Promise<void>;
}

/** For commands and tests, which have no stream to hold up: each step at once, in a transaction of its own on this connection. */
export function runHere<S extends Steps>(connection: DatabaseSync, openSteps: OpenSteps<S>): StepRunner<S> {
  const steps = openSteps(connection);
  const runner: StepRunner<S> = {
    // The compiler does not see that one name gives both the argument and the result.
    run: async (name, argument) => inTransaction(connection, () => steps[name]?.(argument as never)) as never,
    close: async () => undefined,
  };
  return runner;
}

type Joined<R extends readonly unknown[]> = R extends readonly [infer First, ...infer Rest] ? First & Joined<Rest> : unknown;

/** The steps of several rooms as one table, in which no name is taken twice. */
export function joinSteps<R extends readonly OpenSteps<Steps>[]>(
  ...rooms: R
): (connection: DatabaseSync) => Joined<{ [I in keyof R]: ReturnType<R[I]> }> {
  return (connection) => {
    const joined: Record<string, Steps[string]> = {};
    for (const [name, step] of rooms.flatMap((open) => Object.entries(open(connection)))) {
      if (Object.hasOwn(joined, name)) throw new TypeError(`Two rooms have a step '${name}'.`);
      joined[name] = step;
    }
    // It holds the entries of every one of them, and nothing else.
    return joined as Joined<{ [I in keyof R]: ReturnType<R[I]> }>;
  };
}

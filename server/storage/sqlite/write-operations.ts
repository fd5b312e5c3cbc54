/** The steps that write to the embedded database. A thread of its own runs them, so that commits do not delay streams. */
import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from './transaction.ts';

/** A step takes one argument and returns one value, both of which can be cloned. It runs inside a transaction that other steps may share. */
export type Step = (argument: never) => unknown;
export type Steps = Readonly<Record<string, Step>>;
/** Prepares the statements once and returns the steps. */
export type OpenSteps<S extends Steps> = (connection: DatabaseSync) => S;

/** Runs steps by name, in the order of the calls; a promise resolves only after the commit. */
export interface StepRunner<S extends Steps> {
  /** `given`: memory of the argument that is transferred to the writer without a copy; the caller must not read it afterwards. */
  run<K extends keyof S & string>(name: K, argument: Parameters<S[K]>[0], given?: readonly ArrayBuffer[]): Promise<ReturnType<S[K]>>;
  close(): Promise<void>;
}

/** For commands and tests, which have no streams to delay: runs each step at once, in a transaction of its own on this connection. */
export function runHere<S extends Steps>(connection: DatabaseSync, openSteps: OpenSteps<S>): StepRunner<S> {
  const steps = openSteps(connection);
  const runner: StepRunner<S> = {
    // The compiler cannot see that the argument and the result belong to the same name.
    run: async (name, argument) => inTransaction(connection, () => steps[name]?.(argument as never)) as never,
    close: async () => undefined,
  };
  return runner;
}

type Joined<R extends readonly unknown[]> = R extends readonly [infer First, ...infer Rest] ? First & Joined<Rest> : unknown;

/** Joins the steps of several folders into one table; throws when a name occurs twice. */
export function joinSteps<R extends readonly OpenSteps<Steps>[]>(
  ...rooms: R
): (connection: DatabaseSync) => Joined<{ [I in keyof R]: ReturnType<R[I]> }> {
  return (connection) => {
    const joined: Record<string, Steps[string]> = {};
    for (const [name, step] of rooms.flatMap((open) => Object.entries(open(connection)))) {
      if (Object.hasOwn(joined, name)) throw new TypeError(`Two rooms have a step '${name}'.`);
      joined[name] = step;
    }
    // It holds exactly the entries of all of them.
    return joined as Joined<{ [I in keyof R]: ReturnType<R[I]> }>;
  };
}

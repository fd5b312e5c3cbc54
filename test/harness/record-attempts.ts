/** Records how many attempts a test made for a promise and how many were lost. `promise-report.ts` adds them up. */
import { TestRunner } from 'vitest';

/** The numbers of docs/promises.md. */
export type PromiseId = `G${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15}`;

export interface Attempted {
  /** What was tried, in the plural: `calls at once against money for fewer`. Counts with equal text are added up. */
  readonly what: string;
  /** The number that every run reaches, however busy the machine is (docs/decisions/0036). */
  readonly times: number;
  /** The number that was lost. Absent: the test has checked each of them, and none was lost. */
  readonly lost?: number;
}

export interface AttemptRecord extends Required<Attempted> {
  readonly promise: PromiseId;
}

declare module 'vitest' {
  interface TaskMeta {
    tallies?: AttemptRecord[];
  }
}

/** Records attempts. Call it after the last check of a test, so that a failed test records nothing. */
export function recordAttempts(promises: PromiseId | readonly PromiseId[], { what, times, lost = 0 }: Attempted): void {
  const test = TestRunner.getCurrentTest();
  if (!test) throw new Error('only a test that runs can have tried something');
  const named = typeof promises === 'string' ? [promises] : promises;
  // Vitest sends `meta` from the test's process to the reporters.
  test.meta.tallies = [...(test.meta.tallies ?? []), ...named.map((promise) => ({ promise, what, times, lost }))];
}

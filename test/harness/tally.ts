/** Where a test says what it tried for one of the promises, how often, and what was lost; the page of promises is written from it. */
import { TestRunner } from 'vitest';
import type { PromiseId } from '../meta/promises/promises.ts';

export interface Tried {
  /** Things by the plural: `calls at once against money for fewer`. The same words of several tests are added up. */
  readonly what: string;
  /** As many as each run is sure of, however busy the machine is (docs/decisions/0052). */
  readonly times: number;
  /** What the checks counted as lost. A test that says nothing checked each of them before it came here. */
  readonly lost?: number;
}

export interface Tally extends Required<Tried> {
  readonly promise: PromiseId;
}

declare module 'vitest' {
  interface TaskMeta {
    tallies?: Tally[];
  }
}

/** Stands behind the last check of a test, so that a test that fails has tried nothing. */
export function tried(promises: PromiseId | readonly PromiseId[], { what, times, lost = 0 }: Tried): void {
  const test = TestRunner.getCurrentTest();
  if (!test) throw new Error('only a test that runs can have tried something');
  const named = typeof promises === 'string' ? [promises] : promises;
  // What is in `meta` reaches the reporters from whichever process the test runs in.
  test.meta.tallies = [...(test.meta.tallies ?? []), ...named.map((promise) => ({ promise, what, times, lost }))];
}

/** Which code is changed, which tests have to notice it, and what the program and its runner tell each other. */
import { globSync } from 'node:fs';
import { join } from 'node:path';

/** What the runner has to do; it is passed in a file. */
export interface Job {
  readonly targets: readonly string[];
  readonly tests: readonly string[];
  /** Names of tests that cannot be repeated. */
  readonly leftOut: readonly string[];
  /** Mutants that need no more tests. */
  readonly ended: readonly number[];
  /** Of earlier starts: tests, and the mutants that they did not notice. */
  readonly tried: readonly (readonly [string, readonly number[]])[];
  /** A test that takes longer is not repeated. */
  readonly maxMs: number;
  readonly notes: string;
}

/** A line that the runner writes as soon as something happens, because a mutant may end it. */
export type Note =
  | { readonly kind: 'try' | 'reached' | 'lived' | 'killed'; readonly test: string; readonly mutant: number }
  | { readonly kind: 'failing' | 'slow' | 'unrepeatable' | 'spoilt' | 'done'; readonly test: string }
  | { readonly kind: 'broken'; readonly test: string; readonly why: string }
  | { readonly kind: 'started'; readonly pid: number };

/** A test hangs when it takes so much longer than without a mutant. */
export const HANG_FACTOR = 5;
export const HANG_MS = 2_000;

interface Area {
  readonly targets: readonly string[];
  readonly tests: readonly string[];
}

const root = join(import.meta.dirname, '../../..');

const areas: readonly Area[] = [
  {
    targets: [
      'server/money/{cost,find-price,hold,hold-range,measured-usage,metered-reader,money,prices,receipt,recent-subscriptions,recovery,usage-ceiling}.ts',
    ],
    tests: ['test/unit/money/{measured-usage,metering-cut-off,recovery,usage-ceiling}.test.ts', 'test/unit/money/*.test.ts'],
  },
  {
    targets: ['server/limits/*.ts'],
    tests: [
      'test/unit/limits/windows.test.ts',
      'test/programs/mutations/short-walk.test.ts',
      'test/unit/limits/**/!(model).test.ts',
      'test/stores/limits/{door,limit-use,stores}.test.ts',
    ],
  },
  {
    targets: ['server/limits/redis/*.ts'],
    tests: [
      'test/unit/limits/{redis/*,concurrency-leases,read-cache}.test.ts',
      'test/stores/limits/{limit-use,redis-gather-model,stores-model,stores}.test.ts',
      'test/stores/limits/*.test.ts',
    ],
  },
  {
    // Not what runs in a thread of its own, where no mutant can be switched on.
    targets: [
      'server/money/{decide-hold,in-flight,ledger-batch,ledger-closing,plans,postgres,price-book,reconcile,settle-charge,sqlite}.ts',
    ],
    tests: ['test/unit/money/*.test.ts', 'test/programs/mutations/short-walk.test.ts', 'test/stores/money/!(model).test.ts'],
  },
];

const find = (patterns: readonly string[]): string[] => patterns.flatMap((pattern) => globSync(pattern, { cwd: root }).toSorted());

/** The targets whose paths begin with one of these; all without any. */
export function jobFor(only: readonly string[]): { readonly targets: string[]; readonly tests: string[] } {
  const targets = new Set<string>();
  const tests = new Set<string>();
  for (const area of areas) {
    const chosen = find(area.targets).filter((target) => only.length === 0 || only.some((path) => target.startsWith(path)));
    for (const target of chosen) targets.add(target);
    if (chosen.length > 0) for (const test of find(area.tests)) tests.add(test);
  }
  return { targets: [...targets], tests: [...tests] };
}

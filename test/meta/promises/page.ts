/** The page of promises as text: for each what its tests tried, how often, and what was lost. */
import type { Tally } from '../../harness/tally.ts';
import { numbersIn } from './numbers.ts';
import { type PromiseId, promiseIds, promises } from './promises.ts';

/** One test of a run. */
export interface Ran {
  /** Of the test and of all that it stands in. */
  readonly titles: readonly string[];
  readonly state: 'passed' | 'failed' | 'skipped' | 'pending';
  readonly tallies: readonly Tally[];
  /** From the root of the project. */
  readonly file: string;
}

export interface Run {
  readonly tests: readonly Ran[];
  /** `2026-11-21` */
  readonly date: string;
  /** How many test files were run, of how many. */
  readonly files: { readonly run: number; readonly all: number };
}

const counted = (count: number): string => count.toLocaleString('en-US');

export function writePage({ tests, date, files }: Run): string {
  const { run, all } = files;
  const ran =
    run < all
      ? `${counted(run)} of ${counted(all)} test files, so that what the others try is missing here`
      : `all ${counted(all)} test files`;
  return [
    '# Promises',
    '',
    'Each promise has tests that carry its number in their titles. **Tests** counts them, each case of a table as one, and says how many passed;',
    '**tried** is what they counted themselves while they ran, and **lost** what of it did not come out as promised.',
    '',
    'This page is written by `npm run promises`, from the results of its run; names of test files behind it make that run a part of all.',
    `The last one, on ${date}, ran ${ran}.`,
    '',
    '| | Promise | Tests | Tried | Lost | Where |',
    '|---|---|---|---|---|---|',
    ...promiseIds.map((promise) => lineOf(promise, tests)),
    '',
  ].join('\n');
}

function lineOf(promise: PromiseId, tests: readonly Ran[]): string {
  const named = tests.filter(({ titles }) => titles.flatMap(numbersIn).includes(promise));
  const passed = named.filter(({ state }) => state === 'passed').length;
  const tallies = addUp(tests.flatMap((test) => test.tallies.filter((tally) => tally.promise === promise)));
  const cells = [
    promise,
    promises[promise],
    `${counted(passed)} of ${counted(named.length)} passed`,
    [...tallies].map(([what, { times }]) => `${counted(times)} ${what}`).join('; ') || `${counted(passed)} cases, one a test`,
    lossesOf(named, tallies),
    [...new Set(named.map(({ file }) => `[${file}](../${file})`))].sort().join(', '),
  ];
  return `| ${cells.join(' | ')} |`;
}

interface Sum {
  readonly times: number;
  readonly lost: number;
}

function addUp(tallies: readonly Tally[]): ReadonlyMap<string, Sum> {
  const sums = new Map<string, Sum>();
  for (const { what, times, lost } of tallies) {
    const sum = sums.get(what) ?? { times: 0, lost: 0 };
    sums.set(what, { times: sum.times + times, lost: sum.lost + lost });
  }
  return sums;
}

/** A test that failed lost something, though it cannot say how much; one that was left out shows nothing. */
function lossesOf(named: readonly Ran[], tallies: ReadonlyMap<string, Sum>): string {
  if (named.length === 0) return 'not run';
  const count = (...states: readonly Ran['state'][]): number => named.filter(({ state }) => states.includes(state)).length;
  const losses = [...tallies].filter(([, { lost }]) => lost > 0).map(([what, { lost }]) => `${counted(lost)} ${what}`);
  const failed = count('failed');
  if (failed > 0) losses.push(`tests that failed: ${counted(failed)}`);
  const leftOut = count('skipped', 'pending');
  return `${losses.join('; ') || 'nothing'}${leftOut > 0 ? ` (tests left out: ${counted(leftOut)})` : ''}`;
}

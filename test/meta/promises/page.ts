/** The page of promises as text: a section for each, with what its tests tried, how often, in which lane, and what was lost. */
import type { AttemptRecord } from '../../harness/record-attempts.ts';
import { numbersIn } from './numbers.ts';
import { type PromiseId, promiseIds, promises } from './promises.ts';

/** One test of a run. */
export interface Ran {
  /** Of the test and of all that it stands in. */
  readonly titles: readonly string[];
  readonly state: 'passed' | 'failed' | 'skipped' | 'pending';
  readonly tallies: readonly AttemptRecord[];
  /** From the root of the project. */
  readonly file: string;
}

/** All of one lane. */
export interface LaneRun {
  readonly lane: string;
  /** `2026-11-21` */
  readonly date: string;
  /** A file that runs in two lanes counts in both. */
  readonly files: number;
  /** At least those that a promise is about. */
  readonly tests: readonly Ran[];
}

/** A test with the lane that it ran in. */
interface Placed extends Ran {
  readonly lane: string;
}

const counted = (count: number): string => count.toLocaleString('en-US');
const passedOf = (tests: readonly Ran[]): number => tests.filter(({ state }) => state === 'passed').length;

export function writePage(lanes: readonly LaneRun[]): string {
  const tests = lanes.flatMap(({ lane, tests }) => tests.map((test): Placed => ({ ...test, lane })));
  return [
    '# Promises',
    '',
    'Each promise has tests that carry its number in their titles. A section says how many of them passed, in which lane and file they stand,',
    'what they counted themselves while they ran, and what of it did not come out as promised. `CONTRIBUTING.md` explains the lanes.',
    '',
    '`npm run promises` runs every lane and writes this page; `npm run promises -- --project chaos` tries one lane again and keeps the rest.',
    lastRun(lanes),
    '',
    ...promiseIds.flatMap((promise) => sectionOf(promise, tests)),
  ].join('\n');
}

function lastRun(lanes: readonly LaneRun[]): string {
  const files = lanes.reduce((sum, { files }) => sum + files, 0);
  const dates = [...Map.groupBy(lanes, ({ date }) => date)].sort(([one], [other]) => one.localeCompare(other));
  const days = dates.map(([date, ran]) => (dates.length === 1 ? date : `${date} (${namesOf(ran.map(({ lane }) => lane))})`));
  return `The last run, on ${days.join(' and ')}, ran all ${counted(files)} test files.`;
}

function sectionOf(promise: PromiseId, tests: readonly Placed[]): string[] {
  const named = tests.filter(({ titles }) => titles.flatMap(numbersIn).includes(promise));
  const tallies = addUp(tests.flatMap((test) => test.tallies.filter((tally) => tally.promise === promise)));
  return [
    `## ${promise}`,
    '',
    promises[promise],
    '',
    `${counted(passedOf(named))} of ${counted(named.length)} tests passed. Lost: ${lossesOf(named, tallies)}.`,
    '',
    ...listOf('Tried', triedLines(promise, tests, tallies)),
    ...listOf('Tests', lanesOf(named)),
  ];
}

const listOf = (title: string, lines: readonly string[]): string[] => (lines.length === 0 ? [] : [`${title}:`, '', ...lines, '']);

/** Each sum with the lanes that counted it. */
function triedLines(promise: PromiseId, tests: readonly Placed[], tallies: ReadonlyMap<string, Sum>): string[] {
  return [...tallies].map(([what, { times }]) => {
    const counters = tests.filter((test) => test.tallies.some((tally) => tally.promise === promise && tally.what === what));
    return `- ${counted(times)} ${what} (${namesOf(counters.map(({ lane }) => lane))})`;
  });
}

/** A line for each lane, with its files. */
function lanesOf(named: readonly Placed[]): string[] {
  return [...new Set(named.map(({ lane }) => lane))].sort().map((lane) => {
    const here = named.filter((test) => test.lane === lane);
    const files = namesOf(here.map(({ file }) => `[${file}](../${file})`));
    return `- ${lane}, ${counted(passedOf(here))} of ${counted(here.length)} passed: ${files}`;
  });
}

const namesOf = (names: readonly string[]): string => [...new Set(names)].sort().join(', ');

interface Sum {
  readonly times: number;
  readonly lost: number;
}

function addUp(tallies: readonly AttemptRecord[]): ReadonlyMap<string, Sum> {
  const sums = new Map<string, Sum>();
  for (const { what, times, lost } of tallies) {
    const sum = sums.get(what) ?? { times: 0, lost: 0 };
    sums.set(what, { times: sum.times + times, lost: sum.lost + lost });
  }
  return sums;
}

/** A test that failed lost something, though it cannot say how much; one that was left out shows nothing. */
function lossesOf(named: readonly Ran[], tallies: ReadonlyMap<string, Sum>): string {
  if (named.length === 0) return 'not known, no test was run';
  const count = (...states: readonly Ran['state'][]): number => named.filter(({ state }) => states.includes(state)).length;
  const losses = [...tallies].filter(([, { lost }]) => lost > 0).map(([what, { lost }]) => `${counted(lost)} ${what}`);
  const failed = count('failed');
  if (failed > 0) losses.push(`tests that failed: ${counted(failed)}`);
  const leftOut = count('skipped', 'pending');
  return `${losses.join('; ') || 'nothing'}${leftOut > 0 ? ` (tests left out: ${counted(leftOut)})` : ''}`;
}

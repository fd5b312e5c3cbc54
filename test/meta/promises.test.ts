/** Each promise has tests that carry its number, and a section on the page of promises that says what they tried. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSources, root } from './architecture/sources.ts';
import { rowsInTitles } from './failure-rows/titles.ts';
import { countsOf, shrunkSince } from './promises/counts.ts';
import { type LaneRun, type Ran, writePage } from './promises/page.ts';
import { type PromiseId, promiseIds, promises } from './promises/promises.ts';

const tests = readSources().filter(({ path }) => path.endsWith('.test.ts'));
const titles = rowsInTitles(tests);
const page = readFileSync(join(root, 'docs/promises.md'), 'utf8');

test('every promise has tests with its number, and every number in a test title is that of a promise', () => {
  expect(promiseIds.filter((promise) => !titles.has(promise))).toEqual([]);
  const named = [...titles.keys()].filter((number) => number.startsWith('G'));
  expect(named.filter((number) => !(number in promises))).toEqual([]);
});

test.each(promiseIds)('the section of %s has the text of the promise, and names existing test files with its number', (promise) => {
  const section = sectionOf(page, promise);
  expect(section).toContain(promises[promise]);
  const files = filesIn(section);
  expect(files).not.toEqual([]);
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  const naming = new Set(tests.filter(({ text }) => new RegExp(`\\b${promise}\\b`).test(text)).map(({ path }) => path));
  expect(files.filter((file) => !naming.has(file))).toEqual([]);
});

const sectionOf = (text: string, promise: PromiseId): string =>
  text.split(/^(?=## )/m).find((part) => part.startsWith(`## ${promise}\n`)) ?? '';
const filesIn = (section: string): string[] => [...section.matchAll(/\]\(\.\.\/([^)]+)\)/g)].map(([, file]) => String(file));

function ran(title: string, more: Partial<Ran> = {}): Ran {
  return { titles: ['of many', title], state: 'passed', tallies: [], file: 'test/unit/a.test.ts', ...more };
}
const laneOf = (...tests: readonly Ran[]): LaneRun => ({ lane: 'unit', date: '2026-01-02', files: 1, tests });
const write = (...list: readonly Ran[]): string => writePage([laneOf(...list)]);

test('the page adds up the counts of several tests, and names the lane of each count', () => {
  const tally = { promise: 'G3', what: 'calls', times: 600, lost: 0 } as const;
  const unit = laneOf(ran('F29, G3: one', { tallies: [tally] }), ran('three'));
  const two = ran('G3: two', { tallies: [tally, { ...tally, what: 'looks', times: 2 }], file: 'test/chaos/b.test.ts' });
  const section = sectionOf(writePage([unit, { ...laneOf(two), lane: 'chaos' }]), 'G3');
  expect(section).toContain('2 of 2 tests passed. Lost: nothing.');
  expect(section).toContain('- 1,200 calls (chaos, unit)\n- 2 looks (chaos)\n');
  expect(section).toContain('- chaos, 1 of 1 passed: [test/chaos/b.test.ts](../test/chaos/b.test.ts)\n- unit, 1 of 1 passed: ');
});

test('the page shows every counted loss, failed test, skipped test and promise that was not run', () => {
  const tally = { promise: 'G1', what: 'answers', times: 9, lost: 2 } as const;
  const text = write(ran('G1: a', { tallies: [tally] }), ran('G1: b', { state: 'failed' }), ran('G2: c', { state: 'skipped' }));
  expect(sectionOf(text, 'G1')).toContain('1 of 2 tests passed. Lost: 2 answers; tests that failed: 1.');
  expect(sectionOf(text, 'G2')).toContain('0 of 1 tests passed. Lost: nothing (tests left out: 1).');
  expect(sectionOf(text, 'G4')).toContain('Lost: not known, no test was run.');
});

test('the page says when each lane was run', () => {
  const [unit, chaos] = [laneOf(ran('G1: a')), { ...laneOf(ran('G1: b')), lane: 'chaos' }];
  expect(writePage([unit, chaos])).toContain('The last run, on 2026-01-02, ran all 2 test files.');
  const later = { ...chaos, date: '2026-01-03' };
  expect(writePage([unit, later])).toContain('on 2026-01-02 (unit) and 2026-01-03 (chaos), ran all 2 test files.');
});

test('a count that shrinks from one run to the next is found, and one that grows is not', () => {
  const tally = { promise: 'G3', what: 'calls at once', times: 1_200, lost: 0 } as const;
  const before = write(ran('G3: a', { tallies: [tally] }), ran('G3: b'));
  expect(countsOf(before).get('G3 calls at once')).toBe(1_200);
  expect(shrunkSince(before, before)).toEqual([]);
  expect(shrunkSince(before, write(ran('G3: a', { tallies: [{ ...tally, times: 1_300 }] }), ran('G3: b'), ran('G3: c')))).toEqual([]);
  expect(shrunkSince(before, write(ran('G3: a')))).toEqual(['G3 tests: 2 before, 1 now', 'G3 calls at once: 1200 before, 0 now']);
});

test('a count is found whatever its lanes are called', () => {
  expect(countsOf('## G3\n\n- 12,000 calls (chaos, chaos-shared)\n').get('G3 calls')).toBe(12_000);
});

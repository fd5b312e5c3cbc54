/** Each promise has tests that carry its number, and a line on the page of promises that says what they tried. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { readSources, root } from './architecture/sources.ts';
import { rowsInTitles } from './failure-rows/titles.ts';
import { type Ran, writePage } from './promises/page.ts';
import { type PromiseId, promiseIds, promises } from './promises/promises.ts';

const tests = readSources().filter(({ path }) => path.endsWith('.test.ts'));
const titles = rowsInTitles(tests);
const page = readFileSync(join(root, 'docs/promises.md'), 'utf8');

test.each(promiseIds)('a reader who doubts %s finds its tests by their titles', (promise) => {
  expect([...(titles.get(promise) ?? [])]).not.toEqual([]);
});

test('no test is named after a promise that nobody made', () => {
  const named = [...titles.keys()].filter((number) => number.startsWith('G'));
  expect(named.filter((number) => !(number in promises))).toEqual([]);
});

test.each(promiseIds)('a reader of the page finds the line of %s, in the words that stand here, and test files that exist', (promise) => {
  const line = lineOf(page, promise);
  expect(line).toContain(`| ${promises[promise]} |`);
  const files = filesIn(line);
  expect(files).not.toEqual([]);
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  // Whoever takes the number out of a title takes the file off the page, and the files that run those tests once more.
  const naming = new Set(tests.filter(({ text }) => new RegExp(`\\b${promise}\\b`).test(text)).map(({ path }) => path));
  for (const { path, text } of tests) if (suitesIn(path, text).some((suite) => naming.has(suite))) naming.add(path);
  expect(files.filter((file) => !naming.has(file))).toEqual([]);
});

const lineOf = (text: string, promise: PromiseId): string => text.split('\n').find((line) => line.startsWith(`| ${promise} |`)) ?? '';
const suitesIn = (path: string, text: string): string[] =>
  [...text.matchAll(/=> import\('([^']+)'\)/g)].map(([, suite]) => join(dirname(path), String(suite)));
const filesIn = (line: string): string[] => [...line.matchAll(/\]\(\.\.\/([^)]+)\)/g)].map(([, file]) => String(file));

const ran = (title: string, more: Partial<Ran> = {}): Ran => ({
  ...{ titles: ['of many', title], state: 'passed', tallies: [], file: 'test/a.test.ts' },
  ...more,
});
const write = (...list: readonly Ran[]): string => writePage({ tests: list, date: '2026-01-02', files: { run: 2, all: 2 } });

test('the page adds up what several tests tried, and names each of their files once', () => {
  const tally = { promise: 'G3', what: 'calls', times: 600, lost: 0 } as const;
  const both = [ran('F29, G3: one', { tallies: [tally] }), ran('G3: two', { tallies: [tally, { ...tally, what: 'looks', times: 2 }] })];
  expect(lineOf(write(...both, ran('three')), 'G3')).toBe(
    `| G3 | ${promises.G3} | 2 of 2 passed | 1,200 calls; 2 looks | nothing | [test/a.test.ts](../test/a.test.ts) |`,
  );
});

test('the page hides no loss: not a counted one, not a test that failed, not one that was left out, and not a promise that was not run', () => {
  const tally = { promise: 'G1', what: 'answers', times: 9, lost: 2 } as const;
  const text = write(ran('G1: a', { tallies: [tally] }), ran('G1: b', { state: 'failed' }), ran('G2: c', { state: 'skipped' }));
  expect(lineOf(text, 'G1')).toContain('| 1 of 2 passed | 9 answers | 2 answers; tests that failed: 1 |');
  expect(lineOf(text, 'G2')).toContain('| 0 of 1 passed | 0 cases, one a test | nothing (tests left out: 1) |');
  expect(lineOf(text, 'G4')).toContain('| not run |');
});

/** Every known failure of the sections that are done has a test whose title carries its number. */
import { expect, test } from 'vitest';
import { contract } from '../../contract/index.ts';
import { readSources } from './architecture/sources.ts';
import { exempt, rowsOf, sections } from './failure-rows/rows.ts';
import { rowsInTitles } from './failure-rows/titles.ts';

const titles = rowsInTitles(readSources().filter(({ path }) => path.startsWith('test/')));
const exempted = new Set(exempt.map(({ row }) => row));

test.each(sections)('each known failure of $about has its test', (section) => {
  const untested = rowsOf(section).filter((row) => !titles.has(row) && !exempted.has(row));
  expect(untested).toEqual([]);
});

test('a failure is left out only where the product has nothing that could fail so', () => {
  const paths = Object.values(contract).map(({ path }) => path);
  expect(paths).toContain('/v1/responses');
  for (const { row, unlessPath } of exempt) {
    expect(
      paths.filter((path) => unlessPath?.test(path)),
      row,
    ).toEqual([]);
    expect([...(titles.get(row) ?? [])], row).toEqual([]);
  }
});

test('a number counts in a title alone', () => {
  const text = [
    "test('F81: one', () => {});",
    "describe.each([1])('F82, F83: two', () => {});",
    "const cases = [{ name: 'F84: three' }, { rows: 'F85' }];",
    '// F86: not this',
    "const text = 'F87: nor this';",
    'it(`F88: a title`, () => {});',
  ].join('\n');
  expect([...rowsInTitles([{ path: 'test/a.test.ts', text }]).keys()]).toEqual(['F81', 'F82', 'F83', 'F84', 'F85', 'F88']);
});

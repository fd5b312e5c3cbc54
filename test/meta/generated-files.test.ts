/** `.gitattributes` marks the files that are generated, all of them and no others. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, join, posix } from 'node:path';
import { expect, test } from 'vitest';
import { allOutputs } from '../../docs/generate.ts';
import { root } from './architecture/sources.ts';

const ATTRIBUTE = 'linguist-generated';

/** The patterns of the file that carry the attribute: paths from the root, and one for the names of all modules that are generated. */
const patterns = readFileSync(join(root, '.gitattributes'), 'utf8')
  .split('\n')
  .filter((line) => line.endsWith(` ${ATTRIBUTE}`))
  .map((line) => line.slice(0, -ATTRIBUTE.length).trim());

const isMarked = (path: string): boolean =>
  patterns.some((pattern) => pattern === path || (pattern.startsWith('*') && basename(path).endsWith(pattern.slice(1))));

/** Its tables alone are generated: a review has to show the text around them. */
const mixed = 'docs/guides/migrating.md';
/** Written from results of tests, by commands of their own. */
const fromResults = ['docs/promises.md', 'docs/translation.md'];

const outputs = (await allOutputs()).map(({ path }) => posix.join('docs', path));
const generated = [...outputs.filter((path) => path !== mixed), ...fromResults];

test('each generated file is marked, and a page that is written by hand is not', () => {
  expect(outputs).toContain(mixed);
  expect(generated.filter((path) => !isMarked(path))).toEqual([]);
  expect([mixed, 'docs/architecture.md', 'CONTRIBUTING.md'].filter(isMarked)).toEqual([]);
});

test('each marked path is a generated file that exists', () => {
  const paths = patterns.filter((pattern) => !pattern.startsWith('*'));
  expect(paths.length).toBeGreaterThan(5);
  expect(paths.filter((path) => !existsSync(join(root, path)) || !generated.includes(path))).toEqual([]);
});

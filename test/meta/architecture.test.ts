/** Which folder may import which, and what a file may hold; the table is in architecture/rules.ts. */
import { expect, test } from 'vitest';
import { misnamed, namedByIdea } from './architecture/file-names.ts';
import { protocolNamesIn, vendorNamesIn } from './architecture/protocol-names.ts';
import { violationsOf } from './architecture/rules.ts';
import { parse, readSources, topLevelFolders } from './architecture/sources.ts';

test('keeps five folders in the repository', () => {
  expect(
    topLevelFolders()
      .filter((name) => !['node_modules', 'data', 'dist'].includes(name))
      .sort(),
  ).toEqual(['client', 'contract', 'docs', 'server', 'test']);
});

test('imports only allowed folders, without cycles or default exports', () => {
  const sources = readSources();
  expect(sources.length).toBeGreaterThan(100);
  expect(violationsOf(sources.map(parse))).toEqual([]);
});

test('names each file after its main export, or lists it with its idea', () => {
  const listed = Object.keys(namedByIdea);
  expect(misnamed(readSources().map(parse)).toSorted()).toEqual(listed.toSorted());
});

test('keeps protocol fields and text patterns out of billing, history, limits and the pipeline', () => {
  expect(protocolNamesIn(readSources())).toEqual([]);
});

test('names a kind of upstream only in the configuration and the dialects', () => {
  expect(vendorNamesIn(readSources())).toEqual([]);
});

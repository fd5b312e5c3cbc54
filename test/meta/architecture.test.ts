/** Which folder may import which, and what a file may hold; the table is in architecture/rules.ts. */
import { expect, test } from 'vitest';
import { misnamed, namedByIdea } from './architecture/file-names.ts';
import { protocolNamesIn, vendorNamesIn } from './architecture/protocol-names.ts';
import { violationsOf } from './architecture/rules.ts';
import { parse, readSources, topLevelFolders } from './architecture/sources.ts';

test('the repository has five folders', () => {
  expect(
    topLevelFolders()
      .filter((name) => !['node_modules', 'data', 'dist'].includes(name))
      .sort(),
  ).toEqual(['client', 'contract', 'docs', 'server', 'test']);
});

test('every file imports only allowed folders, is in no import cycle, and has no default export', () => {
  const sources = readSources();
  expect(sources.length).toBeGreaterThan(100);
  expect(violationsOf(sources.map(parse))).toEqual([]);
});

test('a file is named after its main export, or listed with its idea', () => {
  const listed = Object.keys(namedByIdea);
  expect(misnamed(readSources().map(parse)).toSorted()).toEqual(listed.toSorted());
});

test('billing, history, limits and the pipeline hold no field of a protocol and no pattern for text', () => {
  expect(protocolNamesIn(readSources())).toEqual([]);
});

test('only the configuration and the dialects name a kind of upstream', () => {
  expect(vendorNamesIn(readSources())).toEqual([]);
});

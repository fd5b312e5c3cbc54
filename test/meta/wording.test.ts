/** The wording of what people read follows docs/writing.md. */
import { expect, test } from 'vitest';
import { findWordsToReplace, matchesInMarkdown, matchesInProgram } from './wording/patterns.ts';
import { remainingNames, remainingTestTexts } from './wording/remaining.ts';

const found = findWordsToReplace();

test('finds no word that docs/writing.md replaces in texts, comments, and decisions', () => {
  expect(found.texts).toEqual([]);
});

test('finds only the listed number of such words in the texts of tests', () => {
  expect(found.ofTests).toEqual(remainingTestTexts);
});

test('finds only the listed number of such words in names', () => {
  expect(found.ofNames).toEqual(remainingNames);
});

test.each([
  ['The vendor refused it.', ['refused', 'vendor']],
  ['There is no key yet.', ['There is no']],
  ["The provider rejected it. 'n' must be 1.", []],
  ['See `vendor` in [vendors](vendors.md).', ['vendors']],
  ['See [e2e/vendors](vendors.md).', []],
])('in the Markdown "%s" it finds %j', (text, words) => {
  expect(matchesInMarkdown(text).map(([word]) => word)).toEqual(words);
});

test.each([
  ["const message = 'The vendor refused it.'; // nobody", ['refused', 'vendor'], []],
  ["const vendor = { refuse: 'vendor' };", [], ['vendor']],
  ['/** Null if there is no vendor. */', ['vendor'], []],
  ['const help = `\nUsage:\n  There is no key\n  vendor`;', ['vendor', 'There is no'], []],
  ['function costOf() {}', [], ['t of']],
])('in the code "%s" it finds %j in texts and %j in names', (line, texts, names) => {
  const matches = matchesInProgram(line);
  expect(matches.texts.map(([word]) => word)).toEqual(texts);
  expect(matches.names.map(([word]) => word)).toEqual(names);
});

/** The wording of what people read follows docs/writing.md. */
import { expect, test } from 'vitest';
import { matchesIn, wordsToReplace } from './wording/patterns.ts';

test('texts and comments have no word that docs/writing.md replaces', () => {
  expect(wordsToReplace()).toEqual([]);
});

const wordsIn = (text: string, isMarkdown: boolean): readonly string[] => matchesIn(text, isMarkdown).map(([word]) => word);

test.each([
  ['The vendor refused it.', ['refused', 'vendor']],
  ['There is no key yet.', ['There is no']],
  ["The provider rejected it. 'n' must be 1.", []],
  ['See `vendor` in [vendors](vendors.md).', ['vendors']],
  ['See [e2e/vendors](vendors.md).', []],
])('in the Markdown "%s" it finds %j', (text, words) => {
  expect(wordsIn(text, true)).toEqual(words);
});

test.each([
  ["const message = 'The vendor refused it.'; // nobody", ['refused', 'vendor']],
  ["const vendor = { refuse: 'vendor' };", []],
  ['/** Null if there is no vendor. */', ['vendor']],
])('in the code "%s" it finds %j', (line, words) => {
  expect(wordsIn(line, false)).toEqual(words);
});

/** The wording of what people read follows docs/writing.md. */
import { expect, test } from 'vitest';
import { findWordsToReplace } from './wording/patterns.ts';
import { remainingNames, remainingTestTexts } from './wording/remaining.ts';
import { findTitlesWithoutVerb } from './wording/titles.ts';

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

test('finds only titles of tests that begin with a verb', () => {
  expect(findTitlesWithoutVerb()).toEqual([]);
});

/** The doc comments of the client's types: the description, and each bound once. */
import { expect, test } from 'vitest';
import { commentOf } from '../../../../docs/generate/client/comments.ts';

test("adds a bound that isn't in the description behind it", () => {
  expect(commentOf({ type: 'integer', description: 'Number of answers. Absent: 1.', minimum: 1, maximum: 128 })).toBe(
    '/** Number of answers. Absent: 1. 1 to 128. */\n',
  );
  expect(commentOf({ type: 'string', maxLength: 64 })).toBe('/** At most 64 characters. */\n');
});

test.each(['Up to 1,024 parts.', 'Up to 1024 parts.'])('repeats no bound that is in the description: %s', (description) => {
  expect(commentOf({ type: 'array', description, maxItems: 1024 })).toBe(`/** ${description} */\n`);
});

test("doesn't read a number within another number as the bound", () => {
  expect(commentOf({ type: 'number', description: 'Since version 12.', maximum: 2 })).toBe('/** Since version 12. At most 2. */\n');
  expect(commentOf({ type: 'number', description: 'Steps of 0.2 each.', maximum: 2 })).toBe('/** Steps of 0.2 each. At most 2. */\n');
});

test('turns deprecation into a tag, and lets no description end its comment early', () => {
  expect(commentOf({ type: 'string', description: 'Deprecated: use `other`.' })).toBe('/** @deprecated use `other`. */\n');
  expect(commentOf({ type: 'string', description: 'A type such as `*/*`.' })).toBe('/** A type such as `*\\/*`. */\n');
});

test('writes no comment for a schema without description and bound', () => {
  expect(commentOf({ type: 'string' })).toBe('');
});

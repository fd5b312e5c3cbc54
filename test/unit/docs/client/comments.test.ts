/** The doc comments of the client's types: the description, and each bound once. */
import { expect, test } from 'vitest';
import { commentOf } from '../../../../docs/generate/client/comments.ts';

test('a bound that is not in the description is added behind it', () => {
  expect(commentOf({ type: 'integer', description: 'Number of answers. Absent: 1.', minimum: 1, maximum: 128 })).toBe(
    '/** Number of answers. Absent: 1. 1 to 128. */\n',
  );
  expect(commentOf({ type: 'string', maxLength: 64 })).toBe('/** At most 64 characters. */\n');
});

test.each(['Up to 1,024 parts.', 'Up to 1024 parts.'])('a bound that is in the description is not repeated: %s', (description) => {
  expect(commentOf({ type: 'array', description, maxItems: 1024 })).toBe(`/** ${description} */\n`);
});

test('a number within another number does not count as the bound', () => {
  expect(commentOf({ type: 'number', description: 'Since version 12.', maximum: 2 })).toBe('/** Since version 12. At most 2. */\n');
  expect(commentOf({ type: 'number', description: 'Steps of 0.2 each.', maximum: 2 })).toBe('/** Steps of 0.2 each. At most 2. */\n');
});

test('deprecation becomes a tag, and no description ends its comment early', () => {
  expect(commentOf({ type: 'string', description: 'Deprecated: use `other`.' })).toBe('/** @deprecated use `other`. */\n');
  expect(commentOf({ type: 'string', description: 'A type such as `*/*`.' })).toBe('/** A type such as `*\\/*`. */\n');
});

test('a schema without description and bound has no comment', () => {
  expect(commentOf({ type: 'string' })).toBe('');
});

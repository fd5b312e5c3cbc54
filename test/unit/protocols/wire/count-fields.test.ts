/** Duplicate fields are found by comparing the number of names in the text and in the parsed value. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countFields } from '../../../../server/protocols/wire/json-body.ts';
import { readJsonOutline } from '../../../../server/protocols/wire/json-outline.ts';

/** Short and long texts with the characters of JSON. */
const text = fc.oneof(
  fc.string(),
  fc.array(fc.constantFrom('"', '\\', ':', '{', ',', 'a', 'long text '.repeat(9)), { maxLength: 20 }).map((parts) => parts.join('')),
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.double(),
    fc.boolean(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(text, tie('value'), { maxKeys: 4 }),
  ),
}));

test('B7: counts the same both ways without duplicates, for any texts', () => {
  fc.assert(
    fc.property(value, fc.constantFrom(undefined, 1, '\t'), (any, spaces) => {
      const written = JSON.stringify(any, null, spaces);
      expect(readJsonOutline(Buffer.from(written)).members).toBe(countFields(JSON.parse(written)));
    }),
    { numRuns: 2_000 },
  );
});

test('B7: counts one more in the text with one duplicate, at any depth', () => {
  fc.assert(
    fc.property(value, text, fc.nat(30), (any, name, depth) => {
      const key = JSON.stringify(name);
      // A name that differs from the duplicate.
      const other = JSON.stringify(`${name} `);
      const written = `${'{"a":['.repeat(depth)}{${key}:1,${other}:${JSON.stringify(any)},${key}:2}${']}'.repeat(depth)}`;
      expect(readJsonOutline(Buffer.from(written)).members - countFields(JSON.parse(written))).toBe(1);
    }),
    { numRuns: 2_000 },
  );
});

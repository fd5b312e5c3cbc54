/** Fields that stand twice are found by counting: as many names are written as are read, or one is there twice. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countFields } from '../../../../server/dialects/wire/count-fields.ts';
import { outlineOf } from '../../../../server/dialects/wire/json-outline.ts';

/** Texts full of what JSON is made of, short and long. */
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

test('B7: where none stands twice both counts are alike, whatever the texts hold', () => {
  fc.assert(
    fc.property(value, fc.constantFrom(undefined, 1, '\t'), (any, spaces) => {
      const written = JSON.stringify(any, null, spaces);
      expect(outlineOf(Buffer.from(written)).members).toBe(countFields(JSON.parse(written)));
    }),
    { numRuns: 2_000 },
  );
});

test('B7: one that stands twice is one more written than read, at any depth', () => {
  fc.assert(
    fc.property(value, text, fc.nat(30), (any, name, depth) => {
      const key = JSON.stringify(name);
      // Another name than the one that stands twice.
      const other = JSON.stringify(`${name} `);
      const written = `${'{"a":['.repeat(depth)}{${key}:1,${other}:${JSON.stringify(any)},${key}:2}${']}'.repeat(depth)}`;
      expect(outlineOf(Buffer.from(written)).members - countFields(JSON.parse(written))).toBe(1);
    }),
    { numRuns: 2_000 },
  );
});

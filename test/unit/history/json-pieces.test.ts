/** JSON in pieces is equal, byte for byte, to the output of JSON.stringify. */
import fc from 'fast-check';
import { expect, test } from 'vitest';

import { joinPieces, toJsonPieces, toPlainPieces, writePieces } from '../../../server/history/json-pieces.ts';

const written = (value: unknown): string => writePieces(toJsonPieces(value)).toString();

/** Texts around the bound of long texts, and around the bound of what is escaped at once. */
const unit = fc.constantFrom('a', '"', '\\', '\n', '\0', 'ü', '🦉', '\ud83e', '\udd89', '\u2028', 'ab"c');
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .tuple(unit, fc.integer({ min: 0, max: 5 }), unit)
    .map(([head, count, tail]) => head + 'x'.repeat(32_764 + count) + tail.repeat(33_000)),
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.double(),
    fc.constantFrom(null, true, undefined),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('toJSON', '__proto__', '1')), tie('value'), { maxKeys: 4 }),
  ),
}));

test('A3: writes every value as JSON.stringify does, and pieces that know its length', () => {
  fc.assert(
    fc.property(value, (any) => {
      const listed = [any ?? null];
      const whole = JSON.stringify(listed);
      expect(written(listed) === whole).toBe(true);
      expect(toJsonPieces(listed).bytes).toBe(Buffer.byteLength(whole));
    }),
    { numRuns: 300 },
  );
});

test('A3: writes a value of over 64 KiB into a separate buffer, and a shorter one as a string', () => {
  const pieces = joinPieces([toPlainPieces('['), toJsonPieces({ picture: 'A'.repeat(65_536) }), toPlainPieces(']')]);
  const bytes = writePieces(pieces);
  if (typeof bytes === 'string') throw new TypeError('a long text became a string');
  expect([bytes.length, bytes.buffer.byteLength]).toEqual([pieces.bytes, pieces.bytes]);
  expect(writePieces(toJsonPieces({ picture: 'A'.repeat(65_535) }))).toBeTypeOf('string');
});

test('A3: keeps a long field name, and texts that look like placeholders, unchanged', () => {
  const long = 'A'.repeat(70_000);
  const odd = { [long]: long, '0': '00000000-0000-4000-8000-000000000000:0', list: [long, `"${long}"`, ':0'] };
  expect(written(odd)).toBe(JSON.stringify(odd));
});

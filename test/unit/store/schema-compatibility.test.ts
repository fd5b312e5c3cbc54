/** Which versions of the program work with which schema (F50). */
import { describe, expect, test } from 'vitest';
import { StorageError } from '../../../server/store/errors.ts';
import {
  assertCopyable,
  checkSchemaCompatibility,
  describeNewer,
  findIncompatibility,
  getNewestVersion,
  toDatabaseSchema,
} from '../../../server/store/schema-compatibility.ts';

test.each([
  ['no steps', [], { version: 0, worksWith: 0 }],
  ['steps without works_with, each of which needs its own program', [{ version: 1 }, { version: 7 }], { version: 7, worksWith: 7 }],
  ['a step that leaves older programs working', [{ version: 7 }, { version: 8, works_with: 7 }], { version: 8, worksWith: 7 }],
  [
    'a step that breaks older programs, among others',
    [
      { version: 9, works_with: 9 },
      { version: 10, works_with: 7 },
    ],
    { version: 10, worksWith: 9 },
  ],
  ['numbers as text, as another database returns them', [{ version: '8', works_with: '7' }], { version: 8, worksWith: 7 }],
  ['works_with null', [{ version: 8, works_with: null }], { version: 8, worksWith: 8 }],
])('reads the schema of a database from its steps: %s', (_what, rows, expected) => {
  expect(toDatabaseSchema(rows)).toEqual(expected);
});

describe('a program that knows schema 10', () => {
  test.each([
    ['an older schema', { version: 9, worksWith: 9 }, true],
    ['its own schema', { version: 10, worksWith: 10 }, true],
    ['a newer schema that it works with', { version: 12, worksWith: 10 }, true],
    ['a newer schema that it does not work with', { version: 12, worksWith: 11 }, false],
  ])('works on %s: %s', (_what, found, may) => {
    expect(findIncompatibility(found, 10) === null).toBe(may);
    if (may) checkSchemaCompatibility(found, 10, 'take another');
    else
      expect(() => checkSchemaCompatibility(found, 10, 'take another')).toThrow(
        /schema 12; this version supports schema 10.*supports at least schema 11, or take another/,
      );
  });

  test.each([
    [{ version: 10, worksWith: 10 }, null],
    [{ version: 12, worksWith: 10 }, 'schema 12, written by a newer Modelgate; this version supports schema 10 and can use the database'],
  ])('describes %o as newer: %s', (found, expected) => {
    expect(describeNewer(found, 10)).toBe(expected);
  });

  test("doesn't copy a newer schema, even one that it works with", () => {
    assertCopyable({ version: 10, worksWith: 10 }, 10);
    expect(() => assertCopyable({ version: 11, worksWith: 10 }, 10)).toThrow(StorageError);
  });
});

test('returns the version of the last step, or 0', () => {
  const step = (version: number) => ({ version, name: 'x', sql: '' });
  expect([getNewestVersion([]), getNewestVersion([step(1), step(2)])]).toEqual([0, 2]);
});

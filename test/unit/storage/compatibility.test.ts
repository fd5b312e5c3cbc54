/** Which version of the program may work on which tables (F50). */
import { describe, expect, test } from 'vitest';
import { asFound, describeNewer, newestOf, refuseToCopy, refuseUnusable, whyUnusable } from '../../../server/storage/compatibility.ts';
import { StorageError } from '../../../server/storage/errors.ts';

test.each([
  ['nothing', [], { version: 0, worksWith: 0 }],
  ['steps that said nothing of it, so that each needs its own program', [{ version: 1 }, { version: 7 }], { version: 7, worksWith: 7 }],
  ['a step that leaves older programs working', [{ version: 7 }, { version: 8, works_with: 7 }], { version: 8, worksWith: 7 }],
  [
    'one that breaks, among others',
    [
      { version: 9, works_with: 9 },
      { version: 10, works_with: 7 },
    ],
    { version: 10, worksWith: 9 },
  ],
  ['steps as another database writes numbers', [{ version: '8', works_with: '7' }], { version: 8, worksWith: 7 }],
  ['a column that is empty', [{ version: 8, works_with: null }], { version: 8, worksWith: 8 }],
])('a database says of itself by its steps: %s', (_what, rows, expected) => {
  expect(asFound(rows)).toEqual(expected);
});

describe('a program that knows the schema up to ten', () => {
  test.each([
    ['older tables', { version: 9, worksWith: 9 }, true],
    ['its own', { version: 10, worksWith: 10 }, true],
    ['newer ones that leave it working', { version: 12, worksWith: 10 }, true],
    ['newer ones that do not', { version: 12, worksWith: 11 }, false],
  ])('works on %s: %s', (_what, found, may) => {
    expect(whyUnusable(found, 10) === null).toBe(may);
    if (may) refuseUnusable(found, 10, 'take another');
    else
      expect(() => refuseUnusable(found, 10, 'take another')).toThrow(
        /schema 12; this one knows schema 10.*knows at least schema 11, or take another/,
      );
  });

  test.each([
    [{ version: 10, worksWith: 10 }, null],
    [{ version: 12, worksWith: 10 }, 'schema 12, written by a newer Modelgate; this one knows schema 10 and can use the database'],
  ])('is told that %o are newer: %s', (found, expected) => {
    expect(describeNewer(found, 10)).toBe(expected);
  });

  test('copies no newer tables, though it may work on them', () => {
    refuseToCopy({ version: 10, worksWith: 10 }, 10);
    expect(() => refuseToCopy({ version: 11, worksWith: 10 }, 10)).toThrow(StorageError);
  });
});

test('the newest step is the last one, and there may be none', () => {
  const step = (version: number) => ({ version, name: 'x', sql: '' });
  expect([newestOf([]), newestOf([step(1), step(2)])]).toEqual([0, 2]);
});

/** What an error of PostgreSQL means, by its SQLSTATE: a wrong step, a store that is down, a transient error, or a broken connection (F52). */
import { describe, expect, test } from 'vitest';
import { StorageError } from '../../../../server/store/errors.ts';
import { PostgresTimeoutError } from '../../../../server/store/postgres/deadlines.ts';
import {
  breaksConnection,
  getSqlState,
  isLockTimeout,
  isTimeout,
  isTransient,
  isUniqueViolation,
  isUnknownStatement,
  toStoreError,
} from '../../../../server/store/postgres/errors.ts';

const said = (code: string, message = 'said the server'): Error => Object.assign(new Error(message), { code });
/** As the pool passes it on. */
const told = (code: string): unknown => toStoreError(said(code));

test.each([
  [said('23505'), '23505'],
  [said('ECONNRESET'), undefined],
  [said('0A000'), '0A000'],
  [said('abcde'), undefined],
  [Object.assign(new Error('no text'), { code: 23505 }), undefined],
  [new Error('without one'), undefined],
  ['no error', undefined],
])('reads the SQLSTATE of %o as %s', (error, state) => {
  expect(getSqlState(error)).toBe(state);
});

describe('F52: an error', () => {
  test.each(['22001', '23505', '23503', 'P0001'])('stays unchanged if it comes from the statement: %s', (code) => {
    const error = said(code);
    expect(toStoreError(error)).toBe(error);
  });

  test.each(['08006', '40001', '25006', '53100', '57P01', '42P01', '0A000'])(
    'becomes a StorageError if it comes from the server: %s',
    (code) => {
      expect(toStoreError(said(code))).toBeInstanceOf(StorageError);
    },
  );

  test("becomes a StorageError if the server doesn't respond", () => {
    expect(toStoreError(said('ECONNRESET', 'reset by peer'))).toMatchObject({ message: expect.stringContaining('reset by peer') });
    expect(toStoreError(new AggregateError([], ''))).toMatchObject({ message: expect.stringMatching(/^PostgreSQL failed: \S/) });
    expect(toStoreError('a text')).toBeInstanceOf(StorageError);
  });

  test("stays unchanged if it's already a StorageError", () => {
    const known = new StorageError('the disk is full');
    expect(toStoreError(known)).toBe(known);
  });

  test('G13: gets a remedy, without the data that was sent', () => {
    const error = Object.assign(said('57P03'), { detail: 'Key (name)=(a secret)', where: 'secret' });
    const failure = toStoreError(error);
    expect(failure).toMatchObject({
      message: expect.stringContaining('Check DATABASE_URL'),
      cause: { code: '57P03', message: 'said the server' },
    });
    expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure))).not.toContain('secret');
    expect(told('25006')).toMatchObject({ message: expect.stringContaining('Point DATABASE_URL at the primary') });
  });
});

describe('F52: an error of PostgreSQL', () => {
  const rows = {
    '40001': ['isTransient'],
    '40P01': ['isTransient'],
    '26000': ['isTransient', 'isUnknownStatement'],
    '42P05': ['isTransient', 'isUnknownStatement'],
    '55P03': ['isLocked'],
    '57014': ['timedOut'],
    '53100': [],
    '42P01': [],
    '08006': ['breaksConnection'],
    '25006': ['breaksConnection'],
    '57P01': ['breaksConnection'],
    '0A000': ['breaksConnection'],
  } as const;
  const questions = {
    isTransient,
    isUnknownStatement,
    isLocked: isLockTimeout,
    timedOut: isTimeout,
    breaksConnection,
  };

  test.each(Object.entries(rows))('counts with SQLSTATE %s as %j and nothing else', (code, expected) => {
    const answers = Object.entries(questions).filter(([, ask]) => ask(told(code)));
    expect(answers.map(([name]) => name)).toEqual(expected);
  });

  test('keeps the connection after a statement error, and reads 23505 as a unique violation', () => {
    expect([breaksConnection(told('23505')), isUniqueViolation(told('23505')), isUniqueViolation(told('23503'))]).toEqual([
      false,
      true,
      false,
    ]);
  });

  test("breaks the connection without a SQLSTATE, unless it's our own", () => {
    expect([breaksConnection(toStoreError(said('ECONNRESET'))), breaksConnection(new Error('of ours'))]).toEqual([true, false]);
  });

  test("counts as timed out if it's our own timeout", () => {
    expect([isTimeout(new PostgresTimeoutError(100)), isTimeout(new StorageError('late'))]).toEqual([true, false]);
  });
});

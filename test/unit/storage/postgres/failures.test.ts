/** What a failure of PostgreSQL means, by its state: the step was wrong, the store is down, another try may do, the connection is spoiled (F52). */
import { describe, expect, test } from 'vitest';
import { StorageError } from '../../../../server/storage/errors.ts';
import { LateError } from '../../../../server/storage/postgres/deadline.ts';
import {
  asFailure,
  breaksConnection,
  isLocked,
  isTaken,
  isTransient,
  isUnknownStatement,
  sqlState,
  timedOut,
} from '../../../../server/storage/postgres/failures.ts';

const said = (code: string, message = 'said the server'): Error => Object.assign(new Error(message), { code });
/** As the pool hands it on. */
const told = (code: string): unknown => asFailure(said(code));

test.each([
  [said('23505'), '23505'],
  [said('ECONNRESET'), undefined],
  [said('0A000'), '0A000'],
  [said('abcde'), undefined],
  [Object.assign(new Error('no text'), { code: 23505 }), undefined],
  [new Error('without one'), undefined],
  ['no error', undefined],
])('the state of %o is %s', (error, state) => {
  expect(sqlState(error)).toBe(state);
});

describe('F52: for whoever asked, a failure is', () => {
  test.each(['22001', '23505', '23503', 'P0001'])('that of its own step: %s', (code) => {
    const error = said(code);
    expect(asFailure(error)).toBe(error);
  });

  test.each(['08006', '40001', '25006', '53100', '57P01', '42P01', '0A000'])('that of the store: %s', (code) => {
    expect(asFailure(said(code))).toBeInstanceOf(StorageError);
  });

  test('that of the store where the server said nothing', () => {
    expect(asFailure(said('ECONNRESET', 'reset by peer'))).toMatchObject({ message: expect.stringContaining('reset by peer') });
    expect(asFailure(new AggregateError([], ''))).toMatchObject({ message: expect.stringMatching(/^PostgreSQL failed: \S/) });
    expect(asFailure('a text')).toBeInstanceOf(StorageError);
  });

  test('told once: what is a failure of the store already stays as it is', () => {
    const known = new StorageError('the disk is full');
    expect(asFailure(known)).toBe(known);
  });

  test('told with what to do about it, and G13: without what was sent', () => {
    const error = Object.assign(said('57P03'), { detail: 'Key (name)=(a secret)', where: 'secret' });
    const failure = asFailure(error);
    expect(failure).toMatchObject({
      message: expect.stringContaining('Check DATABASE_URL'),
      cause: { code: '57P03', message: 'said the server' },
    });
    expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure))).not.toContain('secret');
    expect(told('25006')).toMatchObject({ message: expect.stringContaining('Point DATABASE_URL at the primary') });
  });
});

describe('F52: by its state a failure', () => {
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
    isLocked,
    timedOut,
    breaksConnection,
  };

  test.each(Object.entries(rows))('%s is %j and nothing else', (code, expected) => {
    const answers = Object.entries(questions).filter(([, ask]) => ask(told(code)));
    expect(answers.map(([name]) => name)).toEqual(expected);
  });

  test('of a step spoils nothing, and says whether somebody has it already', () => {
    expect([breaksConnection(told('23505')), isTaken(told('23505')), isTaken(told('23503'))]).toEqual([false, true, false]);
  });

  test('without one spoils the connection: nobody knows what became of it', () => {
    expect([breaksConnection(asFailure(said('ECONNRESET'))), breaksConnection(new Error('of ours'))]).toEqual([true, false]);
  });

  test('of a deadline of ours lacked time', () => {
    expect([timedOut(new LateError(100)), timedOut(new StorageError('late'))]).toEqual([true, false]);
  });
});

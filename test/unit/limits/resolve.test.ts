/** Which limits a call falls under: its own word counts before that for all, and a limit may be off, observed or enforced. */
import { expect, test } from 'vitest';
import { limitsOf } from '../../../server/limits/resolve.ts';

test('a key without limits of its own has those for all, quantity by quantity', () => {
  const otherwise = { requestsPerMinute: 60, tokensPerMinute: { limit: 1_000, mode: 'observe' } } as const;
  const own = { requestsPerMinute: { limit: 5, mode: 'enforce' }, tokensPerMinute: null } as const;
  expect(limitsOf([{ scope: 'key', id: 'key_1', own, otherwise }])).toEqual([
    { scope: 'key', subject: 'key_1', quantity: 'requests', most: 5, mode: 'enforce' },
    { scope: 'key', subject: 'key_1', quantity: 'tokens', most: 1_000, mode: 'observe' },
  ]);
});

test('a limit of its own that is off frees a key from that for all', () => {
  const own = { concurrency: { limit: 1, mode: 'off' } } as const;
  expect(limitsOf([{ scope: 'key', id: 'key_1', own, otherwise: { concurrency: 4 } }])).toEqual([]);
});

test('key, account, group and model count beside each other', () => {
  const limits = limitsOf([
    { scope: 'key', id: 'key_1', own: { concurrency: 1 } },
    { scope: 'account', id: 'acct_1', own: {}, otherwise: { concurrency: 2 } },
    { scope: 'group', id: 'vip', own: { concurrency: 3 } },
    { scope: 'model', id: 'house/small', own: { concurrency: 4 } },
  ]);
  expect(limits.map(({ scope, most }) => [scope, most])).toEqual([
    ['key', 1],
    ['account', 2],
    ['group', 3],
    ['model', 4],
  ]);
});

test('two keys that share their settings are still counted apart', () => {
  const own = { requestsPerMinute: 60 };
  const subjects = ['key_1', 'key_2', 'key_1'].flatMap((id) => limitsOf([{ scope: 'key', id, own }])).map(({ subject }) => subject);
  expect(subjects).toEqual(['key_1', 'key_2', 'key_1']);
  expect(limitsOf([{ scope: 'account', id: 'key_1', own }])).toMatchObject([{ scope: 'account' }]);
});

test('other limits for all count for a key that was asked for before', () => {
  const own = {};
  for (const most of [1, 2])
    expect(limitsOf([{ scope: 'key', id: 'key_1', own, otherwise: { concurrency: most } }])).toMatchObject([{ most }]);
  expect(limitsOf([{ scope: 'key', id: 'key_1', own }])).toEqual([]);
});

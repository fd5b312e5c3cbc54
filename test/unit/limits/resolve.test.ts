/** The limits of a call: own limits before general ones, in the modes off, observe and enforce. */
import { expect, test } from 'vitest';
import { addAccountLimits, toLimits } from '../../../server/limits/limit-values.ts';
import { limitOf } from './limit.ts';

test('applies the general limit to a key without its own, for each quantity', () => {
  const otherwise = { requestsPerMinute: 60, tokensPerMinute: { limit: 1_000, mode: 'observe' } } as const;
  const own = { requestsPerMinute: { limit: 5, mode: 'enforce' }, tokensPerMinute: null } as const;
  expect(toLimits([{ scope: 'key', id: 'key_1', own, otherwise }])).toEqual([
    { scope: 'key', subject: 'key_1', quantity: 'requests', most: 5, mode: 'enforce' },
    { scope: 'key', subject: 'key_1', quantity: 'tokens', most: 1_000, mode: 'observe' },
  ]);
});

test("replaces the general limit with a key's limit that is off", () => {
  const own = { concurrency: { limit: 1, mode: 'off' } } as const;
  expect(toLimits([{ scope: 'key', id: 'key_1', own, otherwise: { concurrency: 4 } }])).toEqual([]);
});

test('applies the limits of key, account, group, and model', () => {
  const limits = toLimits([
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

test('gives an account a part of each enforced token limit', () => {
  const tokens = limitOf('tokens', 9, { scope: 'group', subject: 'vip' });
  const others = [limitOf('requests', 9), limitOf('tokens', 9, { mode: 'observe' })];
  expect(addAccountLimits([tokens, ...others], 'acct_1')).toEqual([tokens, ...others, { ...tokens, subject: 'vip acct_1', isPart: true }]);
});

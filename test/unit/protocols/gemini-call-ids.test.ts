/** Call IDs of Gemini: the provider gets back only IDs that it gave. */
import { expect, test } from 'vitest';
import { findProviderCallId, toMarkedId } from '../../../server/protocols/gemini/wire.ts';

test.each(['call_1', 'call_3257537', 'x', 'a_b_0123abcd', 'ids with ☕\nlines'])('finds the ID %j in the one that the caller got', (id) => {
  expect(findProviderCallId(toMarkedId(id))).toBe(id);
});

test.each(['call_1', 'call_0123456789abcdef', 'call_a_0123abcd', 'toolu_01A', '', 'call_', 'a_10202895'])(
  'finds no ID of the provider in %j',
  (id) => {
    expect(findProviderCallId(id)).toBeNull();
  },
);

test('marks no ID that it has to change', () => {
  expect(toMarkedId('toolu_7')).toBe('call_7');
  expect(toMarkedId('')).toBe('');
});

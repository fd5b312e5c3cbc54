/** Which requests match a recorded one, and the differences of two requests. */
import { expect, test } from 'vitest';

import { createMatchKey, findDifferences, toComparable } from '../../../../server/providers/recordings/match-key.ts';

const like = (value: Record<string, unknown>): string =>
  createMatchKey('createResponse', toComparable({ operation: 'createResponse', body: { kind: 'json', value } }).request);

const picture = `data:image/png;base64,${'A'.repeat(2_000)}`;

test.each([
  [
    { b: { d: 1, c: 2 }, a: 1 },
    { a: 1, b: { c: 2, d: 1 } },
  ],
  [
    { a: 1, user: 'x' },
    { a: 1, safety_identifier: 'y', prompt_cache_key: 'z' },
  ],
  [{ a: 1, b: null }, { a: 1 }],
  [{ tools: [{ authorization: 'one' }] }, { tools: [{ authorization: 'two' }] }],
])('matches %j with %j', (one, other) => {
  expect(like(one)).toBe(like(other));
});

test.each([
  [{ a: [1, 2] }, { a: [2, 1] }],
  [{ a: { b: null } }, { a: {} }],
  [{ a: 1 }, { a: '1' }],
  [{ input: picture }, { input: `${picture}A` }],
  [{ metadata: { a: '1' } }, { metadata: { a: '2' } }],
])('distinguishes %j from %j', (one, other) => {
  expect(like(one)).not.toBe(like(other));
});

test('records a long text without spaces as its hash, and any other text as it is', () => {
  const text = 'a word '.repeat(1_000);
  const { request } = toComparable({ operation: 'createResponse', body: { kind: 'json', value: { picture, text } } });
  expect(request).toEqual({ picture: expect.stringMatching(/^2022 in all, sha256 [0-9a-f]{64}$/), text });
});

test('names differences by path, including fields that one of both lacks', () => {
  const one = {
    model: 'm',
    messages: [
      { role: 'user', content: 'a' },
      { role: 'user', content: 'b' },
    ],
    top_p: 1,
  };
  const other = {
    model: 'm',
    messages: [
      { role: 'user', content: 'a' },
      { role: 'user', content: 'c' },
      { role: 'user', content: 'd' },
    ],
  };
  expect(findDifferences(one, other)).toEqual(['messages[1].content', 'messages[2]', 'top_p']);
  expect(findDifferences(one, structuredClone(one))).toEqual([]);
});

/** Which upstream made which encrypted reasoning: a bounded number is remembered, the newest. */
import { expect, test } from 'vitest';

import { openReasoningOrigins } from '../../../server/history/reasoning-origins.ts';

const answer = (...encrypted: readonly string[]): Buffer =>
  Buffer.from(JSON.stringify({ output: encrypted.map((encrypted_content) => ({ type: 'reasoning', encrypted_content })) }));

test('finds the upstream by each encrypted reasoning in its responses, of any length, and by no other', () => {
  const origins = openReasoningOrigins();
  const long = `${'x'.repeat(10_000)}check-sum`;
  origins.recordOrigins(answer('one', long), 'main');
  origins.recordOrigins(answer('two'), 'backup');
  expect(['one', long, 'two', 'three', ''].map((encrypted) => origins.findOrigin(encrypted))).toEqual([
    'main',
    'main',
    'backup',
    undefined,
    undefined,
  ]);
});

test('prefers the last upstream that returned it', () => {
  const origins = openReasoningOrigins();
  origins.recordOrigins(answer('one'), 'main');
  origins.recordOrigins(answer('one'), 'backup');
  expect(origins.findOrigin('one')).toBe('backup');
});

test('forgets the one seen longest ago first', () => {
  const origins = openReasoningOrigins(2);
  origins.recordOrigins(answer('one', 'two'), 'main');
  origins.recordOrigins(answer('one'), 'main');
  origins.recordOrigins(answer('three'), 'main');
  expect(['one', 'two', 'three'].map((encrypted) => origins.findOrigin(encrypted))).toEqual(['main', undefined, 'main']);
});

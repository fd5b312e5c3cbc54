/** Which upstream made which encrypted reasoning: a bounded number is remembered, the newest. */
import { expect, test } from 'vitest';
import { openReasoningOrigins } from '../../../server/history/history.ts';

const answer = (...encrypted: readonly string[]): Buffer =>
  Buffer.from(JSON.stringify({ output: encrypted.map((encrypted_content) => ({ type: 'reasoning', encrypted_content })) }));

test('the upstream is found by each encrypted reasoning in its answers, of any length, and by no other', () => {
  const origins = openReasoningOrigins();
  const long = `${'x'.repeat(10_000)}check-sum`;
  origins.note(answer('one', long), 'main');
  origins.note(answer('two'), 'backup');
  expect(['one', long, 'two', 'three', ''].map((encrypted) => origins.originOf(encrypted))).toEqual([
    'main',
    'main',
    'backup',
    undefined,
    undefined,
  ]);
});

test('the last upstream that answered with it counts', () => {
  const origins = openReasoningOrigins();
  origins.note(answer('one'), 'main');
  origins.note(answer('one'), 'backup');
  expect(origins.originOf('one')).toBe('backup');
});

test('the one seen longest ago is forgotten first', () => {
  const origins = openReasoningOrigins(2);
  origins.note(answer('one', 'two'), 'main');
  origins.note(answer('one'), 'main');
  origins.note(answer('three'), 'main');
  expect(['one', 'two', 'three'].map((encrypted) => origins.originOf(encrypted))).toEqual(['main', undefined, 'main']);
});

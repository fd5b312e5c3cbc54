/** Who sealed which thoughts: remembered by their ends, the newest of them, and nobody's for ever. */
import { expect, test } from 'vitest';
import { openReasoningOrigins } from '../../../server/history/reasoning-origins.ts';

const answer = (...sealed: readonly string[]): Buffer =>
  Buffer.from(JSON.stringify({ output: sealed.map((encrypted_content) => ({ type: 'reasoning', encrypted_content })) }));

test('an upstream is known by every seal in its answers, however long, and by no other', () => {
  const origins = openReasoningOrigins();
  const long = `${'x'.repeat(10_000)}check-sum`;
  origins.note(answer('one', long), 'main');
  origins.note(answer('two'), 'backup');
  expect(['one', long, 'two', 'three', ''].map((sealed) => origins.originOf(sealed))).toEqual([
    'main',
    'main',
    'backup',
    undefined,
    undefined,
  ]);
});

test('whoever sealed it last is its maker', () => {
  const origins = openReasoningOrigins();
  origins.note(answer('one'), 'main');
  origins.note(answer('one'), 'backup');
  expect(origins.originOf('one')).toBe('backup');
});

test('what was seen longest ago is forgotten first', () => {
  const origins = openReasoningOrigins(2);
  origins.note(answer('one', 'two'), 'main');
  origins.note(answer('one'), 'main');
  origins.note(answer('three'), 'main');
  expect(['one', 'two', 'three'].map((sealed) => origins.originOf(sealed))).toEqual(['main', undefined, 'main']);
});

/** Who sealed which thoughts: remembered by their ends, the newest of them, and nobody's for ever. */
import { expect, test } from 'vitest';
import { openMakers } from '../../../server/history/makers.ts';

const answer = (...sealed: readonly string[]): Buffer =>
  Buffer.from(JSON.stringify({ output: sealed.map((encrypted_content) => ({ type: 'reasoning', encrypted_content })) }));

test('an upstream is known by every seal in its answers, however long, and by no other', () => {
  const makers = openMakers();
  const long = `${'x'.repeat(10_000)}check-sum`;
  makers.note(answer('one', long), 'main');
  makers.note(answer('two'), 'backup');
  expect(['one', long, 'two', 'three', ''].map((sealed) => makers.makerOf(sealed))).toEqual([
    'main',
    'main',
    'backup',
    undefined,
    undefined,
  ]);
});

test('whoever sealed it last is its maker', () => {
  const makers = openMakers();
  makers.note(answer('one'), 'main');
  makers.note(answer('one'), 'backup');
  expect(makers.makerOf('one')).toBe('backup');
});

test('what was seen longest ago is forgotten first', () => {
  const makers = openMakers(2);
  makers.note(answer('one', 'two'), 'main');
  makers.note(answer('one'), 'main');
  makers.note(answer('three'), 'main');
  expect(['one', 'two', 'three'].map((sealed) => makers.makerOf(sealed))).toEqual(['main', undefined, 'main']);
});

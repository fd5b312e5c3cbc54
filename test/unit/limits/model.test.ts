/** The limiter against a naive model: takes, returns and ends in any order give the same results (promise G11). */
import fc from 'fast-check';
import { test } from 'vitest';
import { recordAttempts } from '../../harness/record-attempts.ts';
import { play, step } from './play.ts';

test('G11, F39: returns the result of the naive limiter to each call, in any order of steps', () => {
  const steps = 9_900;
  let taken = 0;
  const lists = fc.property(fc.array(step, { minLength: 20, maxLength: 120, size: 'max' }), (list) => {
    taken += play(list);
  });
  while (taken < steps) fc.assert(lists, { numRuns: 10 });
  recordAttempts('G11', { what: 'steps beside a model of the limits', times: steps });
});

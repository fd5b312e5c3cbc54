/** A step on limits that cannot be written, in one batch with others (promise G11). */
import { expect, test } from 'vitest';
import { gatherSteps } from '../../../../server/limits/redis/batcher.ts';

test('when a step cannot be written, all steps of its batch are rejected with that error', async () => {
  const { ask } = gatherSteps(
    { run: () => Promise.reject(new Error('nothing was sent')) },
    { clock: () => ({ time: '', leaseMs: '1' }), expected: () => 0 },
  );
  const fault = new Error('cannot be written down');
  const asked = [
    ask(() => {
      throw fault;
    }),
    ask((placeOf) => `c 0\n${placeOf('rate')} requests 1 0 0 0`),
  ];
  expect(await Promise.allSettled(asked)).toEqual(asked.map(() => ({ status: 'rejected', reason: fault })));
});

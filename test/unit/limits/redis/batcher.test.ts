/** Steps on limits that travel in one script and fail (promise G11). */
import { expect, test } from 'vitest';
import type { Connection } from '../../../../server/limits/redis/connection.ts';
import { createStepBatcher } from '../../../../server/limits/redis/step-batcher.ts';

const step = (placeOf: (key: string) => number): string => `c 0\n${placeOf('rate')} requests 1 0 0 0`;

/** Redis that gives these answers to each script; the numbers of steps that it got. */
function openSteps(answersTo: (steps: number) => unknown, expected = 0) {
  const sizes: number[] = [];
  // `as`: the answers of Redis have no type of their own.
  const run: Connection['run'] = async <T>(_: unknown, { args }: { args: readonly string[] }) => {
    sizes.push(args.length - 2);
    return answersTo(args.length - 2) as T;
  };
  return { sizes, ...createStepBatcher({ run }, { clock: () => ({ time: '', leaseMs: '1' }), expected: () => expected }) };
}

const all = (count: number): number[][] => Array.from({ length: count }, (_, index) => [index]);

test('rejects all steps of a batch with the error of one that cannot be written', async () => {
  const { ask } = openSteps(all);
  const fault = new Error('cannot be written down');
  const asked = [
    ask(() => {
      throw fault;
    }),
    ask(step),
  ];
  expect(await Promise.allSettled(asked)).toEqual(asked.map(() => ({ status: 'rejected', reason: fault })));
});

test('rejects all steps of a batch when Redis is down', async () => {
  const { ask } = openSteps(() => {
    throw new Error('Redis is down');
  });
  await expect(Promise.all([ask(step), ask(step)])).rejects.toThrow('Redis is down');
});

test('rejects a step that fails in Redis or has no answer, and answers the others', async () => {
  const { ask } = openSteps(() => [[5, 6], ['ERR wrong type']]);
  const [one, failed, lost] = await Promise.allSettled([ask(step), ask(step), ask(step)]);
  expect(one).toEqual({ status: 'fulfilled', value: [5, 6] });
  expect(failed).toMatchObject({ status: 'rejected', reason: new Error('ERR wrong type') });
  expect(lost?.status).toBe('rejected');
});

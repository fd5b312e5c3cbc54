/** Steps on limits that travel in one script: how many, when they are sent, and what comes of those that fail (promise G11). */
import { setImmediate as nextTurn } from 'node:timers/promises';
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

test('when a step cannot be written, all steps of its batch are rejected with that error', async () => {
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

test('when Redis is down, all steps of a batch are rejected', async () => {
  const { ask } = openSteps(() => {
    throw new Error('Redis is down');
  });
  await expect(Promise.all([ask(step), ask(step)])).rejects.toThrow('Redis is down');
});

test('a step that fails in Redis is rejected with its error, one without an answer too, and the others get theirs', async () => {
  const { ask } = openSteps(() => [[5, 6], ['ERR wrong type']]);
  const [one, failed, lost] = await Promise.allSettled([ask(step), ask(step), ask(step)]);
  expect(one).toEqual({ status: 'fulfilled', value: [5, 6] });
  expect(failed).toMatchObject({ status: 'rejected', reason: new Error('ERR wrong type') });
  expect(lost?.status).toBe('rejected');
});

test('a script has at most 32 steps', async () => {
  const { ask, sizes } = openSteps(all);
  const asked = await Promise.all(Array.from({ length: 33 }, () => ask(step, true)));
  expect([sizes, asked.at(31), asked.at(32)]).toEqual([[32, 1], [31], [0]]);
});

test('a step waits for others that are expected, unless it is urgent or all are sent', async () => {
  const { ask, flush, sizes } = openSteps(all, 5);
  const calm = ask(step);
  await nextTurn();
  expect(sizes).toEqual([]);
  await flush();
  expect([sizes, await calm]).toEqual([[1], [0]]);
  const urgent = ask(step, true);
  await nextTurn();
  expect([sizes, await urgent]).toEqual([[1, 1], [0]]);
});

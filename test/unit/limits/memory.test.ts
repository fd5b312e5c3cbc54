/** What only the limiter in memory does: it finds full slots without waiting, forgets idle keys, and starts empty. */
import { expect, test } from 'vitest';
import { limitOf, openClocked, takeOf } from './limit.ts';

const slots = limitOf('concurrency', 1);

test('finds the enforced limit without a free slot', () => {
  const { limits } = openClocked();
  const some = [limitOf('requests', 1), limitOf('concurrency', 1, { mode: 'observe', subject: 'observed' }), slots];
  limits.acquire(takeOf(some.slice(0, 2)));
  expect(limits.findFull(some)).toBeNull();
  limits.acquire(takeOf([slots]));
  expect(limits.findFull(some)).toBe(slots);
});

test("keeps a key's debt and slots while 12,000 other keys are used", () => {
  const { limits, pass } = openClocked();
  const debtor = limitOf('tokens', 10, { subject: 'debtor' });
  const take = takeOf([debtor]);
  limits.acquire(take);
  limits.finish(take, 10_000);
  pass(11 * 60_000);
  const others = [limitOf('tokens', 10), slots, limitOf('requests', 3)].map((limit) => ({ ...limit, subject: 'new debtor' }));
  limits.acquire(takeOf(others, { tokens: 10, quantities: ['tokens', 'concurrency'] }));
  limits.acquire(takeOf(others, { quantities: ['requests'], isProvisional: true }));
  for (let count = 0; count < 12_000; count++) limits.acquire(takeOf([limitOf('requests', 10, { subject: `key_${count}` })]));
  expect(limits.peek([debtor]).tokens).toMatchObject({ remaining: 0 });
  expect(limits.getStatuses(others).map(({ remaining }) => remaining)).toEqual([0, 0, 2]);
});

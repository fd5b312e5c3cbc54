/** The number of open holds, for which the group commit waits (promise G1). */
import { expect, test } from 'vitest';
import { countInFlight, type InFlightCalls } from '../../../server/money/in-flight.ts';
import { noon, openMemory, order, posting, topUp } from './open.ts';

async function open() {
  const { ledger } = openMemory('ada');
  await topUp(ledger, 'ada', 10n);
  const away: InFlightCalls = { count: 0 };
  return { away, steps: countInFlight(away, ledger) };
}

test('a hold counts until it is posted or voided', async () => {
  const { away, steps } = await open();
  await steps.reserve(order({ requestId: 'r1', amount: 4n }));
  await steps.reserve(order({ requestId: 'r2', amount: 4n }));
  expect(away.count).toBe(2);
  await steps.post(posting('r1', 4n));
  expect(away.count).toBe(1);
  await steps.void('r2', noon, 'failed');
  expect(away.count).toBe(0);
});

test('a rejected hold does not count', async () => {
  const { away, steps } = await open();
  expect(await steps.reserve(order({ requestId: 'r1', amount: 11n }))).toMatchObject({ kind: 'rejected' });
  expect(away.count).toBe(0);
});

test('a hold stops counting when its end is requested, not when it is on disk', async () => {
  const { away, steps } = await open();
  await steps.reserve(order({ requestId: 'r1', amount: 4n }));
  const ending = steps.post(posting('r1', 4n));
  expect(away.count).toBe(0);
  await ending;
});

test('the end of an unknown hold does not count below zero', async () => {
  const { away, steps } = await open();
  await steps.void('r1', noon, 'failed');
  await steps.post(posting('r1', 4n));
  expect(away.count).toBe(0);
  await steps.reserve(order({ requestId: 'r2', amount: 4n }));
  expect(away.count).toBe(1);
});

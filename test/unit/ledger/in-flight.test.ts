/** How many callers hold money and will be back: whoever is first at the store waits for them (promise G1 at a low price). */
import { expect, test } from 'vitest';
import { countInFlight, type InFlightCalls } from '../../../server/ledger/in-flight.ts';
import { noon, openMemory, order, posting, topUp } from './open.ts';

async function open() {
  const { ledger } = openMemory('ada');
  await topUp(ledger, 'ada', 10n);
  const away: InFlightCalls = { count: 0 };
  return { away, steps: countInFlight(away, ledger) };
}

test('a caller who holds money is away until it is charged or given back', async () => {
  const { away, steps } = await open();
  await steps.reserve(order({ requestId: 'r1', amount: 4n }));
  await steps.reserve(order({ requestId: 'r2', amount: 4n }));
  expect(away.count).toBe(2);
  await steps.post(posting('r1', 4n));
  expect(away.count).toBe(1);
  await steps.void('r2', noon, 'failed');
  expect(away.count).toBe(0);
});

test('a caller who is refused is not', async () => {
  const { away, steps } = await open();
  expect(await steps.reserve(order({ requestId: 'r1', amount: 11n }))).toMatchObject({ kind: 'refused' });
  expect(away.count).toBe(0);
});

test('a caller is back when the end is asked for, not when that is on disk', async () => {
  const { away, steps } = await open();
  await steps.reserve(order({ requestId: 'r1', amount: 4n }));
  const ending = steps.post(posting('r1', 4n));
  expect(away.count).toBe(0);
  await ending;
});

test('an end that is asked for twice is no second caller', async () => {
  const { away, steps } = await open();
  await steps.void('r1', noon, 'failed');
  await steps.post(posting('r1', 4n));
  expect(away.count).toBe(0);
  await steps.reserve(order({ requestId: 'r2', amount: 4n }));
  expect(away.count).toBe(1);
});

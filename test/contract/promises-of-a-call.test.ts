/** What a small call costs, counted in promises: each is memory and a turn of the queue, and time cannot be measured in a test. */
import { promiseHooks } from 'node:v8';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BehindVendor, openBehindVendor } from '../harness/vendor.ts';

const CALLS = 20;
/** Made by code of the gateway: it makes 25 today. A step that need not wait makes none (server/primitives/awaitable.ts). */
const MOST = 26;

let behind: BehindVendor;
beforeAll(async () => {
  behind = await openBehindVendor({ settings: { billing: 'off' } });
});
afterAll(() => behind.close());

/** The number of promises that functions below `server/` make while this runs. */
async function countPromises(work: () => Promise<unknown>): Promise<number> {
  let made = 0;
  const stop = promiseHooks.onInit(() => {
    const [, , maker = '', caller = ''] = String(new Error('where').stack).split('\n');
    if (`${maker}${caller}`.includes('/server/')) made++;
  });
  try {
    await work();
  } finally {
    stop();
  }
  return made;
}

test(`a small chat that is passed on makes at most ${MOST} promises`, async () => {
  const body = JSON.stringify({ model: 'gpt-5.4', messages: [{ role: 'user', content: 'say hello' }] });
  const call = async () => {
    const answer = await behind.post('/chat/completions', body);
    expect(answer.status).toBe(200);
    await answer.arrayBuffer();
  };
  // The first call finds the key, which the gateway then knows for a second.
  await call();
  const made = await countPromises(async () => {
    for (let left = CALLS; left > 0; left--) await call();
  });
  expect(made / CALLS).toBeGreaterThan(MOST / 2);
  expect(made / CALLS).toBeLessThanOrEqual(MOST);
});

/** Status 429 of a vendor: one code, with the wait in the headers that clients read. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { json, stream } from '../fakes/delivery.ts';
import { failure } from '../fakes/faults.ts';
import { failedFrames } from '../fakes/responses.ts';
import type { HeaderValues } from '../fakes/script.ts';
import { protocols, responses } from '../harness/protocols.ts';
import { expectRefusal } from '../harness/refusal.ts';
import { type BehindVendor, openBehindVendor } from '../harness/vendor.ts';

let vendor: BehindVendor;
beforeAll(async () => {
  vendor = await openBehindVendor();
});
afterAll(() => vendor.close());

/** The retry-after of the vendor, and the seconds that the caller reads. */
const waits: readonly (readonly [given: string | undefined, seconds: string])[] = [
  [undefined, '1'],
  ['7', '7'],
  ['0.3', '1'],
  ['0', '1'],
  ['-5', '1'],
  ['2.2', '3'],
  ['soon', '1'],
  ['99999999', '3600'],
];

async function expectWait(answer: Response, seconds: string): Promise<void> {
  expect([answer.headers.get('retry-after'), answer.headers.get('retry-after-ms')]).toEqual([seconds, `${seconds}000`]);
  const { error } = await expectRefusal(answer, { code: 'rate_limit_exceeded', says: 'upstream' });
  expect(error.message).not.toMatch(/org-|VENDOR/);
}

describe.each(protocols)('$name', ({ path, ask, streamed }) => {
  test.each(waits)('F61: retry-after %s of a vendor becomes a wait of %s s', async (given, seconds) => {
    const busy = { message: 'Rate limit reached for VENDOR in organization org-1.', code: 'rate_limit_exceeded' };
    const headers: HeaderValues = given === undefined ? {} : { 'retry-after': given };
    vendor.fake.next(failure(429, { ...busy, headers })).next(failure(429, { ...busy, code: null, headers }));
    await expectWait(await vendor.post(path, JSON.stringify(ask)), seconds);
    await expectWait(await vendor.post(path, JSON.stringify({ ...ask, ...streamed })), seconds);
  });

  test('a rate limit error with status 200 is 429', async () => {
    const error = { message: 'VENDOR', type: 'rate_limit_error', code: 'rate_limit_exceeded', param: null };
    vendor.fake.next(json({ error })).next(stream([{ data: { error } }]));
    await expectWait(await vendor.post(path, JSON.stringify(ask)), '1');
    await expectWait(await vendor.post(path, JSON.stringify({ ...ask, ...streamed })), '1');
  });
});

test('F04: a rate limit error as the first event of a stream is 429', async () => {
  vendor.fake.next(stream(failedFrames({ code: 'rate_limit_exceeded', message: 'VENDOR' })));
  await expectWait(await vendor.post(responses.path, JSON.stringify({ ...responses.ask, stream: true })), '1');
});

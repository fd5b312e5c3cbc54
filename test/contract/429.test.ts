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

/** The headers of the vendor, and the seconds and milliseconds that the caller reads. */
const waits: readonly (readonly [given: HeaderValues, seconds: string, ms: string])[] = [
  [{}, '1', '1000'],
  [{ 'retry-after': '7' }, '7', '7000'],
  [{ 'retry-after': '0.3' }, '1', '300'],
  [{ 'retry-after': '0' }, '1', '1000'],
  [{ 'retry-after': '-5' }, '1', '1000'],
  [{ 'retry-after': '2.2' }, '3', '2200'],
  [{ 'retry-after': 'soon' }, '1', '1000'],
  [{ 'retry-after': '99999999' }, '3600', '3600000'],
  [{ 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }, '1', '1000'],
  [{ 'retry-after-ms': '20500' }, '21', '20500'],
  [{ 'retry-after-ms': '1500', 'retry-after': '9' }, '2', '1500'],
  [{ 'retry-after-ms': 'soon', 'retry-after': '9' }, '9', '9000'],
];

async function expectWait(answer: Response, seconds: string, ms = `${seconds}000`): Promise<void> {
  expect([answer.headers.get('retry-after'), answer.headers.get('retry-after-ms')]).toEqual([seconds, ms]);
  const { error } = await expectRefusal(answer, { code: 'rate_limit_exceeded', says: 'upstream' });
  expect(error.message).not.toMatch(/org-|VENDOR/);
}

describe.each(protocols)('$name', ({ path, ask, streamed }) => {
  test.each(waits)('returns the wait of a provider: %j', async (headers, seconds, ms) => {
    const busy = { message: 'Rate limit reached for VENDOR in organization org-1.', code: 'rate_limit_exceeded' };
    vendor.fake.next(failure(429, { ...busy, headers })).next(failure(429, { ...busy, code: null, headers }));
    await expectWait(await vendor.post(path, JSON.stringify(ask)), seconds, ms);
    await expectWait(await vendor.post(path, JSON.stringify({ ...ask, ...streamed })), seconds, ms);
  });

  test('returns the seconds until the date that a provider gives', async () => {
    const headers = { 'retry-after': new Date(Date.now() + 20_000).toUTCString() };
    vendor.fake.next(failure(429, { message: 'Slow down.', code: 'rate_limit_exceeded', headers }));
    const answer = await vendor.post(path, JSON.stringify(ask));
    await expectRefusal(answer, { code: 'rate_limit_exceeded' });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(15);
    expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(20);
  });

  test('returns 429 for a rate limit error with status 200', async () => {
    const error = { message: 'VENDOR', type: 'rate_limit_error', code: 'rate_limit_exceeded', param: null };
    vendor.fake.next(json({ error })).next(stream([{ data: { error } }]));
    await expectWait(await vendor.post(path, JSON.stringify(ask)), '1');
    await expectWait(await vendor.post(path, JSON.stringify({ ...ask, ...streamed })), '1');
  });
});

test('F04: returns 429 for a rate limit error as the first event of a stream', async () => {
  vendor.fake.next(stream(failedFrames({ code: 'rate_limit_exceeded', message: 'VENDOR' })));
  await expectWait(await vendor.post(responses.path, JSON.stringify({ ...responses.ask, stream: true })), '1');
});

/** Status 429 as a vendor gives it: handed on under one code, with the wait in the form that every client reads. */
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

/** What the vendor says, and the whole seconds that the caller reads. */
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
  test.each(waits)('F61: a caller of a vendor that says retry-after: %s waits %s s', async (given, seconds) => {
    const busy = { message: 'Rate limit reached for VENDOR in organization org-1.', code: 'rate_limit_exceeded' };
    const headers: HeaderValues = given === undefined ? {} : { 'retry-after': given };
    vendor.fake.next(failure(429, { ...busy, headers })).next(failure(429, { ...busy, code: null, headers }));
    await expectWait(await vendor.post(path, JSON.stringify(ask)), seconds);
    await expectWait(await vendor.post(path, JSON.stringify({ ...ask, ...streamed })), seconds);
  });

  test('a vendor that is busy within status 200 is busy', async () => {
    const error = { message: 'VENDOR', type: 'rate_limit_error', code: 'rate_limit_exceeded', param: null };
    vendor.fake.next(json({ error })).next(stream([{ data: { error } }]));
    await expectWait(await vendor.post(path, JSON.stringify(ask)), '1');
    await expectWait(await vendor.post(path, JSON.stringify({ ...ask, ...streamed })), '1');
  });
});

test('F04: a vendor that begins its stream with a failure for want of room is busy, not answering', async () => {
  vendor.fake.next(stream(failedFrames({ code: 'rate_limit_exceeded', message: 'VENDOR' })));
  await expectWait(await vendor.post(responses.path, JSON.stringify({ ...responses.ask, stream: true })), '1');
});

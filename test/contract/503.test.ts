/** Status 503: an overloaded vendor, under one code and with a wait. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { json, stream } from '../fakes/delivery.ts';
import { failure, html } from '../fakes/faults.ts';
import { failedFrames } from '../fakes/responses.ts';
import type { Script } from '../fakes/script.ts';
import { protocols, responses } from '../harness/protocols.ts';
import { expectRefusal } from '../harness/refusal.ts';
import { type BehindVendor, openBehindVendor } from '../harness/vendor.ts';

let vendor: BehindVendor;
beforeAll(async () => {
  vendor = await openBehindVendor();
});
afterAll(() => vendor.close());

async function expectWait(answer: Response, seconds: string): Promise<void> {
  expect([answer.headers.get('retry-after'), answer.headers.get('retry-after-ms')]).toEqual([seconds, `${seconds}000`]);
  const { error } = await expectRefusal(answer, { code: 'upstream_unavailable' });
  expect(error.message).not.toContain('VENDOR');
}

const error = { message: 'VENDOR', type: 'server_error', param: null };
const fulls: readonly (readonly [title: string, script: Script, seconds: string])[] = [
  ['answers 503', failure(503, error), '1'],
  ['answers 503 with retry-after', failure(503, { ...error, headers: { 'retry-after': '30' } }), '30'],
  ['answers 503 with a page', html('<h1>VENDOR</h1>', { status: 503 }), '1'],
  ['answers 529', failure(529, { ...error, code: 'overloaded_error' }), '1'],
];

describe.each(protocols)('$name', ({ path, ask, streamed }) => {
  test.each(fulls)('returns `upstream_unavailable` with a wait for a provider that %s', async (_title, script, seconds) => {
    for (const request of [ask, { ...ask, ...streamed }]) {
      vendor.fake.next(script);
      await expectWait(await vendor.post(path, JSON.stringify(request)), seconds);
    }
  });

  test.each(['server_is_overloaded', 'slow_down', 'overloaded_error'])(
    'returns `upstream_unavailable` with a wait for the code %s with status 200',
    async (code) => {
      vendor.fake.next(json({ error: { ...error, code } })).next(stream([{ data: { error: { ...error, code } } }]));
      await expectWait(await vendor.post(path, JSON.stringify(ask)), '1');
      await expectWait(await vendor.post(path, JSON.stringify({ ...ask, ...streamed })), '1');
    },
  );
});

test('F04: returns `upstream_unavailable` for a capacity error as the first event of a stream', async () => {
  vendor.fake.next(stream(failedFrames({ code: 'server_is_overloaded', message: 'VENDOR' })));
  await expectWait(await vendor.post(responses.path, JSON.stringify({ ...responses.ask, stream: true })), '1');
});

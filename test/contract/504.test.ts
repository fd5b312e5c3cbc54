/** Status 504: a vendor that does not answer in time, at any step of its answer. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { json, stream } from '../fakes/delivery.ts';
import { failure, silence } from '../fakes/faults.ts';
import type { Script } from '../fakes/script.ts';
import { protocols, responses } from '../harness/protocols.ts';
import { expectRefusal } from '../harness/refusal.ts';
import { type BehindVendor, openBehindVendor, shortWaits } from '../harness/vendor.ts';

let vendor: BehindVendor;
beforeAll(async () => {
  vendor = await openBehindVendor({ upstream: shortWaits });
});
afterAll(() => vendor.close());

type Kind = 'whole' | 'stream';
const silences: readonly (readonly [title: string, script: Script, kinds: readonly Kind[]])[] = [
  ['is silent after the request', silence, ['whole', 'stream']],
  ['is silent after its headers', json('{}'.repeat(50), { stopAfter: { bytes: 0 }, ending: 'stall' }), ['whole']],
  ['is silent after half of its JSON', json('{}'.repeat(50), { stopAfter: { bytes: 50 }, ending: 'stall' }), ['whole']],
  ['begins a stream without an event', stream([], { ending: 'stall' }), ['stream']],
  ['begins a stream with comments alone', stream([{ comment: ' thinking' }], { ending: 'stall' }), ['stream']],
  ['begins a stream with half an event', stream([{ raw: 'data: {"id":' }], { ending: 'stall' }), ['stream']],
];

test.each(silences)('returns 504 and closes the connection to a provider that %s', async (_title, script, kinds) => {
  const requests = protocols.flatMap(({ path, ask, streamed }) =>
    kinds.map((kind) => ({ path, body: JSON.stringify(kind === 'whole' ? ask : { ...ask, ...streamed }) })),
  );
  for (const _ of requests) vendor.fake.next(script);
  // The answers come though the vendor stays silent for the whole test.
  const answers = await Promise.all(requests.map(({ path, body }) => vendor.post(path, body)));
  for (const answer of answers) {
    expect(await vendor.gateway.lineOf(answer)).toMatchObject({ status: 504, code: 'upstream_timeout', end: 'failed' });
    await expectRefusal(answer, { code: 'upstream_timeout' });
  }
  // The vendor must see a closed connection, or it would go on working.
  for (const { index } of vendor.fake.requests.slice(-requests.length)) await vendor.fake.hangUp(index);
});

test.each([408, 504])('returns upstream_timeout for status %s of a provider', async (status) => {
  for (const { path, ask } of protocols) {
    vendor.fake.next(failure(status));
    await expectRefusal(await vendor.post(path, JSON.stringify(ask)), { code: 'upstream_timeout' });
  }
});

test('returns 504 for a stream that stalls after its opening events, before any output', async () => {
  vendor.fake.next(stream(responses.frames, { stopAfter: { frames: 2 }, ending: 'stall' }));
  const answer = await vendor.post(responses.path, JSON.stringify({ ...responses.ask, stream: true }));
  await expectRefusal(answer, { code: 'upstream_timeout' });
});

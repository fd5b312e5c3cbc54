/** Vendors whose stream does not end, because they fall silent or send comments for ever: the gateway cuts it, and it never looks complete. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { stream } from '../fakes/delivery.ts';
import { firehose } from '../fakes/faults.ts';
import { type Protocol, protocols } from '../harness/protocols.ts';
import { recordAttempts } from '../harness/record-attempts.ts';
import { openBehindVendor, waitsOf } from '../harness/vendor.ts';

const asked = ({ ask, streamed }: Protocol) => JSON.stringify({ ...ask, ...streamed });

// Concurrent, since each test waits for a timeout.
describe.concurrent.each(protocols)('F01, G8: $name', (protocol) => {
  test('cuts a stream after totalMs when the provider sends comments forever', async ({ expect: own }) => {
    const slow = await openBehindVendor({ upstream: waitsOf({ totalMs: 3_000 }) });
    const at = protocol.opening + 1;
    const [head, ...body] = stream(protocol.frames.slice(0, at), { ending: 'stall' });
    if (!head) throw new Error('no head');
    const drip = firehose({ comment: ' still here' }, 1).slice(1, -1);
    const wait = { kind: 'wait', ms: 20 } as const;
    slow.fake.next([head, ...body.slice(0, -1), ...Array.from({ length: 100_000 }, () => [wait, ...drip]).flat()]);
    const answer = await slow.post(protocol.path, asked(protocol));
    own(protocol.expectBroken(await answer.text()).code).toBe('upstream_timeout');
    await slow.fake.hangUp(0);
    own(slow.fake.last).toMatchObject({ closedAt: expect.any(Number), endedAt: null });
    await slow.close();
  });
});

test('F01, G8: cuts a stream after idleMs when the provider falls silent after any frame', async () => {
  const hasty = await openBehindVendor({ upstream: waitsOf({ idleMs: 1_000 }) });
  onTestFinished(() => hasty.close());
  const places = protocols.flatMap((protocol) =>
    protocol.frames.slice(protocol.opening + 1, protocol.enough).map((_, index) => ({ protocol, frames: protocol.opening + 1 + index })),
  );
  await Promise.all(
    places.map(async ({ protocol, frames }) => {
      // In one chunk, so that there is no pause before the silence.
      const script = stream(protocol.frames, { stopAfter: { frames }, ending: 'stall', chunkBytes: 1_000_000 });
      hasty.fake.next(script, { path: `/v1${protocol.path}` });
      const answer = await hasty.post(protocol.path, asked(protocol));
      expect(protocol.expectBroken(await answer.text()).code).toBe('upstream_timeout');
    }),
  );
  for (const { index } of hasty.fake.requests) await hasty.fake.hangUp(index);
  recordAttempts('G8', { what: 'cuts of a stream', times: places.length });
});

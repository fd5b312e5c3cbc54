/** Metrics and log lines of overload: each kind has its own metric, and a rejected call has one log line. */
import { expect, onTestFinished, test } from 'vitest';
import { json, stream } from '../../fakes/delivery.ts';
import { later } from '../../fakes/faults.ts';
import { openFake } from '../../fakes/upstream.ts';
import { beginStream } from '../../harness/disconnecting-caller.ts';
import { chat } from '../../harness/protocols.ts';
import { openWatched, type Watched } from '../../harness/telemetry.ts';

async function open({ upstream = {}, server = {} }: { upstream?: object; server?: object }) {
  const fake = await openFake();
  onTestFinished(() => fake.close());
  const vendor = { kind: 'openai', baseUrl: fake.url, apiKey: 'sk-vendor', ...upstream };
  const model = chat.ask.model;
  const models = [
    { id: model, kind: 'text', upstream: 'vendor' },
    { id: 'over-hasty', kind: 'text', upstream: 'hasty' },
  ];
  const watched = await openWatched({ settings: { server, upstreams: { vendor, hasty: { ...vendor, drainMs: 600 } }, models } });
  return { ...watched, fake, model };
}

const statusOf = async (answer: Promise<Response>): Promise<number> => {
  const { status, text } = await answer.then(async (done) => ({ status: done.status, text: await done.text() }));
  expect(text.length).toBeGreaterThan(0);
  return status;
};

/** All log lines about calls. */
const linesOf = ({ served }: Watched) => [...served.logged('request failed'), ...served.logged('request')];

test('counts shed calls by their reason, each with one log line without a stack', async () => {
  // Every process uses more.
  const gateway = await open({ server: { overload: { memoryMiB: 1 } } });
  await expect.poll(() => gateway.served.logged('overloaded; rejecting new requests')).toHaveLength(1);
  for (let count = 0; count < 3; count++) expect(await statusOf(gateway.call(chat.ask))).toBe(503);
  await gateway.counted(3);
  expect((await gateway.metrics()).sum('modelgate_overload_rejected_total', 'reason="memory"')).toBe(3);
  await expect.poll(() => linesOf(gateway)).toHaveLength(3);
  for (const line of linesOf(gateway)) expect(line).toMatchObject({ level: 'warn', status: 503, code: 'overloaded', msg: 'request' });
  expect(gateway.served.log).not.toContain('"frames"');
});

test('counts a call that a full upstream rejects for that upstream, with one log line and no stack', async () => {
  const gateway = await open({ upstream: { maxConcurrentRequests: 1 } });
  const { promise: gate, resolve: go } = Promise.withResolvers<void>();
  gateway.fake.next(later(gate, json(chat.whole)));
  const running = gateway.call(chat.ask);
  await gateway.fake.arrival(0);
  expect(await statusOf(gateway.call(chat.ask))).toBe(503);
  go();
  expect(await statusOf(running)).toBe(200);
  await gateway.counted(2);
  const metrics = await gateway.metrics();
  expect(metrics.sum('modelgate_upstream_concurrency_limited_total', 'upstream="vendor"', `model="${gateway.model}"`)).toBe(1);
  expect(metrics.sum('modelgate_overload_rejected_total')).toBe(0);
  await expect.poll(() => linesOf(gateway)).toHaveLength(2);
  expect(gateway.served.log).not.toContain('"frames"');
});

test('counts drained responses by how they ended, and no others', async () => {
  const gateway = await open({ upstream: { onClientDisconnect: 'drain' } });
  const { origin, key } = gateway.served;
  const { promise: gate, resolve: go } = Promise.withResolvers<void>();
  const head = chat.frames.slice(0, 2);
  gateway.fake.next(stream([...head, { until: gate }, ...chat.frames.slice(2)]));
  await (await beginStream({ origin, key, body: { ...chat.ask, ...chat.streamed } })).leave();
  // The connection to the vendor is still open.
  expect(gateway.fake.last.closedAt).toBeNull();
  go();
  for (const _ of [1, 2]) {
    gateway.fake.next(stream(chat.frames, { stopAfter: { frames: 2 }, ending: 'stall' }));
    await (await beginStream({ origin, key, body: { ...chat.ask, ...chat.streamed, model: 'over-hasty' } })).leave();
  }
  gateway.fake.next(stream(chat.frames));
  expect(await statusOf(gateway.call({ ...chat.ask, ...chat.streamed }))).toBe(200);
  const drained = async (): Promise<number[]> => {
    const { sum } = await gateway.metrics();
    const of = (upstream: string) => {
      const ended = (end: string) => sum('modelgate_responses_drained_total', `upstream="${upstream}"`, `outcome="${end}"`);
      return [sum('modelgate_requests_total', `upstream="${upstream}"`), ended('completed'), ended('cut')];
    };
    return [...of('vendor'), ...of('hasty')];
  };
  await expect.poll(drained).toEqual([2, 1, 0, 2, 0, 2]);
});

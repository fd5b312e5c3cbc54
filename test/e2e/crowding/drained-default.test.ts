/** The default of `onClientDisconnect`: with billing the answer is read to its end, so that disconnecting early saves nothing (promise G6). */
import { afterEach, expect, test } from 'vitest';
import { chatFrames, chatUsage } from '../../fakes/chat.ts';
import { stream } from '../../fakes/delivery.ts';
import { type Fake, openFake } from '../../fakes/upstream.ts';
import { startGateway, type TestGateway } from '../../harness/gateway.ts';

let open: { readonly gateway: TestGateway; readonly fake: Fake } | null = null;
afterEach(async () => {
  await open?.gateway.close();
  await open?.fake.close();
  open = null;
});

/** Disconnects after the text and before the usage. `upstream` adds settings of the upstream. */
async function leaveEarly(upstream: object, settings: object = {}) {
  const fake = await openFake();
  // `undefined` removes the value that the settings of tests have.
  const vendor = { kind: 'openai', baseUrl: fake.url, apiKey: 'sk-vendor', onClientDisconnect: undefined, ...upstream };
  const gateway = await startGateway({
    upstreams: { vendor },
    models: [{ id: 'gpt-5.4', kind: 'text', prices: { input: '1', output: '4' } }],
    ...settings,
  });
  open = { gateway, fake };
  const rest = Promise.withResolvers<void>();
  const frames = chatFrames({ text: ['one ', 'two'], includeUsage: true, usage: { ...chatUsage, completion_tokens: 5_000 } });
  fake.next(stream([...frames.slice(0, 3), { until: rest.promise }, ...frames.slice(3)]));
  const leaving = new AbortController();
  const json = { model: 'gpt-5.4', stream: true, messages: [{ role: 'user', content: 'Hi' }] };
  const answer = await gateway.call('/chat/completions', { json, signal: leaving.signal });
  await answer.body?.getReader().read();
  leaving.abort();
  const request = fake.requests[0] ?? expect.fail('the vendor was not asked');
  return { gateway, request, rest, id: answer.headers.get('x-request-id') ?? '' };
}

test('B2: charges a caller who disconnects before the last event the usage in it', async () => {
  const { gateway, request, rest, id } = await leaveEarly({});
  await expect.poll(() => gateway.gateway.draining.size).toBe(1);
  expect(request.closedAt).toBeNull();
  rest.resolve();
  expect(await gateway.lineOf(id)).toMatchObject({ end: 'client_disconnected' });
  const charge = await gateway.gateway.money?.ledger.findCharge(id);
  expect(charge).toMatchObject({ state: 'posted', outcome: 'client_disconnected', isEstimated: false, metered: { output: 5_000 } });
});

test.each([
  ['with onClientDisconnect: abort', { onClientDisconnect: 'abort' }, {}],
  ['without billing', {}, { billing: 'off' }],
])('B2: aborts the request to an upstream %s when the caller disconnects', async (_what, upstream, settings) => {
  const { gateway, request, rest } = await leaveEarly(upstream, settings);
  await expect.poll(() => request.closedAt).not.toBeNull();
  expect(gateway.gateway.draining.size).toBe(0);
  rest.resolve();
});

/** Where calls are paid for, an upstream is heard out unless its operator says otherwise: hanging up before the last event saves nothing (promise G6). */
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

/** Leaves behind the last word and before the usage; `upstream`: more of its settings. */
async function leaveEarly(upstream: object, settings: object = {}) {
  const fake = await openFake();
  // `undefined` says that it is left out, which the settings of tests would not leave so.
  const vendor = { kind: 'openai', baseUrl: fake.url, apiKey: 'sk-vendor', onClientGone: undefined, ...upstream };
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

test('B2: a caller who hangs up before the last event is charged what the vendor counts there', async () => {
  const { gateway, request, rest, id } = await leaveEarly({});
  await expect.poll(() => gateway.gateway.draining.size).toBe(1);
  expect(request.closedAt).toBeNull();
  rest.resolve();
  expect(await gateway.lineOf(id)).toMatchObject({ end: 'client_gone' });
  const charge = await gateway.gateway.money?.ledger.findCharge(id);
  expect(charge).toMatchObject({ state: 'posted', outcome: 'client_gone', isEstimated: false, metered: { output: 5_000 } });
});

test.each([
  ['whose operator wants it so', { onClientGone: 'abort' }, {}],
  ['where calls are not paid for', {}, { billing: 'off' }],
])('B2: an upstream %s hears at once that the caller has left', async (_what, upstream, settings) => {
  const { gateway, request, rest } = await leaveEarly(upstream, settings);
  await expect.poll(() => request.closedAt).not.toBeNull();
  expect(gateway.gateway.draining.size).toBe(0);
  rest.resolve();
});

/** A token limit of a group and one account that uses far more: the other accounts wait two minutes at most (promise G11). */
import { expect, onTestFinished, test } from 'vitest';
import { chatCompletion } from '../fakes/chat.ts';
import { json } from '../fakes/delivery.ts';
import { later } from '../fakes/faults.ts';
import { openFake } from '../fakes/upstream.ts';
import { startGateway } from '../harness/gateway.ts';
import { refusals, rushTo, through, times } from './limits-rush.ts';

const ask = { model: 'open', messages: [{ role: 'user', content: 'hello' }], max_tokens: 128_000 };

async function openStage() {
  const fake = await openFake();
  const gateway = await startGateway({
    validateResponses: false,
    upstreams: { vendor: { kind: 'openai', baseUrl: fake.url } },
    groups: { crowd: { limits: { tokensPerMinute: 1_000 } } },
    models: [{ id: 'open', kind: 'text' }],
  });
  onTestFinished(async () => {
    await gateway.close();
    await fake.close();
  });
  const keyOf = async (account: string) => (await gateway.newKey({ account, group: 'crowd' })).key;
  return { fake, gateway, greedy: await keyOf('greedy'), other: await keyOf('other') };
}

test("A7: admits one of ten calls with max_tokens over the group's limit, and another account within two minutes", async () => {
  const { fake, gateway, greedy, other } = await openStage();
  const { promise, resolve } = Promise.withResolvers<void>();
  const usage = { prompt_tokens: 5, completion_tokens: 128_000, total_tokens: 128_005 };
  fake.always(later(promise, json(chatCompletion({ usage }))));
  const rushing = rushTo(gateway.origin, { key: greedy, bodies: times(10, ask) });
  await expect.poll(() => gateway.lines.filter(({ code }) => code === 'token_limit_exceeded').length).toBe(9);
  resolve();
  const said = await rushing;
  expect([through(said), refusals(said)]).toEqual([1, ['429 token_limit_exceeded']]);
  const waitOf = async (key: string): Promise<number> => {
    const answer = await gateway.call('/chat/completions', { method: 'POST', key, json: ask });
    expect([answer.status, (await answer.text()).includes('Limit reached for this group: 1000 tokens per minute')]).toEqual([429, true]);
    return Number(answer.headers.get('retry-after'));
  };
  expect(await waitOf(other)).toBeLessThanOrEqual(120);
  expect(await waitOf(greedy)).toBeGreaterThan(3_600);
});

test("A7: frees tokens for the group that a call didn't use", async () => {
  const { fake, gateway, greedy, other } = await openStage();
  const usage = { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 };
  fake.always(json(chatCompletion({ usage })));
  for (const key of [greedy, other, greedy])
    expect((await gateway.call('/chat/completions', { method: 'POST', key, json: { ...ask, max_tokens: 900 } })).status).toBe(200);
});

/** Kinds of items that a vendor adds to its answers: clients send them back, and conversations hold them. */
import { expect, test } from 'vitest';
import { json } from '../fakes/delivery.ts';
import { response } from '../fakes/responses.ts';
import { openFake } from '../fakes/upstream.ts';
import { behind, startGateway } from '../harness/gateway.ts';
import { useOpened } from '../harness/opened.ts';
import { expectRefusal } from '../harness/refusal.ts';

const fake = useOpened(() => openFake());
const gateway = useOpened(() => {
  const settings = behind(fake.url);
  const models = [
    { id: 'gpt-5.4', kind: 'text', upstream: 'vendor', prices: 'free' },
    { id: 'chat-only', kind: 'text', upstream: 'vendor', protocols: ['chat'], prices: 'free' },
    { id: 'simulated', kind: 'text', upstream: 'simulator', prices: 'free' },
  ];
  const vendor = Object.values(settings.upstreams ?? {})[0];
  // The answers of this vendor are newer than the contract, which a gateway in development insists on.
  return startGateway({
    validateResponses: false,
    upstreams: { vendor, simulator: { kind: 'simulator', eventDelayMs: 0 } },
    models,
  });
});

const news = { type: 'video_call', id: 'vc_1', call_id: 'call_v', frames: [{ at: 1.0, note: 'Grüße' }] };
const strange = { type: 'function_call_output', id: 'fco_1', call_id: 'call_hosted', output: 'ok' };
const user = { role: 'user', content: 'Go.' };
const ask = (body: object) => gateway.call('/responses', { json: { model: 'gpt-5.4', ...body } });

async function answered(...output: object[]) {
  fake.next(
    json({ ...response(), output: [...output, { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [] }] }),
  );
  const answer = await ask({ input: [user] });
  expect(answer.status).toBe(200);
  return (await answer.json()) as { id: string; output: object[] };
}

test('forwards an item of an unknown kind unchanged, from a caller who resends or continues the response', async () => {
  const { id, output } = await answered(news);
  expect(output[0]).toMatchObject(news);
  expect((await ask({ input: [user, ...output, user] })).status).toBe(200);
  expect(fake.last.fields.input).toMatchObject([user, { type: news.type, call_id: news.call_id, frames: news.frames }, {}, user]);
  expect((await ask({ input: [user], previous_response_id: id })).status).toBe(200);
  expect(fake.last.fields.input).toMatchObject([user, { type: news.type, frames: news.frames }, {}, user]);
});

test('checks the items beside it as usual', async () => {
  await expectRefusal(await ask({ input: [news, { role: 'nobody', content: 'Go.' }] }), { code: 'invalid_value', param: 'input[1].role' });
  await expectRefusal(await ask({ input: [news, { type: 5 }] }), { code: 'invalid_value', param: 'input[1].type' });
});

test.each(['chat-only', 'simulated'])("sends nothing to an upstream that can't accept it, and names its position: %s", async (model) => {
  await expectRefusal(await ask({ model, input: [user, news] }), { code: 'invalid_value', param: 'input[1].type' });
});

test('forwards an OpenAI field named like a form part, and a newer format, to an upstream of the same protocol', async () => {
  const newer = { image: { context_compression: 'auto' }, text: { format: { type: 'grammar', syntax: 'lark' }, verbosity: 'low' } };
  fake.next(json(response()));
  expect((await ask({ input: [user], ...newer })).status).toBe(200);
  expect(fake.last.fields).toMatchObject(newer);
  await expectRefusal(await ask({ input: [user], image: 'data:image/png;base64,AAAA' }), { code: 'unknown_parameter', param: 'image' });
  await expectRefusal(await ask({ input: [user], text: { format: { type: 5 } } }), { code: 'invalid_value', param: 'text.format.type' });
  for (const model of ['chat-only', 'simulated']) expect((await ask({ model, input: [user], text: newer.text })).status).toBe(400);
});

test("F13: accepts a provider's tool result without its call, and rejects one of the caller by its position", async () => {
  const { id } = await answered(strange);
  expect((await ask({ input: [user], previous_response_id: id })).status).toBe(200);
  const own = [user, { type: 'function_call_output', call_id: 'call_8', output: '1' }];
  await expectRefusal(await ask({ input: own, previous_response_id: id }), { code: 'invalid_value', param: 'input[1].call_id' });
});

/** Reasoning as vendors of chat ask for it and send it back: handed on where the upstream takes it, else left out and named. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isFields } from '../../../server/primitives/fields.ts';
import { openStage, type Stage } from '../ceilings/stage.ts';

const compatible = { kind: 'openai-compatible' };
let stage: Stage;
beforeAll(async () => {
  stage = await openStage(
    {},
    [
      { id: 'over-chat', kind: 'text', prices: 'free', protocols: ['chat'] },
      { id: 'over-responses', kind: 'text', prices: 'free', protocols: ['responses'] },
    ],
    {
      'plain-vendor': compatible,
      router: { ...compatible, quirks: { reasoningObject: true } },
      thinker: { ...compatible, quirks: { thinkingParts: true } },
      remembering: { ...compatible, quirks: { sendReasoningBack: true } },
    },
  );
});
beforeEach(() => stage.fake.clear());
afterAll(() => stage.close());

/** The body that the vendor got, and the fields that the caller reads as left out. */
async function send(json: object) {
  const reply = await stage.gateway.call('/chat/completions', { json });
  expect([reply.status, await reply.text()]).toEqual([200, expect.any(String)]);
  const body: unknown = stage.fake.requests.at(-1)?.json;
  if (!isFields(body)) throw new Error('the vendor got no JSON');
  return { body, dropped: (reply.headers.get('x-modelgate-dropped') ?? '').split(/, ?/).filter((name) => name !== '') };
}

describe('V5: a chat caller sends `reasoning` as an object', () => {
  const hi = { messages: [{ role: 'user', content: 'Hi' }] };

  test('an upstream that takes the object is sent it unchanged', async () => {
    const reasoning = { max_tokens: 2_000, exclude: false };
    const { body, dropped } = await send({ ...hi, model: 'router', reasoning });
    expect([body.reasoning, body.reasoning_effort, dropped]).toEqual([reasoning, undefined, []]);
  });

  test.each(['plain-vendor', 'over-chat', 'over-responses'])('%s: other fields than the effort are left out and named', async (model) => {
    const { body, dropped } = await send({ ...hi, model, reasoning: { max_tokens: 2_000, enabled: true, effort: 'low' } });
    expect(JSON.stringify(body)).not.toMatch(/2000|enabled/);
    expect(isFields(body.reasoning) ? body.reasoning.effort : body.reasoning_effort).toBe('low');
    expect(dropped).toEqual(expect.arrayContaining(['reasoning.max_tokens', 'reasoning.enabled']));
    expect(dropped).not.toContain('reasoning.effort');
  });
});

describe('V6: an earlier answer comes back with its thoughts as parts', () => {
  const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'Two and two.' }] };
  const answer = { role: 'assistant', content: [thinking, { type: 'text', text: 'Four.' }] };
  const messages = [{ role: 'user', content: '2+2?' }, answer, { role: 'user', content: 'And 3+3?' }];

  test('an upstream that takes such parts is sent them unchanged', async () => {
    const { body, dropped } = await send({ model: 'thinker', messages });
    expect([body.messages, dropped]).toEqual([messages, []]);
  });

  test('an upstream that wants reasoning in a field is sent it there', async () => {
    const { body, dropped } = await send({ model: 'remembering', messages });
    expect(body.messages).toMatchObject([
      {},
      { content: [{ type: 'text', text: 'Four.' }], reasoning_content: 'Two and two.' },
      { content: 'And 3+3?' },
    ]);
    expect(dropped).toEqual([]);
  });

  test.each(['plain-vendor', 'over-chat', 'over-responses'])('%s: thoughts are left out and named, and the answer stays', async (model) => {
    const { body, dropped } = await send({ model, messages });
    const sent = JSON.stringify(body);
    expect([sent.includes('Two and two.'), sent.includes('Four.')]).toEqual([false, true]);
    expect(dropped).toContain('messages[1].content[0]');
  });

  test('an answer of thoughts alone stays a message where the roles must alternate', async () => {
    const { body } = await send({
      model: 'plain-vendor',
      messages: [messages[0], { role: 'assistant', content: [thinking] }, messages[2]],
    });
    expect(body.messages).toMatchObject([{}, { role: 'assistant', content: '' }, {}]);
  });
});

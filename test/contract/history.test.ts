import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { behind, startGateway, type TestGateway } from '../harness/gateway.ts';

interface Answer {
  readonly id: string;
  readonly store: boolean;
  readonly previous_response_id: string | null;
  readonly error: { readonly code: string; readonly param: string | null; readonly message: string };
}

let fake: Fake;
let gateway: TestGateway;
beforeAll(async () => {
  fake = await openFake();
  gateway = await startGateway(behind(fake.url));
});
afterAll(async () => {
  await gateway.close();
  await fake.close();
});

const ask = async (json: Record<string, unknown>, key?: string) => {
  const answer = await gateway.call('/responses', { json: { model: 'gpt-5.4', ...json }, ...(key === undefined ? {} : { key }) });
  // The tests below look only at the fields named in Answer.
  return { status: answer.status, body: (await answer.json()) as Answer };
};

/** What the upstream was given as the conversation. */
const sentInput = () => fake.last.fields.input;

describe('a conversation that the gateway holds', () => {
  test('goes on from a stored response: the upstream, which stores nothing, gets all of it', async () => {
    const first = await ask({ input: 'My name is Ada.', instructions: 'Be brief.' });
    expect(first.body).toMatchObject({ store: true, previous_response_id: null });
    const second = await ask({ input: 'What is my name?', previous_response_id: first.body.id });
    expect(second.body).toMatchObject({ store: true, previous_response_id: first.body.id });
    expect(fake.last.fields).toMatchObject({ store: false });
    expect(fake.last.fields).not.toHaveProperty('previous_response_id');
    expect(fake.last.fields).not.toHaveProperty('instructions');
    expect(sentInput()).toMatchObject([
      { role: 'user', content: 'My name is Ada.' },
      { type: 'message', role: 'assistant' },
      { role: 'user', content: 'What is my name?' },
    ]);
    expect(JSON.stringify(sentInput())).not.toContain('"id"');
  });

  test('F05: a streamed response can be gone on from the moment its terminal event is read', async () => {
    const answer = await gateway.call('/responses', { json: { model: 'gpt-5.4', input: 'Hi', stream: true } });
    const text = await answer.text();
    const ids = new Set([...text.matchAll(/"response":\{"id":"([^"]+)"/g)].map((match) => match[1]));
    expect(ids.size).toBe(1);
    expect(text).toMatch(/"store":true/);
    const [id] = ids;
    expect((await ask({ input: 'And?', previous_response_id: id })).status).toBe(200);
    expect(sentInput()).toHaveLength(3);
  });

  test('of the answer nothing changes but its id, whether it was stored and what it goes on from', async () => {
    const { body } = await ask({ input: 'Hi' });
    const sent: Answer = JSON.parse(fake.last.sent.toString());
    expect(body.id).toMatch(/^resp_[0-9a-f]{48}$/);
    expect(body).toEqual({ ...sent, id: body.id, store: true, previous_response_id: null });
  });

  test('with store: false it is not kept, and its id is as unknown as any other', async () => {
    const { body } = await ask({ input: 'Forget this.', store: false });
    expect(body.store).toBe(false);
    const unstored = await ask({ input: 'x', previous_response_id: body.id });
    expect(unstored).toMatchObject({
      status: 400,
      body: { error: { code: 'previous_response_not_found', param: 'previous_response_id' } },
    });
  });

  test('F45: a response of another account answers exactly as one that never was', async () => {
    const { body } = await ask({ input: 'A secret.' });
    const { key } = await gateway.newKey({ account: 'other' });
    const foreign = await ask({ input: 'x', previous_response_id: body.id }, key);
    const unknown = await ask({ input: 'x', previous_response_id: body.id.replace(/.{4}$/, 'zzzz') }, key);
    expect(foreign.status).toBe(400);
    expect({ ...foreign.body.error, message: '' }).toEqual({ ...unknown.body.error, message: '' });
  });

  test('F13: a result without its call is refused, naming the call_id; with the call in the chain it is taken', async () => {
    const orphan = await ask({ input: [{ type: 'function_call_output', call_id: 'call_9', output: '1' }] });
    expect(orphan.body.error).toMatchObject({ param: 'input[0].call_id', message: expect.stringContaining('call_9') });
    const first = await ask({ input: 'Hi' });
    const chained = await ask({
      input: [{ type: 'function_call_output', call_id: 'call_9', output: '1' }],
      previous_response_id: first.body.id,
    });
    expect(chained).toMatchObject({ status: 400, body: { error: { param: 'input[0].call_id' } } });
  });

  test('a call that is left without its result is refused, naming it', async () => {
    const call = { type: 'function_call', call_id: 'call_7', name: 'f', arguments: '{}' };
    const { status, body } = await ask({ input: [{ role: 'user', content: 'x' }, call] });
    expect(status).toBe(400);
    expect(body.error.message).toContain('call_7');
  });

  test('F14: a reference to an item that is not stored is refused at once; a stored one is put in its place', async () => {
    expect((await ask({ input: [{ type: 'item_reference', id: 'msg_none' }] })).body.error).toMatchObject({
      code: 'item_not_found',
      param: 'input[0].id',
    });
    const answer = await gateway.call('/responses', { json: { model: 'gpt-5.4', input: 'Hi' } });
    // The shape is the contract's.
    const { output } = (await answer.json()) as { output: { id: string }[] };
    expect(
      (
        await ask({
          input: [
            { type: 'item_reference', id: output[0]?.id },
            { role: 'user', content: 'Again.' },
          ],
        })
      ).status,
    ).toBe(200);
    expect(sentInput()).toMatchObject([{ type: 'message', role: 'assistant' }, { content: 'Again.' }]);
  });
});

/** Stored conversations: continued by id, and sent whole to upstreams that store nothing. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { json, stream } from '../fakes/delivery.ts';
import { response, responseFrames } from '../fakes/responses.ts';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { behind, startGateway, type TestGateway } from '../harness/gateway.ts';
import { openSecondConnection } from '../harness/second-connection.ts';
import { askSecondGateway } from '../harness/second-gateway.ts';

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

/** The input that the upstream got. */
const sentInput = () => fake.last.fields.input;

describe('a stored conversation', () => {
  test("continues from a stored response: the upstream gets all of it, and doesn't store it", async () => {
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

  test('F05: continues a streamed response as soon as its terminal event was read', async () => {
    const answer = await gateway.call('/responses', { json: { model: 'gpt-5.4', input: 'Hi', stream: true } });
    const text = await answer.text();
    const ids = new Set([...text.matchAll(/"response":\{"id":"([^"]+)"/g)].map((match) => match[1]));
    expect(ids.size).toBe(1);
    expect(text).toMatch(/"store":true/);
    const [id] = ids;
    expect((await ask({ input: 'And?', previous_response_id: id })).status).toBe(200);
    expect(sentInput()).toHaveLength(3);
  });

  test('changes only `id`, `store` and `previous_response_id` of a response', async () => {
    const { body } = await ask({ input: 'Hi' });
    const sent: Answer = JSON.parse(fake.last.sent.toString());
    expect(body.id).toMatch(/^resp_[0-9a-f]{48}$/);
    expect(body).toEqual({ ...sent, id: body.id, store: true, previous_response_id: null });
  });

  test("stores no response with `store: false`, and can't continue it", async () => {
    const { body } = await ask({ input: 'Forget this.', store: false });
    expect(body.store).toBe(false);
    const unstored = await ask({ input: 'x', previous_response_id: body.id });
    expect(unstored).toMatchObject({
      status: 400,
      body: { error: { code: 'previous_response_not_found', param: 'previous_response_id' } },
    });
  });

  test('F45, G12: returns the error for an unknown ID when it continues a response of another account', async () => {
    const { body } = await ask({ input: 'A secret.' });
    const { key } = await gateway.newKey({ account: 'other' });
    const foreign = await ask({ input: 'x', previous_response_id: body.id }, key);
    const unknown = await ask({ input: 'x', previous_response_id: body.id.replace(/.{4}$/, 'zzzz') }, key);
    expect(foreign.status).toBe(400);
    expect({ ...foreign.body.error, message: '' }).toEqual({ ...unknown.body.error, message: '' });
  });

  test('F13: rejects a tool result without its call with its `call_id`, also in a chain', async () => {
    const orphan = await ask({ input: [{ type: 'function_call_output', call_id: 'call_9', output: '1' }] });
    expect(orphan.body.error).toMatchObject({ param: 'input[0].call_id', message: expect.stringContaining('call_9') });
    const first = await ask({ input: 'Hi' });
    const chained = await ask({
      input: [{ type: 'function_call_output', call_id: 'call_9', output: '1' }],
      previous_response_id: first.body.id,
    });
    expect(chained).toMatchObject({ status: 400, body: { error: { param: 'input[0].call_id' } } });
  });

  test('rejects a tool call without its result with its `call_id`', async () => {
    const call = { type: 'function_call', call_id: 'call_7', name: 'f', arguments: '{}' };
    const { status, body } = await ask({ input: [{ role: 'user', content: 'x' }, call] });
    expect(status).toBe(400);
    expect(body.error.message).toContain('call_7');
  });

  test('F14: rejects a reference to an unknown item, and replaces one to a stored item by the item', async () => {
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

  test('F14, G12: returns the error for an unknown item for one of another account', async () => {
    const answer = await gateway.call('/responses', { json: { model: 'gpt-5.4', input: 'A secret.' } });
    const { output } = (await answer.json()) as { output: { id: string }[] };
    const { key } = await gateway.newKey({ account: 'other' });
    const refer = (id: string | undefined) => ask({ input: [{ type: 'item_reference', id }] }, key);
    const [foreign, unknown] = [await refer(output[0]?.id), await refer('msg_none')];
    expect(foreign.status).toBe(unknown.status);
    expect(foreign.body.error.message.replace(output[0]?.id ?? '', 'msg_none')).toBe(unknown.body.error.message);
  });

  test('F13: rejects a next turn without the result of a stored tool call, and serves it with the result', async () => {
    fake.next(json(response({ toolCalls: [{ id: 'call_5', name: 'f', arguments: '{}' }] })));
    const first = await ask({ input: 'Go' });
    const left = await ask({ input: 'And?', previous_response_id: first.body.id });
    expect(left).toMatchObject({ status: 400, body: { error: { param: 'input', message: expect.stringContaining('call_5') } } });
    const result = { type: 'function_call_output', call_id: 'call_5', output: '1' };
    expect((await ask({ input: [result], previous_response_id: first.body.id })).status).toBe(200);
    expect(sentInput()).toMatchObject([{ role: 'user' }, { type: 'function_call', call_id: 'call_5' }, result]);
  });

  test('F05: serves the next turn while the stream of the last one is open after its terminal event', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    fake.next(stream([...responseFrames(), { until: held }]));
    const answer = await gateway.call('/responses', { json: { model: 'gpt-5.4', input: 'Hi', stream: true } });
    let text = '';
    for await (const chunk of answer.body ?? []) {
      text += Buffer.from(chunk).toString();
      if (text.includes('event: response.completed') && text.endsWith('\n\n')) break;
    }
    const id = text.match(/"response":\{"id":"([^"]+)"/)?.[1];
    const next = await ask({ input: 'And?', previous_response_id: id });
    release();
    expect(next.status).toBe(200);
  });

  test('F13: rejects a tool result without a `call_id` by that field', async () => {
    const { status, body } = await ask({ input: [{ type: 'function_call_output', output: '1' }] });
    expect([status, body.error.param]).toEqual([400, 'input[0].call_id']);
  });
});

describe('an upstream', () => {
  const post = (body: string) => gateway.call('/responses', { body, headers: { 'content-type': 'application/json' } });

  test('F14: gets items without ids and without client notes, and every other byte unchanged', async () => {
    const item = (more: string) =>
      `{"type":"message",${more}"role":"user","content":[{"type":"input_text","text":"id \\u0061"}],"phase":null}`;
    const notes = '"internal_chat_message_metadata_passthrough":{"id":1}';
    const body = (one: string, other: string) =>
      `{"model":"gpt-5.4","store":false,"temperature":1.0,\n"input":[${item(one)}, ${item(other)}]}`;
    expect((await post(body('"id":"msg_1",', `${notes},"id":"msg_2",`))).status).toBe(200);
    expect(fake.last.body.toString()).toBe(body('', ''));
  });

  test('F10: gets only reasoning that it can decrypt', async () => {
    const reasoning = (encrypted_content?: string) => ({ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content });
    const user = { role: 'user', content: 'Hi' };
    await ask({ store: false, input: [user, reasoning('c2VhbGVk'), reasoning(), reasoning(''), reasoning('mg1.anthropic.e30'), user] });
    expect(sentInput()).toEqual([user, { type: 'reasoning', summary: [], encrypted_content: 'c2VhbGVk' }, user]);
  });

  test('gets the id of an item that other items refer to', async () => {
    const item = { type: 'local_shell_call_output', id: 'call_1', output: 'ok' };
    await ask({ store: false, input: [item] });
    expect(sentInput()).toEqual([item]);
  });
});

describe('a restarted gateway', () => {
  const DAY = 86_400;

  test('continues a stored response', async () => {
    const first = await ask({ input: 'My name is Ada.' });
    expect((await askSecondGateway(gateway, { input: 'And?', previous_response_id: first.body.id })).statusCode).toBe(200);
    expect(sentInput()).toMatchObject([{ content: 'My name is Ada.' }, { role: 'assistant' }, { content: 'And?' }]);
  });

  test('returns the error for an unknown response for an expired one, and keeps the others', async () => {
    const made = [await ask({ input: 'Hi' }), await ask({ input: 'Hi' })] as const;
    const [pastId, keptId] = [made[0].body.id, made[1].body.id];
    const { config } = gateway.gateway;
    const database = openSecondConnection(config);
    const age = (seconds: number, id: string) =>
      database.rows(`UPDATE responses SET created_at = created_at - ${seconds} WHERE id = '${id}'`);
    await age(config.history.days * DAY + 60, pastId);
    await age(config.history.days * DAY - 3600, keptId);
    const next = (id: string) => askSecondGateway(gateway, { input: 'And?', previous_response_id: id });
    // The second gateway deletes what is past its time only while no other process lives.
    const untilDeleted = async (): Promise<number> => {
      await database.rows('DELETE FROM nodes');
      return (await next(pastId)).statusCode;
    };
    await expect.poll(untilDeleted).toBe(400);
    await database.close();
    const [past, kept, never] = [await next(pastId), await next(keptId), await next('resp_none')];
    expect([past.statusCode, kept.statusCode, never.statusCode]).toEqual([400, 200, 400]);
    expect(past.body.replace(pastId, 'resp_none')).toBe(never.body);
  });
});

test('counts the turns before a chained turn in its usage', async () => {
  const simulated = await startGateway();
  const used = async (body: Record<string, unknown>) => {
    const answer = await simulated.call('/responses', { json: { model: 'gpt-5.4', ...body } });
    // The shape is the contract's.
    return (await answer.json()) as { id: string; usage: { input_tokens: number } };
  };
  const input = 'And now in one word?';
  const alone = await used({ input });
  const first = await used({ input: 'Tell me all that is known of lighthouses, and leave nothing out.' });
  const chained = await used({ input, previous_response_id: first.id });
  await simulated.close();
  expect(chained.usage.input_tokens).toBeGreaterThanOrEqual(alone.usage.input_tokens + first.usage.input_tokens);
});

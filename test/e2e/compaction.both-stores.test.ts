/** Conversations are compacted over every kind of upstream, and continued from the compacted form over every other. */
import { once } from 'node:events';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { chatCompletion, chatFrames } from '../fakes/chat.ts';
import { json, stream } from '../fakes/delivery.ts';
import { response, responseFrames } from '../fakes/responses.ts';
import { endedCharge } from '../harness/ended-charge.ts';
import { useOpened } from '../harness/opened.ts';
import { clearFakes, type Kind, kinds, modelOver, openPairs, simulatedOver } from '../harness/pairs.ts';
import { expectRefusal } from '../harness/refusal.ts';

type Fields = Readonly<Record<string, unknown>>;
interface CompactedBody extends Fields {
  readonly id: string;
  readonly output: readonly CompactionItem[];
}
interface CompactionItem extends Fields {
  readonly encrypted_content: string;
}

/** Upstreams that can't compact a conversation. */
const unlike = ['chat', 'anthropic', 'gemini', 'converse'] as const;
const summary = 'The user builds a bridge in Porto. The pillars are done.';
const tools = [{ type: 'function', name: 'measure', description: 'Measures.', parameters: { type: 'object', properties: {} } }];
const history = [
  { type: 'message', role: 'user', content: 'Measure the bridge.' },
  { type: 'function_call', call_id: 'call_1', name: 'measure', arguments: '{}' },
  { type: 'function_call_output', call_id: 'call_1', output: '7 meters' },
  { type: 'message', role: 'assistant', content: 'It is 7 meters long.' },
];
const trigger = { type: 'compaction_trigger' };

const pairs = useOpened(() => openPairs(), clearFakes);

const post = (model: string, fields: Fields, key?: string): Promise<Response> =>
  pairs.gateway.call('/responses', { json: { model, tools, ...fields }, ...(key !== undefined && { key }) });
async function readResponse(answer: Response): Promise<CompactedBody> {
  const text = await answer.text();
  expect({ status: answer.status, text: answer.status === 200 ? '' : text }).toEqual({ status: 200, text: '' });
  return JSON.parse(text) as CompactedBody;
}
const sentTo = (kind: Kind): string => pairs.fakes[kind].last.body.toString();
const eventsIn = (text: string): Fields[] =>
  text.split('\n').flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice('data: '.length)) as Fields] : []));

async function compacted(kind: (typeof unlike)[number], fields: Fields = {}): Promise<CompactedBody> {
  pairs.expectToSay(kind, { text: summary });
  return await readResponse(await post(modelOver(kind), { input: [...history, trigger], ...fields }));
}
const item = { id: expect.stringMatching(/^cmp_/), type: 'compaction', encrypted_content: expect.stringMatching(/^mgsum1\.[\w-]+$/) };

describe('F20: a compaction_trigger', () => {
  test.each(unlike)('returns one sealed item over %s, charges it, and stores it', async (kind) => {
    pairs.expectToSay(kind, { thought: 'Hm.', text: summary });
    const answer = await post(modelOver(kind), { input: [...history, trigger], text: { format: { type: 'json_object' } } });
    const body = await readResponse(answer);
    expect(body).toMatchObject({ status: 'completed', output: [item], usage: { total_tokens: expect.any(Number) } });
    expect(body.output).toHaveLength(1);
    expect(JSON.stringify(body)).not.toContain('Porto');
    expect(sentTo(kind)).toContain('7 meters');
    expect(sentTo(kind)).toMatch(/Write a handover(?:(?!7 meters).)*$/);
    expect(sentTo(kind)).not.toContain('Measures.');
    expect(await (await pairs.gateway.call(`/responses/${body.id}`)).json()).toEqual(body);
    const id = answer.headers.get('x-request-id') ?? '';
    const charge = await endedCharge(pairs.gateway.gateway.money?.ledger ?? expect.fail('billing is off'), id);
    expect(charge).toMatchObject({ state: 'posted', metered: { output: (body.usage as Fields).output_tokens } });
    expect(await (await pairs.gateway.call(`/usage/${id}`)).json()).toMatchObject({ operation: 'createResponse' });
  });

  test.each([...unlike, ...(['simulated-chat', 'simulated-responses'] as const)])('streams one sealed item over %s', async (name) => {
    const kind = unlike.find((one) => one === name);
    if (kind) pairs.expectToSay(kind, { thought: 'Hm.', text: ['The user builds ', 'a bridge.'] });
    const answer = await post(kind ? modelOver(kind) : name, { input: [...history, trigger], stream: true });
    const text = await answer.text();
    const events = eventsIn(text);
    expect(events.map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.output_item.done',
      'response.completed',
    ]);
    expect(events[3]).toMatchObject({ output_index: 0, item });
    expect(events[4]).toMatchObject({ response: { status: 'completed', output: [events[3]?.item] } });
    expect(text).not.toContain('bridge');
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
  });

  test.each(['chat', 'anthropic', 'gemini'] as const)(
    'returns an incomplete response over %s when the summary reaches its limit',
    async (kind) => {
      pairs.expectToSay(kind, { text: summary, end: 'length' });
      const answer = await readResponse(await post(modelOver(kind), { input: [...history, trigger], max_output_tokens: 100 }));
      expect(answer).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, output: [item] });
    },
  );

  test.each([
    ['no text', { calls: [{ id: 'call_2', name: 'measure', input: '{}' }] }],
    ['a refusal', { refusal: 'No.' }],
  ])('fails when the model returns %s', async (_what, reply) => {
    pairs.expectToSay('chat', reply, reply);
    await expectRefusal(await post(modelOver('chat'), { input: [...history, trigger] }), { code: 'upstream_error', says: 'no summary' });
    const streamed = eventsIn(await (await post(modelOver('chat'), { input: [...history, trigger], stream: true })).text());
    expect(streamed.at(-1)).toMatchObject({ type: 'response.failed', response: { output: [], error: { code: 'server_error' } } });
  });

  test.each([false, true])('charges the text of the summary if the upstream reports no usage (streamed: %s)', async (isStreamed) => {
    const reply = { text: `${summary} `.repeat(20), usage: null };
    pairs.fakes.chat.next(isStreamed ? stream(chatFrames(reply)) : json(chatCompletion(reply)));
    const answer = await post(modelOver('chat'), { input: [...history, trigger], stream: isStreamed });
    await answer.text();
    const ledger = pairs.gateway.gateway.money?.ledger ?? expect.fail('billing is off');
    const { metered } = await endedCharge(ledger, answer.headers.get('x-request-id') ?? '');
    expect(metered?.output).toBeGreaterThan(200);
    expect(metered?.output).toBeLessThan(400);
  });

  test.each([false, true])('forwards it to an upstream that compacts by itself (streamed: %s)', async (isStreamed) => {
    const own = { type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAAA-by-the-provider' };
    pairs.fakes.responses.next(isStreamed ? stream(responseFrames({ text: 'x' })) : json({ ...response(), output: [own] }));
    const answer = await post(modelOver('responses'), { input: [...history, trigger], stream: isStreamed });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain(isStreamed ? 'response.completed' : 'gAAAA-by-the-provider');
    expect(pairs.fakes.responses.last.fields).toMatchObject({ input: [{}, {}, {}, {}, trigger], tools: [{}] });
  });
});

describe('a sealed item', () => {
  const next = { type: 'message', role: 'user', content: 'Continue.' };

  test.each(kinds)('opens into a message for %s', async (kind) => {
    const { output } = await compacted('chat');
    pairs.expectToSay(kind, { text: 'Fine.' });
    await readResponse(await post(modelOver(kind), { input: [...output, next] }));
    expect(sentTo(kind)).toContain(summary);
    expect(sentTo(kind)).not.toContain('mgsum1');
    if (kind === 'responses')
      expect(pairs.fakes.responses.last.fields).toMatchObject({ input: [{ type: 'message', role: 'developer' }, {}] });
  });

  test.each(kinds)('stands for the whole stored conversation that %s continues', async (kind) => {
    const first = await compacted('anthropic');
    pairs.expectToSay(kind, { text: 'Fine.' }, { text: 'Still fine.' });
    const second = await readResponse(await post(modelOver(kind), { input: [next], previous_response_id: first.id }));
    await readResponse(await post(modelOver(kind), { input: 'And now?', previous_response_id: second.id }));
    expect(sentTo(kind)).toContain(summary);
    for (const part of ['Continue.', 'Fine.', 'And now?']) expect(sentTo(kind)).toContain(part);
    for (const part of ['7 meters', 'mgsum1', 'handover']) expect(sentTo(kind)).not.toContain(part);
  });

  test('stands for the stored conversation also in the upstream’s own form, and the trigger is never sent again', async () => {
    const own = { type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAAA-by-the-provider' };
    pairs.fakes.responses.next(json({ ...response(), output: [own] }));
    const first = await readResponse(await post(modelOver('responses'), { input: [...history, trigger] }));
    pairs.expectToSay('responses', { text: 'Fine.' }, { text: 'Still fine.' });
    // An upstream that knows no triggers answers the conversation instead.
    const second = await readResponse(await post(modelOver('responses'), { input: [next, trigger], previous_response_id: first.id }));
    await readResponse(await post(modelOver('responses'), { input: [next], previous_response_id: second.id }));
    expect(pairs.fakes.responses.last.fields).toMatchObject({
      input: [{ encrypted_content: own.encrypted_content }, { content: 'Continue.' }, { role: 'assistant' }, { content: 'Continue.' }],
    });
  });

  test('resolves from an item reference', async () => {
    const { output } = await compacted('chat');
    pairs.expectToSay('gemini', { text: 'Fine.' });
    await readResponse(await post(modelOver('gemini'), { input: [{ type: 'item_reference', id: output[0]?.id }, next] }));
    expect(sentTo('gemini')).toContain(summary);
  });

  test('survives another compaction', async () => {
    const { output } = await compacted('chat');
    const again = await compacted('converse', { input: [...output, next, trigger] });
    expect(sentTo('converse')).toContain(summary);
    expect(again.output).toEqual([item]);
    expect(again.output[0]?.encrypted_content).not.toBe(output[0]?.encrypted_content);
  });

  test('returns 400 for another account, over every kind of upstream', async () => {
    const { output } = await compacted('chat');
    const { key } = await pairs.gateway.newKey({ account: 'other' });
    for (const kind of kinds) {
      const answer = await post(modelOver(kind), { input: [next, ...output] }, key);
      await expectRefusal(answer, { code: 'invalid_value', param: 'input[1].encrypted_content', says: 'another account' });
      expect(pairs.fakes[kind].requests).toHaveLength(kind === 'chat' ? 1 : 0);
    }
  });

  test.each([
    ['a changed byte', (text: string) => `${text.slice(0, -6)}${text.at(-6) === 'A' ? 'B' : 'A'}${text.slice(-5)}`],
    ['a missing end', (text: string) => text.slice(0, -8)],
    ['nothing but its prefix', () => 'mgsum1.'],
  ])('returns 400 with %s', async (_what, change) => {
    const { output } = await compacted('chat');
    const forged = output.map((one) => ({ ...one, encrypted_content: change(one.encrypted_content) }));
    for (const kind of ['responses', 'chat'] as const) {
      const answer = await post(modelOver(kind), { input: [...forged, next] });
      await expectRefusal(answer, { code: 'invalid_value', param: 'input[0].encrypted_content', says: 'was changed' });
    }
  });
});

describe('over WebSocket', () => {
  /** Sends a message, and reads the frames until the end of its turn. */
  async function turn(socket: WebSocket, fields: Fields): Promise<Fields[]> {
    const frames: Fields[] = [];
    const ended = new Promise<void>((resolve) => {
      const read = (data: unknown): void => {
        frames.push(JSON.parse(String(data)) as Fields);
        if (!/^(?:error|response\.(?:completed|incomplete|failed))$/.test(String(frames.at(-1)?.type))) return;
        socket.off('message', read);
        resolve();
      };
      socket.on('message', read);
    });
    socket.send(JSON.stringify({ type: 'response.create', model: modelOver('chat'), store: false, tools, ...fields }));
    await ended;
    return frames;
  }

  test('continues an unsaved conversation from its newest compaction', async () => {
    const socket = new WebSocket(`${pairs.gateway.baseURL.replace('http', 'ws')}/responses`, {
      headers: { authorization: `Bearer ${pairs.gateway.key}` },
    });
    await once(socket, 'open');
    pairs.expectToSay('chat', { text: 'Hello.' }, { text: summary }, { text: 'Fine.' });
    const getId = (frames: readonly Fields[]) => (frames.at(-1)?.response as CompactedBody | undefined)?.id;
    const first = await turn(socket, { input: history });
    const second = await turn(socket, { input: [trigger], previous_response_id: getId(first) });
    expect(second.at(-1)).toMatchObject({ type: 'response.completed', response: { output: [item] } });
    const third = await turn(socket, { input: 'Continue.', previous_response_id: getId(second) });
    expect(third.at(-1)).toMatchObject({ type: 'response.completed' });
    expect(sentTo('chat')).toContain(summary);
    expect(sentTo('chat')).not.toContain('7 meters');
    socket.terminate();
  });
});

describe('an item that a provider encrypted', () => {
  const own = { type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAAA-by-the-provider' };

  test('passes to an upstream that compacts by itself', async () => {
    pairs.expectToSay('responses', { text: 'Fine.' });
    await readResponse(await post(modelOver('responses'), { input: [own, ...history] }));
    expect(pairs.fakes.responses.last.fields).toMatchObject({
      input: [{ type: 'compaction', encrypted_content: own.encrypted_content }, {}, {}, {}, {}],
    });
  });

  test.each(unlike)('returns 400 over %s', async (kind) => {
    const answer = await post(modelOver(kind), { input: [...history, own] });
    await expectRefusal(answer, { code: 'invalid_value', param: 'input[4].encrypted_content', says: 'another upstream' });
    expect(pairs.fakes[kind].requests).toHaveLength(0);
  });

  test('returns 400 elsewhere when it is stored, and names the response that it is continued from', async () => {
    pairs.fakes.responses.next(json({ ...response(), output: [own] }));
    const { id } = await readResponse(await post(modelOver('responses'), { input: [...history, trigger] }));
    const answer = await post(modelOver('chat'), { input: 'And?', previous_response_id: id });
    await expectRefusal(answer, { code: 'invalid_value', param: 'previous_response_id', says: 'another upstream' });
  });
});

describe('POST /responses/compact', () => {
  const compact = (kind: Kind, fields: Fields, init: { readonly key?: string; readonly headers?: Record<string, string> } = {}) =>
    pairs.gateway.call('/responses/compact', { json: { model: modelOver(kind), ...fields }, ...init });
  const message = (text: string) => ({
    id: expect.stringMatching(/^msg_/),
    type: 'message',
    role: 'user',
    status: 'completed',
    content: [{ type: 'input_text', text }],
  });

  test.each(unlike)('returns the messages of the user and one sealed item over %s, and charges it', async (kind) => {
    pairs.expectToSay(kind, { text: summary }, { text: 'Fine.' });
    const answer = await compact(kind, { input: history, instructions: 'You build bridges.' });
    const { id, created_at, usage, ...body } = await readResponse(answer);
    expect(body).toEqual({ object: 'response.compaction', output: [message('Measure the bridge.'), item] });
    expect({ id, created_at, usage }).toMatchObject({ id: expect.stringMatching(/^resp_/), usage: { total_tokens: expect.any(Number) } });
    expect(sentTo(kind)).toContain('You build bridges.');
    const requestId = answer.headers.get('x-request-id') ?? '';
    const charge = await endedCharge(pairs.gateway.gateway.money?.ledger ?? expect.fail('billing is off'), requestId);
    expect(charge).toMatchObject({ state: 'posted', operation: 'compactResponse' });
    expect(await (await pairs.gateway.call(`/usage/${requestId}`)).json()).toMatchObject({ operation: 'compactResponse' });
    expect((await pairs.gateway.call(`/responses/${id}`)).status).toBe(404);
    await readResponse(await post(modelOver(kind), { input: [...body.output, { role: 'user', content: 'Continue.' }] }));
    for (const part of ['Measure the bridge.', summary, 'Continue.']) expect(sentTo(kind)).toContain(part);
    expect(sentTo(kind)).not.toContain('7 meters');
  });

  test('returns the messages of a stored conversation, too', async () => {
    pairs.expectToSay('chat', { text: 'Fine.' });
    const { id } = await readResponse(await post(modelOver('chat'), { input: history }));
    pairs.expectToSay('gemini', { text: summary });
    const { output, ...body } = await readResponse(await compact('gemini', { input: 'And now?', previous_response_id: id }));
    expect(output).toEqual([message('Measure the bridge.'), message('And now?'), item]);
    expect(Object.keys(body).sort()).toEqual(['created_at', 'id', 'object', 'usage']);
  });

  test('asks an upstream that compacts by itself for its own item', async () => {
    const own = { type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAAA-by-the-provider' };
    pairs.fakes.responses.next(json({ ...response(), output: [own] }));
    const { output } = await readResponse(await compact('responses', { input: [...history, trigger] }));
    expect(output).toEqual([message('Measure the bridge.'), own]);
    expect(pairs.fakes.responses.last.fields).toMatchObject({ input: [{}, {}, {}, {}, trigger], store: false });
    expect(pairs.fakes.responses.last.path).toMatch(/\/responses$/);
  });

  test('fails when the response of the upstream has no such item', async () => {
    pairs.expectToSay('responses', { text: 'Hello.' });
    await expectRefusal(await compact('responses', { input: history }), { code: 'upstream_error', says: "isn't in the response" });
  });

  test('fails when the summary reaches the output limit', async () => {
    pairs.expectToSay('chat', { text: summary, end: 'length' });
    await expectRefusal(await compact('chat', { input: history }), { code: 'upstream_error', says: 'output limit' });
  });

  test('drops the fields of other operations, and names them', async () => {
    pairs.expectToSay('chat', { text: summary });
    const answer = await compact('chat', { input: history, tools, store: true, stream: true, temperature: 1, banana: 1 });
    expect((await readResponse(answer)).object).toBe('response.compaction');
    expect(answer.headers.get('x-modelgate-dropped')).toBe('tools, store, stream, temperature, banana');
    expect(sentTo('chat')).not.toMatch(/Measures|temperature|banana/);
  });

  test('returns 400 without a conversation', async () => {
    await expectRefusal(await compact('chat', {}), { code: 'missing_required_parameter', param: 'input' });
  });

  test('needs its own permission', async () => {
    const { key } = await pairs.gateway.newKey({ permissions: { operations: ['createResponse'], models: null, mayStore: true } });
    await expectRefusal(await compact('chat', { input: history }, { key }), { code: 'permission_denied' });
    const only = await pairs.gateway.newKey({ permissions: { operations: ['compactResponse'], models: null, mayStore: false } });
    pairs.expectToSay('chat', { text: summary });
    expect((await compact('chat', { input: history }, { key: only.key })).status).toBe(200);
  });

  test('repeats for its idempotency key, and not for the same body of another operation', async () => {
    const headers = { 'idempotency-key': 'compact-1' };
    pairs.expectToSay('chat', { text: summary });
    const first = await (await compact('chat', { input: history }, { headers })).text();
    const again = await compact('chat', { input: history }, { headers });
    expect([await again.text(), again.headers.get('idempotent-replayed')]).toEqual([first, 'true']);
    const json = { model: modelOver('chat'), input: history };
    await expectRefusal(await pairs.gateway.call('/responses', { json, headers }), { code: 'idempotency_key_reused' });
  });

  test('works with openai-node', async () => {
    const client = new OpenAI({ baseURL: pairs.gateway.baseURL, apiKey: pairs.gateway.key, maxRetries: 0 });
    pairs.expectToSay('anthropic', { text: summary }, { text: 'Fine.' });
    const model = modelOver('anthropic');
    const compacted = await client.responses.compact({ model, input: [{ role: 'user', content: 'Measure the bridge.' }] });
    expect(compacted.output.map(({ type }) => type)).toEqual(['message', 'compaction']);
    // `as`: openai-node types the output of a compaction as items of a response.
    const input = [...(compacted.output as OpenAI.Responses.ResponseInputItem[]), { role: 'user' as const, content: 'Continue.' }];
    expect((await client.responses.create({ model, input })).output_text).toBe('Fine.');
    expect(sentTo('anthropic')).toContain(summary);
  });
});

test('compacts by a summary in the simulator', async () => {
  const answer = await readResponse(await post(simulatedOver('responses'), { input: [...history, trigger] }));
  expect(answer.output).toEqual([item]);
});

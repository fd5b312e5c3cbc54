/** The operations over tRPC: the same answers as under `/v1`, and each call has its own checks, charge and log line. */
import type { inferRouterOutputs } from '@trpc/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CatalogList } from '../../contract/catalog.ts';
import { ChatCompletion, ChatCompletionChunk } from '../../contract/chat/completion.ts';
import { ImageEditEvent, ImageGenerationEvent, ImageList } from '../../contract/images.ts';
import { ModelList } from '../../contract/models.ts';
import { ResponseStreamEvent } from '../../contract/responses/events.ts';
import { InputItemList } from '../../contract/responses/stored.ts';
import { Response as ModelResponse } from '../../contract/responses.ts';
import { Receipt, UsageList } from '../../contract/usage.ts';
import type { AppRouter } from '../../server/api/trpc/router-type.ts';
import { drawPng } from '../fakes/images.ts';
import { endedCharge } from '../harness/ended-charge.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { openSingleTrpc, openTrpc, readAll, type Trpc } from '../harness/trpc.ts';

let gateway: TestGateway;
let trpc: Trpc;
beforeAll(async () => {
  gateway = await startGateway({ upstreams: { simulator: { kind: 'simulator', eventDelayMs: 0 } } });
  trpc = openTrpc(gateway);
});
afterAll(() => gateway.close());

const model = 'gpt-5.4';
const messages = [{ role: 'user' as const, content: 'repeat: Grüße 🌍' }];
const draw = { model: 'gpt-image-2', prompt: 'a lighthouse', size: '1024x1024' };
const images = [{ image_url: `data:image/png;base64,${drawPng().toString('base64')}` }];

describe('a caller', () => {
  test('lists models as under /v1 with listModels', async () => {
    const answer = await trpc.listModels.query();
    expect(ModelList.parse(answer)).toEqual(await (await gateway.call('/models')).json());
    expect(answer.data.length).toBeGreaterThan(0);
  });

  test('reads getCatalog with a query', async () => {
    const answer = await trpc.getCatalog.query({ group: 'default' });
    expect(CatalogList.parse(answer)).toEqual(await (await fetch(`${gateway.origin}/catalog?group=default`)).json());
  });

  test('completes a chat with createChatCompletion', async () => {
    const answer = await trpc.createChatCompletion.mutate({ model, messages });
    ChatCompletion.parse(answer);
    expect(answer.choices[0]?.message.content).toBe('Grüße 🌍');
  });

  test('creates a response with createResponse that can be read, listed, continued and deleted', async () => {
    const answer = await trpc.createResponse.mutate({ model, input: 'repeat: one' });
    ModelResponse.parse(answer);
    const at = { response_id: answer.id };
    expect(await trpc.getResponse.query(at)).toEqual(answer);
    const items = InputItemList.parse(await trpc.listInputItems.query({ ...at, limit: 1, order: 'asc' }));
    expect(items.data).toHaveLength(1);
    const next = await trpc.createResponse.mutate({ model, input: 'repeat: two', previous_response_id: answer.id });
    expect(next.previous_response_id).toBe(answer.id);
    expect(await trpc.deleteResponse.mutate(at)).toEqual({ id: answer.id, object: 'response', deleted: true });
  });

  test('generates images with generateImages', async () => {
    expect(ImageList.parse(await trpc.generateImages.mutate(draw)).data).toHaveLength(1);
  });

  test('edits images with editImages and a data URL', async () => {
    expect(ImageList.parse(await trpc.editImages.mutate({ ...draw, images })).data).toHaveLength(1);
  });

  test('reads usage with listUsage and getUsage', async () => {
    const list = UsageList.parse(await trpc.listUsage.query({ limit: 1 }));
    const [first] = list.data;
    expect(Receipt.parse(await trpc.getUsage.query({ request_id: String(first?.request_id) })).request_id).toBe(first?.request_id);
    UsageList.parse(await trpc.listUsage.query());
  });
});

describe('a caller who streams', () => {
  test('reads chat events with createChatCompletion', async () => {
    const chunks = await readAll(await trpc.stream.createChatCompletion.mutate({ model, messages }));
    for (const chunk of chunks) ChatCompletionChunk.parse(chunk);
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('Grüße 🌍');
  });

  test('reads response events with createResponse', async () => {
    const events = await readAll(await trpc.stream.createResponse.mutate({ model, input: 'repeat: Grüße 🌍' }));
    for (const event of events) ResponseStreamEvent.parse(event);
    expect(events.map((event) => (event.type === 'response.output_text.delta' ? event.delta : '')).join('')).toBe('Grüße 🌍');
    expect(events.at(-1)?.type).toBe('response.completed');
  });

  test('reads image events with generateImages', async () => {
    const events = await readAll(await trpc.stream.generateImages.mutate({ ...draw, partial_images: 1 }));
    for (const event of events) ImageGenerationEvent.parse(event);
    expect(events.map(({ type }) => type)).toEqual(['image_generation.partial_image', 'image_generation.completed']);
  });

  test('reads edit events with editImages', async () => {
    const events = await readAll(await trpc.stream.editImages.mutate({ ...draw, images, partial_images: 1 }));
    for (const event of events) ImageEditEvent.parse(event);
    expect(events.at(-1)?.type).toBe('image_edit.completed');
  });
});

test('responds to each call of a batch when it is ready, streams included', async () => {
  const [chat, events, list] = await Promise.all([
    trpc.createChatCompletion.mutate({ model, messages }),
    trpc.stream.createResponse.mutate({ model, input: 'repeat: all' }).then(readAll),
    trpc.listModels.query(),
  ]);
  expect([chat.object, events.at(-1)?.type, list.object]).toEqual(['chat.completion', 'response.completed', 'list']);
});

test('sends a query that is too long for a URL as a POST', async () => {
  const url = `${gateway.origin}/trpc/listModels?batch=1`;
  const headers = { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: '{}' });
  expect(await answer.json()).toEqual([{ result: { data: await trpc.listModels.query() } }]);
});

test('sends the request ID of receipt and log line with the response of a single call', async () => {
  const ids: (string | null)[] = [];
  const single = openSingleTrpc(gateway, {}, async (...asked) => {
    const answer = await fetch(...asked);
    ids.push(answer.headers.get('x-request-id'));
    return answer;
  });
  const answer: inferRouterOutputs<AppRouter>['createChatCompletion'] = await single.createChatCompletion.mutate({ model, messages });
  const [id = ''] = ids;
  const ledger = gateway.gateway.money?.ledger ?? expect.fail('billing is off');
  expect(await endedCharge(ledger, String(id))).toMatchObject({ state: 'posted', model, operation: 'createChatCompletion' });
  expect(answer.usage?.completion_tokens).toBeGreaterThan(0);
  expect(await gateway.lineOf(String(id))).toMatchObject({ method: 'POST', route: '/v1/chat/completions', end: 'completed' });
  // A log line of the outer request would have been written before that of this call.
  await gateway.lineOf(await gateway.call('/models'));
  expect(gateway.lines.filter((line) => line.id === id)).toHaveLength(1);
  expect(gateway.lines.filter(({ route }) => String(route).startsWith('/trpc'))).toEqual([]);
});

test('serves each of two calls with idempotency keys once', async () => {
  const keyed = openTrpc(gateway, { 'idempotency-key': 'trpc-once' });
  const first = await keyed.createChatCompletion.mutate({ model, messages });
  expect(await keyed.createChatCompletion.mutate({ model, messages })).toEqual(first);
});

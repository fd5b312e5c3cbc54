/** The zero character, which JSON can hold and PostgreSQL cannot store in text: it is rejected with the field where it would be looked up or stored. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { json } from '../fakes/delivery.ts';
import { response } from '../fakes/responses.ts';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { governed, startAdmin, type TestAdmin } from '../harness/admin.ts';
import { behind, startGateway, type TestGateway } from '../harness/gateway.ts';

const zero = 'a\u0000b';

describe('from operators', () => {
  let admin: TestAdmin;
  beforeAll(async () => {
    admin = await startAdmin(governed);
    await admin.call('POST', '/accounts', { name: 'acme', opening_balance: '1' });
  });
  afterAll(() => admin.close());

  const adjustment = { kind: 'top_up', amount: '1' };
  const price = { input: '1', output: '2' };
  test.each<[method: string, path: string, body: object | undefined, param: string]>([
    ['POST', '/accounts/acme/adjustments', { ...adjustment, note: zero }, 'note'],
    ['POST', '/accounts/acme/adjustments', { ...adjustment, transfer_id: zero }, 'transfer_id'],
    ['POST', '/accounts/acme/adjustments', { ...adjustment, kind: zero }, 'kind'],
    ['POST', '/accounts', { name: zero }, 'name'],
    ['POST', '/accounts', { name: 'b', group: zero }, 'group'],
    ['PATCH', '/accounts/acme', { name: zero }, 'name'],
    ['PATCH', '/accounts/acme', { group: zero }, 'group'],
    ['POST', '/accounts/acme/subscriptions', { plan: zero }, 'plan'],
    ['POST', '/keys', { account: zero, name: 'ci' }, 'account'],
    ['POST', '/keys', { account: 'acme', name: zero }, 'name'],
    ['POST', '/keys', { account: 'acme', name: 'ci', permissions: { models: [zero] } }, 'permissions.models[0]'],
    ['POST', '/keys', { account: 'acme', name: 'ci', ip_ranges: [zero] }, 'ip_ranges[0]'],
    ['POST', '/admin-keys', { name: zero }, 'name'],
    ['POST', '/prices', { model: zero, prices: price }, 'model'],
    ['POST', '/prices', { model: 'play', price_list: zero, prices: price }, 'price_list'],
    ['POST', '/explanations', { key: zero, model: 'play' }, 'key'],
    ['POST', '/explanations', { key: 'key_1', model: zero }, 'model'],
    ['GET', '/accounts/a%00b', undefined, 'account_id'],
    ['GET', '/accounts/a%00b/balance', undefined, 'account_id'],
    ['GET', '/accounts/a%00b/usage', undefined, 'account_id'],
    ['GET', '/accounts/acme/usage?key_id=a%00b', undefined, 'key_id'],
    ['GET', '/accounts/acme/usage?after=a%00b', undefined, 'after'],
    ['GET', '/accounts?after=a%00b', undefined, 'after'],
    ['GET', '/keys?account_id=a%00b', undefined, 'account_id'],
    ['GET', '/keys/a%00b', undefined, 'key_id'],
    ['PATCH', '/keys/a%00b', { name: 'ci' }, 'key_id'],
    ['POST', '/keys/a%00b/rotate', { overlap_seconds: 0 }, 'key_id'],
    ['POST', '/keys/a%00b/revoke', undefined, 'key_id'],
    ['POST', '/admin-keys/a%00b/revoke', undefined, 'key_id'],
    ['POST', '/subscriptions/a%00b/cancel', undefined, 'subscription_id'],
    ['GET', '/usage/a%00b', undefined, 'request_id'],
    ['GET', '/audit?after=a%00b', undefined, 'after'],
  ])('C12: returns 400 with the field to an operator who sends it by %s %s', async (method, path, body, param) => {
    const { status, body: parsed } = await admin.call(method, path, body);
    expect({ status, error: parsed.error }).toMatchObject({ status: 400, error: { param } });
  });
});

describe('from callers and providers', () => {
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
  const ask = (body: object) => gateway.call('/responses', { json: { model: 'gpt-5.4', input: 'Hi', ...body } });

  test.each<[body: object, param: string]>([
    [{ previous_response_id: zero }, 'previous_response_id'],
    [{ input: [{ type: 'item_reference', id: zero }] }, 'input[0].id'],
    [{ model: zero }, 'model'],
  ])('C12: rejects a caller who sends it in %j with the field', async (body, param) => {
    const answer = await ask(body);
    const parsed = (await answer.json()) as { error: object };
    expect({ status: answer.status, ...parsed }).toMatchObject({ status: 'model' in body ? 404 : 400, error: { param } });
  });

  test.each(['/responses/a%00b', '/responses/a%00b/input_items', '/usage/a%00b', '/usage?after=a%00b'])(
    'C12: returns 400 or 404 for %s, as for any unknown ID',
    async (path) => {
      expect([400, 404]).toContain((await gateway.call(path)).status);
      if (path.startsWith('/responses/a%00b') && !path.endsWith('items'))
        expect((await gateway.call(path, { method: 'DELETE' })).status).toBe(404);
    },
  );

  test('C12: forwards, stores, charges and continues a response with it in every ID and name', async () => {
    const message = {
      type: 'message',
      id: zero,
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: zero, annotations: [] }],
    };
    const search = { type: 'web_search_call', id: `${zero}2`, status: 'completed', action: { type: 'search', query: zero } };
    fake.next(json({ ...response(), id: zero, model: zero, output: [search, message] }));
    const answer = await ask({});
    const first = (await answer.json()) as { id: string };
    expect(answer.status).toBe(200);
    expect((await gateway.call(`/responses/${first.id}`)).status).toBe(200);
    expect((await gateway.call(`/responses/${first.id}/input_items`)).status).toBe(200);
    expect((await ask({ previous_response_id: first.id })).status).toBe(200);
    expect((await gateway.call(`/usage/${answer.headers.get('x-request-id')}`)).status).toBe(200);
  });
});

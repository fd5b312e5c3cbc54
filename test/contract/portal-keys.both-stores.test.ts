/** Keys at the portal: what a holder makes is never more than his own key, and he changes no key but his own and what came of it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Permissions } from '../../server/access/principal.ts';
import { explainCall } from '../../server/api/admin/explanations.ts';
import type { Operations } from '../../server/api/admin/operations.ts';
import { pageHeaders, signInAtPortal } from '../harness/console.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';

const models = ['gpt-5.4', 'gpt-5.4-mini', 'gpt-4', 'o9', 'draw-1', 'draw-2'];
const text = { kind: 'text', prices: { input: '1.25', output: '4' } };
const settings = {
  limits: { perKey: { requestsPerMinute: 600 } },
  models: models.map((id) => ({ id, ...(id.startsWith('draw') ? { kind: 'image', prices: { images: { default: '0.2' } } } : text) })),
};
const anything: Permissions = { operations: null, models: null, mayStore: true };
const managing: Permissions = { ...anything, manageKeys: true };
const noLimits = { requestsPerMinute: null, tokensPerMinute: null, concurrency: null };
const enforced = (limit: number) => ({ limit, mode: 'enforce' }) as const;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway(settings);
});
afterAll(() => gateway.close());

interface Holder {
  readonly cookie: string;
  readonly key: string;
  readonly id: string;
  readonly accountId: string;
}
interface Said {
  readonly status: number;
  readonly body: {
    readonly id: string;
    readonly key: string;
    readonly data: readonly { readonly id: string; readonly may_manage: boolean; readonly is_own: boolean }[];
    readonly error?: { readonly code: string; readonly param: string | null; readonly message: string };
    readonly [field: string]: unknown;
  };
}

let names = 0;
async function settle(order: Parameters<TestGateway['newKey']>[0] = {}): Promise<Holder> {
  const made = await gateway.newKey({ account: `family ${++names}`, permissions: managing, balance: 50_000_000n, ...order });
  return { ...made, cookie: await signInAtPortal(gateway, made.key) };
}
async function ask({ cookie }: Pick<Holder, 'cookie'>, path: string, body?: object): Promise<Said> {
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const answer = await fetch(`${gateway.origin}/portal/v1/keys${path}`, { headers: { ...pageHeaders, cookie }, ...sent });
  expect(answer.headers.get('cache-control')).toBe('no-store');
  // The gateway under test checks its answers against the contract.
  return { status: answer.status, body: (await answer.json()) as Said['body'] };
}
const create = (holder: Pick<Holder, 'cookie'>, order: object = {}) => ask(holder, '', { name: 'made', ...order });
const revoke = (holder: Pick<Holder, 'cookie'>, id: string) => ask(holder, `/${id}/revoke`, {});
const rotate = (holder: Pick<Holder, 'cookie'>, id: string) => ask(holder, `/${id}/rotate`, { overlap_seconds: 3_600 });
const idsOf = ({ body }: Said): string[] => body.data.map(({ id }) => id);
const expectDenied = (said: Said) => expect(said).toMatchObject({ status: 403, body: { error: { code: 'permission_denied' } } });

async function makeManager(holder: Holder): Promise<Holder> {
  await setSelfService(holder, { maxKeys: 10, delegate: true });
  const { body } = await create(holder, { permissions: { manage_keys: true } });
  return { cookie: await signInAtPortal(gateway, body.key), key: body.key, id: body.id, accountId: holder.accountId };
}
async function setSelfService({ accountId }: Holder, selfService: { maxKeys: number; delegate: boolean }): Promise<void> {
  const audit = { actor: 'test', action: 'account.edit', target: accountId, details: {}, at: Date.now() };
  await gateway.withAccess(async ({ store }) => void (await store.editAccount(accountId, { selfService }, audit)));
}

describe('a key owner without the permission', () => {
  test('sees only its own key, and changes none', async () => {
    const holder = await settle({ permissions: anything });
    await gateway.newKey({ account: `family ${names}` });
    const listed = await ask(holder, '');
    expect(listed.body).toMatchObject({
      may_create: false,
      may_delegate: false,
      data: [{ id: holder.id, is_own: true, may_manage: false, use: { last_used_at: null, charged_30d: '0.000000', spending_caps: [] } }],
    });
    expect(listed.body.data).toHaveLength(1);
    for (const said of [await create(holder), await rotate(holder, holder.id), await revoke(holder, holder.id)]) expectDenied(said);
  });
});

describe('a key owner with the permission', () => {
  test('creates a key that works, is shown once, and is audited as created by its own', async () => {
    const holder = await settle();
    const { status, body } = await create(holder, { permissions: { models: ['gpt-5*'] } });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      created_by: holder.id,
      may_manage: true,
      is_own: false,
      permissions: { models: ['gpt-5*'], manage_keys: false },
    });
    const call = (model: string) => gateway.call('/responses', { json: { model, input: 'hi' }, key: body.key });
    expect([(await call('gpt-5.4')).status, (await call('gpt-4')).status]).toEqual([200, 403]);
    expect(JSON.stringify(await ask(holder, ''))).not.toContain(body.key);
    const [entry] = await gateway.gateway.access.store.listAudit({ limit: 1 });
    expect(entry).toMatchObject({ actor: holder.id, action: 'key.create', target: body.id, details: { madeBy: holder.id } });
    expect(entry?.details).toHaveProperty('session');
    expect(JSON.stringify(entry)).not.toContain(body.key);
  });

  test("counts the calls of a created key toward its own caps and the creator's", async () => {
    const holder = await settle({ caps: [{ micros: 400_000n, period: 'never' }] });
    const { body } = await create(holder);
    expect(body.spending_caps).toEqual([]);
    const draw = (key: string) => gateway.call('/images/generations', { json: { model: 'draw-1', prompt: 'a boat' }, key });
    expect([(await draw(body.key)).status, (await draw(holder.key)).status]).toEqual([200, 200]);
    expect([(await draw(body.key)).status, (await draw(holder.key)).status]).toEqual([403, 403]);
    for (let turn = 0; turn < 2; turn++) await gateway.gateway.activity.flush();
    const use = { last_used_at: expect.any(String), charged_30d: '0.200000' };
    const used = [{ amount: '0.400000', period: 'never', used: '0.400000' }];
    expect((await ask(holder, '')).body.data).toMatchObject([
      { is_own: true, use: { ...use, spending_caps: used } },
      { is_own: false, use: { ...use, spending_caps: [] } },
    ]);
  });

  test('caps a key that it creates, and the keys that are created with it', async () => {
    const owner = await settle();
    await setSelfService(owner, { maxKeys: 10, delegate: true });
    const created = await create(owner, { permissions: { manage_keys: true }, spending_caps: [{ amount: '0.2', period: 'day' }] });
    expect(created).toMatchObject({ status: 200, body: { spending_caps: [{ amount: '0.200000', period: 'day' }] } });
    const manager = {
      cookie: await signInAtPortal(gateway, created.body.key),
      key: created.body.key,
      id: created.body.id,
      accountId: owner.accountId,
    };
    const { body: inner } = await create(manager);
    const draw = async (key: string) =>
      (await gateway.call('/images/generations', { json: { model: 'draw-1', prompt: 'a boat' }, key })).status;
    expect([await draw(inner.key), await draw(manager.key)]).toEqual([200, 403]);
    expect(await draw(owner.key)).toBe(200);
    // An operator's change of the cap holds for the keys that were created with it.
    const caps = [{ micros: 400_000n, period: 'day' } as const];
    await gateway.editKey(manager.id, { caps });
    await expect.poll(() => draw(inner.key)).toBe(200);
    expect(await draw(inner.key)).toBe(403);
    const own = Object(await (await gateway.call('/key', { key: inner.key })).json());
    expect(own.spending_caps).toMatchObject([{ scope: 'creator', amount: '0.400000', left: '0.000000' }]);
  });

  test.each([
    ['permissions.models', { permissions: { models: ['gpt-5*'] } }, { permissions: { models: ['gpt-*'] } }],
    ['permissions.models', { permissions: { models: ['gpt-5*'] } }, { permissions: { models: null } }],
    [
      'permissions.operations',
      { permissions: { operations: ['createResponse'] } },
      { permissions: { operations: ['createResponse', 'editImages'] } },
    ],
    ['permissions.operations', { permissions: { operations: ['createResponse'] } }, { permissions: { operations: null } }],
    ['permissions.may_store', { permissions: { mayStore: false } }, { permissions: { may_store: true } }],
    ['permissions.manage_keys', {}, { permissions: { manage_keys: true } }],
    ['ip_ranges', { ipRanges: ['127.0.0.0/8', '::1'] }, { ip_ranges: ['126.0.0.0/7'] }],
    ['ip_ranges', { ipRanges: ['127.0.0.0/8', '::1'] }, { ip_ranges: ['127.0.0.1', '192.0.2.1'] }],
    ['ip_ranges', { ipRanges: ['127.0.0.0/8', '::1'] }, { ip_ranges: null }],
    ['limits.tokens_per_minute', { limits: { ...noLimits, tokensPerMinute: enforced(10) } }, { limits: { tokens_per_minute: 11 } }],
    ['limits.concurrency', { limits: { ...noLimits, concurrency: enforced(2) } }, { limits: { concurrency: { limit: 1, mode: 'off' } } }],
    ['limits.requests_per_minute', {}, { limits: { requests_per_minute: 601 } }],
    ['limits.requests_per_minute', {}, { limits: { requests_per_minute: { limit: 1, mode: 'observe' } } }],
    ['expires_at', { expiresAt: Date.UTC(2090, 0, 1) }, { expires_at: '2090-01-01T00:00:01Z' }],
    ['expires_at', { expiresAt: Date.UTC(2090, 0, 1) }, { expires_at: null }],
  ] as const)('creates no key beyond its own: %s of %j requested %j', async (param, own, order) => {
    const { permissions = {}, ...more } = { permissions: {}, ...own };
    const holder = await settle({ ...more, permissions: { ...managing, ...permissions } });
    expect(await create(holder, order)).toMatchObject({ status: 400, body: { error: { code: 'invalid_value', param } } });
    expect(idsOf(await ask(holder, ''))).toEqual([holder.id]);
  });

  test('gives a new key its own settings by default', async () => {
    const limits = { ...noLimits, concurrency: enforced(2) };
    const holder = await settle({ limits, ipRanges: ['127.0.0.0/8', '::1'], expiresAt: Date.UTC(2090, 0, 1) });
    const { body } = await create(holder, { limits: { requests_per_minute: 5 } });
    expect(body).toMatchObject({ ip_ranges: ['127.0.0.0/8', '::1'], expires_at: '2090-01-01T00:00:00.000Z' });
    expect(body).toMatchObject({ limits: { requests_per_minute: { limit: 5 }, concurrency: { limit: 2 } } });
  });

  test('creates no more keys than the account can have, concurrent or in turn', async () => {
    const holder = await settle();
    await setSelfService(holder, { maxKeys: 2, delegate: false });
    const made = await Promise.all([1, 2, 3, 4].map(() => create(holder)));
    expect(made.map(({ status }) => status).toSorted()).toEqual([200, 200, 409, 409]);
    const [one] = made.filter(({ status }) => status === 200);
    expect((await ask(holder, '')).body).toMatchObject({ may_create: false, count: 2, max_keys: 2 });
    await revoke(holder, one?.body.id ?? '');
    expect((await create(holder)).status).toBe(200);
  });

  test('rotates a key without extending its lifetime, and still manages the keys it created', async () => {
    const holder = await settle({ expiresAt: Date.UTC(2090, 0, 1) });
    const { body: made } = await create(holder);
    const { body: next } = await rotate(holder, holder.id);
    expect(next).toMatchObject({
      expires_at: '2090-01-01T00:00:00.000Z',
      created_by: null,
      replaces: { id: holder.id, replaced_by: next.id },
    });
    expectDenied(await revoke(holder, made.id));
    const successor = { cookie: await signInAtPortal(gateway, next.key) };
    expect((await rotate(successor, made.id)).body).toMatchObject({ created_by: holder.id, may_manage: true });
    expect((await revoke(successor, holder.id)).body).toMatchObject({ state: 'revoked' });
  });

  test('changes keys that its own keys created, and no others', async () => {
    const parent = await settle();
    const child = await makeManager(parent);
    const { body: grandchild } = await create(child);
    const { body: sibling } = await create(parent);
    const { id: byOperator } = await gateway.newKey({ account: `family ${names}` });
    const stranger = await settle();
    for (const id of [parent.id, sibling.id, byOperator]) {
      expectDenied(await rotate(child, id));
      expectDenied(await revoke(child, id));
    }
    for (const said of [await rotate(child, stranger.id), await revoke(child, stranger.id)])
      expect(said).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
    expect(idsOf(await ask(child, ''))).toEqual([parent.id, child.id, grandchild.id, sibling.id, byOperator]);
    expect((await revoke(parent, grandchild.id)).body).toMatchObject({ state: 'revoked' });
    expect((await revoke(child, child.id)).status).toBe(200);
    expect((await ask(child, '')).status).toBe(401);
  });
});

/** Numbers that look random and are the same in each run. */
function diceOf(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

test('keeps every created key within what explain allows its creator, for random requests', { timeout: 60_000 }, async () => {
  const roll = diceOf(66);
  const some = <T>(all: readonly T[]): T[] | null => {
    const chosen = all.filter(() => roll(3) === 0);
    return chosen.length === 0 || roll(4) === 0 ? null : chosen;
  };
  const patterns = ['gpt-5*', 'gpt-*', '*mini', 'o9', 'draw-*', 'gpt-5.4', '*', 'g*4'];
  const operations = ['createResponse', 'createChatCompletion', 'generateImages', 'editImages'];
  const { access, config, money, limits, limitUse, activity, sessions, alerts } = gateway.gateway;
  const parts: Operations = {
    access,
    config,
    ledger: money?.ledger ?? null,
    limits,
    limitUse,
    activity,
    sessions,
    alerts,
    prices: money?.prices ?? null,
    now: Date.now,
  };
  const isAllowed = async (key: string, model: string) => (await explainCall(parts, { key, model })).allowed;
  const seen = { made: 0, rejected: 0, less: 0 };
  for (let round = 0; round < 60; round++) {
    const own = { operations: some(operations), models: some(patterns), mayStore: roll(2) === 0 };
    const holder = await settle({ permissions: { ...own, manageKeys: true } });
    const asked = { operations: roll(4) === 0 ? some(operations) : own.operations, models: some(patterns), may_store: own.mayStore };
    const { status, body } = await create(holder, { permissions: asked });
    if (status !== 200) {
      expect(body.error?.code).toBe('invalid_value');
      seen.rejected++;
      continue;
    }
    seen.made++;
    for (const model of models) {
      const [mine, theirs] = [await isAllowed(holder.id, model), await isAllowed(body.id, model)];
      expect([model, mine || !theirs]).toEqual([model, true]);
      if (mine && !theirs) seen.less++;
    }
  }
  expect(Math.min(seen.made, seen.rejected, seen.less)).toBeGreaterThan(5);
});

/** The order of the checks: of two faults the earlier one is reported: path, key, rate of the key, body, model, permission, money, limits, upstream (docs/lifecycle.md). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../contract/errors.ts';
import type { KeySettings } from '../../server/access/store.ts';
import type { Quantity, Scope } from '../../server/limits/limiter.ts';
import { failure } from '../fakes/faults.ts';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { expectRefusal } from '../harness/refusal.ts';

let fake: Fake;
let gateway: TestGateway;
beforeAll(async () => {
  fake = await openFake();
  fake.always(failure(500));
  gateway = await startGateway({
    upstreams: { vendor: { kind: 'openai', baseUrl: fake.url } },
    models: [{ id: 'gpt-5.4', kind: 'text' }],
    server: { bodyLimitBytes: 4_096 },
  });
});
afterAll(async () => {
  await gateway.close();
  await fake.close();
});

/** A call, and the state that its caller is in. */
interface Call {
  readonly method: string;
  readonly path: string;
  readonly type: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** Whether the body ends in the middle. */
  readonly isCut: boolean;
  readonly hasKey: boolean;
  readonly settings: Partial<KeySettings>;
  readonly balance: bigint;
  /** Limits that are full before the call comes. */
  readonly full: readonly (readonly [Scope, Quantity])[];
}

const enforced = (limit: number) => ({ limit, mode: 'enforce' }) as const;
const tight = { requestsPerMinute: enforced(5), tokensPerMinute: enforced(500), concurrency: enforced(5) };
const good: Call = {
  method: 'POST',
  path: '/chat/completions',
  type: 'application/json',
  isCut: false,
  hasKey: true,
  body: { model: 'gpt-5.4', messages: [{ role: 'user', content: 'hello' }] },
  settings: { limits: tight },
  balance: 1_000_000_000n,
  full: [],
};

interface Fault {
  readonly name: string;
  readonly code: ErrorCode;
  readonly param?: string;
  /** Faults of one step have no promised order. */
  readonly step: number;
  readonly change: (call: Call) => Call;
}

const filled = (call: Call, scope: Scope, quantity: Quantity): Call => ({ ...call, full: [...call.full, [scope, quantity]] });
const asking = (call: Call, fields: object): Call => ({ ...call, body: { ...call.body, ...fields } });
const imagesOnly = { operations: ['generateImages'], models: null, mayStore: true };

const faults: readonly Fault[] = [
  { step: 1, name: 'an unknown path', code: 'unknown_url', change: (call) => ({ ...call, path: '/chat/completion' }) },
  { step: 1, name: 'a wrong method', code: 'method_not_allowed', change: (call) => ({ ...call, method: 'PUT' }) },
  { step: 2, name: 'no key', code: 'invalid_api_key', change: (call) => ({ ...call, hasKey: false }) },
  { step: 3, name: 'a full rate of its key', code: 'rate_limit_exceeded', change: (call) => filled(call, 'key', 'requests') },
  // Both before the body is read.
  { step: 4, name: 'a body that is too large', code: 'request_too_large', change: (call) => asking(call, { user: 'x'.repeat(8_000) }) },
  { step: 5, name: 'a body of another content type', code: 'unsupported_media_type', change: (call) => ({ ...call, type: 'text/plain' }) },
  { step: 6, name: 'a body that is no JSON', code: 'invalid_json', change: (call) => ({ ...call, isCut: true }) },
  { step: 7, name: 'a wrong field', code: 'invalid_type', param: 'temperature', change: (call) => asking(call, { temperature: 'hot' }) },
  { step: 8, name: 'an unknown model', code: 'model_not_found', param: 'model', change: (call) => asking(call, { model: 'nobody' }) },
  {
    step: 9,
    name: 'a key without permission',
    code: 'permission_denied',
    change: (call) => ({ ...call, settings: { ...call.settings, permissions: imagesOnly } }),
  },
  { step: 10, name: 'too little money', code: 'insufficient_balance', change: (call) => ({ ...call, balance: 1n }) },
  { step: 11, name: 'a full rate of its account', code: 'rate_limit_exceeded', change: (call) => filled(call, 'account', 'requests') },
  { step: 11, name: 'tokens that are used up', code: 'token_limit_exceeded', change: (call) => filled(call, 'key', 'tokens') },
  { step: 11, name: 'too many calls at once', code: 'concurrency_limit_exceeded', change: (call) => filled(call, 'key', 'concurrency') },
  { step: 12, name: 'a failing provider', code: 'upstream_error', change: (call) => call },
];

const pairs = faults.flatMap((first) => faults.filter(({ step }) => step > first.step).map((second) => ({ first, second })));

let accounts = 0;

async function callWith(...both: readonly Fault[]): Promise<Response> {
  const call = both.reduce((changed, { change }) => change(changed), good);
  const { method, path, type, hasKey, settings, balance } = call;
  const { key, id, accountId } = await gateway.newKey({ account: `account ${++accounts}`, balance, ...settings });
  const audit = { actor: 'test', action: 'account.edit', target: accountId, details: {}, at: Date.now() };
  await gateway.withAccess(({ store }) => store.editAccount(accountId, { limits: tight }, audit));
  for (const [scope, quantity] of call.full) await fill({ scope, quantity, subject: scope === 'key' ? id : accountId });
  const body = JSON.stringify(call.body).slice(0, call.isCut ? -1 : undefined);
  return gateway.call(path, { method, body, headers: { 'content-type': type }, key: hasKey ? key : null });
}

/** Uses up the limit, as earlier calls would. */
async function fill({ scope, quantity, subject }: { readonly scope: Scope; readonly quantity: Quantity; readonly subject: string }) {
  const most = { requests: 5, tokens: 500, concurrency: 5 }[quantity];
  const limits = [{ scope, subject, quantity, most, mode: 'enforce' as const }];
  for (let count = 0; count < 5; count++)
    await gateway.gateway.limits.acquire({ requestId: `before ${count}`, limits, tokens: 10_000, quantities: [quantity] });
}

describe('one mistake', () => {
  test.each(faults)('reports $name', async (fault) => {
    await expectRefusal(await callWith(fault), { code: fault.code, param: fault.param ?? null });
  });
});

describe('two mistakes', () => {
  test.each(pairs)('reports $first.name before $second.name', async ({ first, second }) => {
    const before = fake.requests.length;
    await expectRefusal(await callWith(first, second), { code: first.code, param: first.param ?? null });
    expect(fake.requests).toHaveLength(before);
  });
});

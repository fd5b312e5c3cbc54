/** States that make an operation answer with a code, whatever the caller writes: of keys, money, limits, vendors, and the gateway itself. */
import { once } from 'node:events';
import type { ErrorCode } from '../../../contract/errors.ts';
import type { OperationName } from '../../../contract/operation-errors.ts';
import { MAX_OWN_READS } from '../../../server/api/v1/own-read-limiter.ts';
import { failure, hangUp, later } from '../../fakes/faults.ts';
import { behind, type TestGateway } from '../../harness/gateway.ts';
import { type RawAnswer, request, talk } from '../../harness/raw.ts';
import { ask, headOf, type Stage, talkFirst } from './stage.ts';

export type Provoke = (stage: Stage, operation: OperationName) => Promise<Response | RawAnswer>;

const enforced = (limit: number) => ({ limit, mode: 'enforce' }) as const;
const noLimits = { requestsPerMinute: null, tokensPerMinute: null, concurrency: null };
const broken = (): never => {
  throw new TypeError('a part that breaks as nobody foresaw');
};

/** The answer to one request on a connection that then ends. */
const rawly = async (gateway: TestGateway, bytes: Buffer | string): Promise<RawAnswer> =>
  (await talk(gateway.origin, bytes))[0] ?? Promise.reject(new Error('no answer'));

const withKey =
  (order: (stage: Stage) => Parameters<TestGateway['newKey']>[0]): Provoke =>
  async (stage, operation) => {
    const gateway = await stage.plain();
    const { key } = await gateway.newKey(order(stage));
    return ask(gateway, operation, { key });
  };

/** The vendor answers this one call with the script. */
const vendorSays =
  (script: Parameters<Awaited<ReturnType<Stage['openFake']>>['next']>[0]): Provoke =>
  async (stage, operation) => {
    const { fake, gateway } = await stage.vendor();
    fake.next(script);
    return ask(gateway, operation);
  };

/** A call that waits for its vendor, and another one beside it. */
const besideRunning =
  (order: Parameters<TestGateway['newKey']>[0], headers: Record<string, string>): Provoke =>
  async (stage, operation) => {
    const { fake, gateway } = await stage.vendor();
    const { key } = await gateway.newKey({ account: stage.newAccount(), ...order });
    const { promise: gate, resolve: go } = Promise.withResolvers<void>();
    const index = fake.requests.length;
    fake.next(later(gate, failure(500)));
    const running = ask(gateway, operation, { key, headers });
    await fake.arrival(index);
    const answer = await ask(gateway, operation, { key, headers });
    go();
    await (await running).text();
    return answer;
  };

const MIB = 1_048_576;

const smallRoom = (stage: Stage) => stage.gateway('small room', { server: { overload: { bodiesPerKeyMiB: 1 } } });
const reads: readonly OperationName[] = ['getResponse', 'listInputItems'];

/** Stores a response and returns its id. */
async function store(gateway: TestGateway, key: string, json: object): Promise<string> {
  const answer = await ask(gateway, 'createResponse', { key, json });
  const { id } = Object(await answer.json());
  return String(id);
}

/** A key whose running bodies use up its memory, so that neither a DELETE with a body nor a read of a stored response has room. */
async function withoutRoom(stage: Stage, operation: OperationName): Promise<Response> {
  const gateway = await smallRoom(stage);
  const { key } = await gateway.newKey({ account: stage.newAccount() });
  const id = await store(gateway, key, { instructions: 'x'.repeat(40_000), input: 'x'.repeat(40_000) });
  const socket = stage.connect(gateway);
  const more = ['content-type: application/json', 'expect: 100-continue', `content-length: ${Math.floor(MIB / 3) - 1_000}`];
  socket.write(request(headOf({ key }, 'createResponse', more)));
  await once(socket, 'data');
  return ask(gateway, operation, reads.includes(operation) ? { key, id } : { key, body: JSON.stringify({ a: 'x'.repeat(40_000) }) });
}

/** A response stored with more memory, larger than what the key may read here. */
async function largeStored(stage: Stage, operation: OperationName): Promise<Response> {
  const gateway = await smallRoom(stage);
  const { key, accountId } = await gateway.newKey({ account: stage.newAccount() });
  const [id, text] = [`resp_of_${accountId}`, 'x'.repeat(400_000)];
  const given = { accountId, previousId: null, upstream: 'sim', createdAt: 1, input: [{ type: 'message', role: 'user', content: text }] };
  await gateway.gateway.history.save({ ...given, id, response: { id, object: 'response', instructions: text, output: [] } });
  return ask(gateway, operation, { id, key });
}

/** A key whose first call used up its limit. */
async function again(stage: Stage, operation: OperationName, limits: object, first: OperationName): Promise<Response> {
  const gateway = await stage.plain();
  const { key } = await gateway.newKey({ account: stage.newAccount(), limits: { ...noLimits, ...limits } });
  await (await ask(gateway, first, { key })).text();
  return ask(gateway, operation, { key });
}

/** An idempotency key that a request with another body has used. */
async function reusedKey(stage: Stage, operation: OperationName): Promise<Response> {
  const gateway = await stage.plain();
  const { key } = await gateway.newKey({ account: stage.newAccount() });
  const headers = { 'idempotency-key': `reused-${operation}` };
  await (await ask(gateway, operation, { key, headers })).text();
  return ask(gateway, operation, { key, headers, json: { user: 'another' } });
}

const ownReads: readonly OperationName[] = [
  'listUsage',
  'getUsage',
  'getAccount',
  'getKey',
  'getUsageSummary',
  'listStatement',
  'getProtocol',
];

/** Reading the own bill counts towards no limit of calls, and has a bound of its own. */
async function tooManyReads(stage: Stage, operation: OperationName): Promise<Response> {
  const gateway = await stage.plain();
  const { key } = await gateway.newKey({ account: stage.newAccount() });
  for (let n = 0; n < MAX_OWN_READS; n++) await (await gateway.call('/key', { key })).text();
  return ask(gateway, operation, { key });
}

async function endedSubscription(stage: Stage, operation: OperationName): Promise<Response> {
  const gateway = await stage.plain();
  const { key, accountId } = await gateway.newKey({ account: stage.newAccount() });
  const plan = { plan: 'pro', included: 9_000_000n, period: 'month', onExhaustion: 'stop', priceList: 'standard' } as const;
  const dates = { startsAt: 1, endsAt: Date.now() - 1_000, cancelledAt: null };
  await gateway.gateway.money?.ledger.addSubscription({ ...plan, ...dates, id: `sub_${accountId}`, accountId });
  return ask(gateway, operation, { key });
}

async function fullHistory(stage: Stage, operation: OperationName): Promise<Response> {
  const gateway = await stage.gateway('full history', { history: { accountMiB: 1 } });
  return ask(gateway, operation, { json: { input: 'x'.repeat(MIB) } });
}

/** The vendor refuses all keys of the gateway. */
async function rejectedKeys(stage: Stage, operation: OperationName): Promise<Response> {
  const fake = await stage.openFake();
  const gateway = await stage.gateway(`rejected for ${operation}`, behind(fake.url, { apiKey: undefined, apiKeys: ['sk-1', 'sk-2'] }));
  for (let n = 0; n < 2; n++) {
    fake.next(failure(401));
    await (await ask(gateway, operation)).text();
  }
  return ask(gateway, operation);
}

async function brokenGateway(stage: Stage, operation: OperationName): Promise<Response> {
  const gateway = await stage.gateway('broken');
  const { access, activity, catalog, history, money } = gateway.gateway;
  Object.assign(catalog, { find: broken, list: broken });
  Object.assign(history, { find: broken, remove: broken, readInput: broken });
  Object.assign(money?.ledger ?? {}, { listCharges: broken, findCharge: broken });
  Object.assign(access.store, { findKeyById: broken });
  Object.assign(activity, { ask: broken });
  return ask(gateway, operation);
}

async function fullMemory(stage: Stage, operation: OperationName): Promise<Response> {
  // Any process uses more than that.
  const gateway = await stage.gateway('full memory', { server: { overload: { memoryMiB: 1 } } });
  await gateway.lineWhere(({ excess }) => excess === 'memory');
  return ask(gateway, operation);
}

const withHead =
  (more: readonly string[]): Provoke =>
  async (stage, operation) => {
    const gateway = await stage.plain();
    return rawly(gateway, request(headOf(gateway, operation, [...more, 'connection: close'])));
  };

export const states: { readonly [Code in ErrorCode]?: Provoke } = {
  async malformed_request(stage, operation) {
    const gateway = await stage.plain();
    // Without a host header.
    return rawly(gateway, `${headOf(gateway, operation, ['connection: close']).join('\r\n')}\r\n\r\n`);
  },
  async request_timeout(stage, operation) {
    const gateway = await stage.gateway('hasty', { server: { headersTimeoutMs: 100 } });
    // The empty line that ends the headers never comes.
    return rawly(gateway, `${headOf(gateway, operation, ['host: gateway.test']).join('\r\n')}\r\n`);
  },
  async upgrade_required(stage, operation) {
    const gateway = await stage.plain();
    return talkFirst(gateway, request(headOf(gateway, operation, ['connection: Upgrade', 'upgrade: websocket'])));
  },
  headers_too_large: withHead([`x-note: ${'x'.repeat(20_000)}`]),
  request_too_large: (stage, operation) =>
    (reads.includes(operation) ? largeStored : withHead(['content-type: application/json', 'content-length: 1000000000']))(
      stage,
      operation,
    ),
  internal_error: brokenGateway,
  overloaded: fullMemory,
  invalid_api_key: async (stage, operation) => ask(await stage.plain(), operation, { key: 'mg-nobody' }),
  permission_denied: withKey(() => ({ ipRanges: ['192.0.2.0/24'] })),
  insufficient_balance: withKey((stage) => ({ account: stage.newAccount(), balance: 0n })),
  subscription_inactive: endedSubscription,
  storage_quota_exceeded: fullHistory,
  rate_limit_exceeded: (stage, operation) =>
    ownReads.includes(operation)
      ? tooManyReads(stage, operation)
      : again(stage, operation, { requestsPerMinute: enforced(1) }, 'listModels'),
  /** A stored response without events. */
  async invalid_value(stage, operation) {
    const gateway = await stage.plain();
    const { key } = await gateway.newKey({ account: stage.newAccount() });
    return ask(gateway, operation, { key, id: await store(gateway, key, {}), query: '?stream=true' });
  },
  token_limit_exceeded: (stage, operation) => again(stage, operation, { tokensPerMinute: enforced(1) }, operation),
  concurrency_limit_exceeded: (stage, operation) =>
    ['deleteResponse', 'cancelResponse', 'countInputTokens'].includes(operation) || reads.includes(operation)
      ? withoutRoom(stage, operation)
      : besideRunning({ limits: { ...noLimits, concurrency: enforced(1) } }, {})(stage, operation),
  idempotency_conflict: (stage, operation) =>
    besideRunning({}, { 'idempotency-key': `one of ${operation}`.replaceAll(' ', '-') })(stage, operation),
  idempotency_key_reused: reusedKey,
  upstream_error: vendorSays(hangUp),
  upstream_timeout: vendorSays(failure(504)),
  upstream_unavailable: vendorSays(failure(503)),
  no_upstream_available: rejectedKeys,
};

/** A mistake that only the upstream finds, and reports with this code. */
export const saidByVendor = (code: ErrorCode): Provoke => vendorSays(failure(400, { code, message: 'The vendor says so.' }));

/** A gateway over fake vendors on which many cases can run at once, with its ledger. */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Quantity, Scope } from '../../../server/limits/limiter.ts';
import type { ChargeRecord, LedgerStore } from '../../../server/money/store.ts';
import { type Fake, openFake } from '../../fakes/upstream.ts';
import { startGateway, type TestGateway } from '../../harness/gateway.ts';
import { waitsOf } from '../../harness/vendor.ts';
import { type Case, models } from './case.ts';
import { imagePrices, tokenPrices } from './expected.ts';

/** The outcome of a case. */
export interface Outcome {
  /** Null if the caller left before there was one. */
  readonly status: number | null;
  /** Null if the gateway never answered and no vendor was asked. */
  readonly requestId: string | null;
  readonly cost: string | null;
}

export interface Stage {
  readonly gateway: TestGateway;
  readonly ledger: LedgerStore;
  readonly fake: Fake;
  /** Of the account with money. */
  readonly accountId: string;
  /** Of its key. */
  readonly keyId: string;
  readonly opening: bigint;
  run(number: number, one: Case): Promise<Outcome>;
  /** Resolves when nothing is held any more. */
  quiet(): Promise<void>;
  charges(accountId: string): Promise<ChargeRecord[]>;
  /** How many of these limits have a slot taken. */
  slotsTaken(): Promise<string[]>;
  close(): Promise<void>;
}

const OPENING = 1_000_000_000_000n;
/** Ends a test whose holds stay for ever; a busy machine settles late. */
const patienceMs = 60_000;
const limits = { concurrency: 1_000 };

export async function openStage(settings: Record<string, unknown> = {}): Promise<Stage> {
  const fake = await openFake();
  const gateway = await startGateway({
    validateResponses: false,
    limits: { perKey: limits, perAccount: limits },
    groups: { default: { limits } },
    upstreams: {
      vendor: { kind: 'openai', baseUrl: fake.url },
      // What is silent there was never heard of: whichever time is over first.
      hasty: { kind: 'openai', baseUrl: fake.url, ...waitsOf({ headersMs: 1_000, firstEventMs: 1_000, idleMs: 800 }) },
      halting: { kind: 'openai', baseUrl: fake.url, ...waitsOf({ idleMs: 800 }) },
      claude: { kind: 'anthropic', baseUrl: fake.url },
    },
    models: [
      { id: models.text, kind: 'text', upstream: 'vendor', prices: tokenPrices, limits },
      { id: models.hasty, kind: 'text', upstream: 'hasty', prices: tokenPrices, limits },
      { id: models.halting, kind: 'text', upstream: 'halting', prices: tokenPrices, limits },
      { id: models.claude, kind: 'text', upstream: 'claude', prices: tokenPrices, limits, maxOutputTokens: 8_000 },
      { id: models.picture, kind: 'image', upstream: 'vendor', prices: imagePrices, limits },
    ],
    ...settings,
  });
  const ledger = gateway.gateway.money?.ledger;
  if (!ledger) throw new Error('billing is off');
  const rich = await gateway.newKey({ account: 'rich', balance: OPENING });
  const poor = await gateway.newKey({ account: 'poor', balance: 10n });
  const none = { requestsPerMinute: null, concurrency: null };
  const limited = await gateway.newKey({ account: 'limited', limits: { ...none, tokensPerMinute: { limit: 1, mode: 'enforce' } } });
  const callers = openCallers(gateway.origin, fake, { rich: rich.key, poor: poor.key, limited: limited.key });
  const accounts = [rich, poor, limited].map(({ accountId }) => accountId);
  return {
    gateway,
    ledger,
    fake,
    accountId: rich.accountId,
    keyId: rich.id,
    opening: OPENING,
    run: callers.run,
    async quiet() {
      const signal = AbortSignal.timeout(patienceMs);
      for (let held = [1n]; held.some((sum) => sum > 0n); await pause(20)) {
        signal.throwIfAborted();
        held = await Promise.all(accounts.map(async (id) => (await ledger.getBalance(id))?.held ?? 0n));
      }
    },
    charges: (accountId) => chargesOf(ledger, accountId),
    slotsTaken: () => slotsTaken(gateway, [rich, poor, limited]),
    async close() {
      await callers.close();
      await gateway.close();
      await fake.close();
    },
  };
}

async function chargesOf(ledger: LedgerStore, accountId: string): Promise<ChargeRecord[]> {
  const all: ChargeRecord[] = [];
  for (;;) {
    const after = all.at(-1)?.requestId;
    const page = await ledger.listCharges({ accountId, limit: 1_000, ...(after !== undefined && { after }) });
    all.push(...page);
    if (page.length === 0) return all;
  }
}

interface Named {
  readonly id: string;
  readonly accountId: string;
}

/** A limit of one slot admits a call only if no slot is taken. */
async function slotsTaken({ gateway }: TestGateway, keys: readonly Named[]): Promise<string[]> {
  const subjects: readonly (readonly [Scope, string])[] = [
    ...keys.flatMap(({ id, accountId }) => [['key', id] as const, ['account', accountId] as const]),
    ['group', 'default'],
    ...Object.values(models).map((id) => ['model', id] as const),
  ];
  const taken: string[] = [];
  for (const [scope, subject] of subjects) {
    const limit = { scope, subject, quantity: 'concurrency' as Quantity, most: 1, mode: 'enforce' as const };
    const take = { requestId: 'look', limits: [limit], tokens: 0, quantities: ['concurrency' as Quantity] };
    if ((await gateway.limits.acquire(take)).kind === 'rejected') taken.push(`${scope} ${subject}`);
    else await gateway.limits.finish(take, 0);
  }
  return taken;
}

type Keys = Readonly<Record<'rich' | 'poor' | 'limited', string>>;

function openCallers(origin: string, fake: Fake, keys: Keys) {
  const pool = new Pool(origin, { connections: 100, pipelining: 1, connectTimeout: 60_000 });
  const running = new Map<number, { readonly one: Case; readonly asked: PromiseWithResolvers<string> }>();
  fake.always((request) => {
    const found = running.get(Number(/case-(\d+);/.exec(request.body.toString())?.[1]));
    if (!found?.one.vendor) throw new Error(`nobody expected to be asked: ${request.body.toString().slice(0, 200)}`);
    found.asked.resolve(String(request.headers['x-request-id']));
    return found.one.vendor(request);
  });

  async function run(number: number, one: Case): Promise<Outcome> {
    const asked = Promise.withResolvers<string>();
    running.set(number, { one, asked });
    const outcome = await call(pool, { one, key: keys[one.by ?? 'rich'], asked: asked.promise });
    asked.resolve('');
    const requestId = outcome.requestId ?? ((await asked.promise) || null);
    return { ...outcome, requestId };
  }
  return { run, close: () => pool.destroy() };
}

interface Calling {
  readonly one: Case;
  readonly key: string;
  /** Resolves with the request id when the vendor is asked. */
  readonly asked: Promise<string>;
}

async function call(pool: Pool, { one, key, asked }: Calling): Promise<Outcome> {
  const { leave } = one;
  const leaving = new AbortController();
  if (leave?.when === 'asked') void asked.then(() => nextTurn()).then(() => leaving.abort());
  if (leave?.when === 'at once')
    void nextTurn()
      .then(nextTurn)
      .then(() => leaving.abort());
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  let outcome: Outcome = { status: null, requestId: null, cost: null };
  try {
    const answer = await pool.request({
      method: 'POST',
      path: `/v1${one.path}`,
      headers,
      body: JSON.stringify(one.body),
      signal: leaving.signal,
    });
    const word = (name: string): string | null => (typeof answer.headers[name] === 'string' ? answer.headers[name] : null);
    outcome = { status: answer.statusCode, requestId: word('x-request-id'), cost: word('x-modelgate-cost') };
    let read = '';
    for await (const bytes of answer.body) {
      if (leave?.when !== 'read') continue;
      read += Buffer.from(bytes).toString();
      if (read.includes(leave.text)) leaving.abort();
    }
  } catch (error) {
    if (!leaving.signal.aborted) throw new Error(`${one.name}: ${String(error)}`, { cause: error });
  }
  return outcome;
}

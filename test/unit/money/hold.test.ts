/** The hold of one call is reserved before the call, then posted or released once; an outage of the store costs nobody money (promises G1 to G4, F29, F30, F37). */
import { describe, expect, test } from 'vitest';
import type { IdempotentRequest, RequestContext } from '../../../server/call/context.ts';

import { estimateHold, type HoldRequest, openHold } from '../../../server/money/hold.ts';
import type { UsageBounds } from '../../../server/money/hold-range.ts';
import type { MeasuredUsage } from '../../../server/money/measured-usage.ts';
import type { Money } from '../../../server/money/money.ts';
import type { LedgerStore, Posting, SettleResult } from '../../../server/money/store.ts';
import { openCall, principalOf } from '../call/one-call.ts';
import { configOf } from '../settings.ts';
import { openTill, type Till } from '../till.ts';
import { subscription } from './open.ts';

const config = () =>
  configOf({
    upstreams: { main: { kind: 'simulator' } },
    models: [
      { id: 'm', kind: 'text', prices: { input: '1', output: '10' } },
      { id: 'free', kind: 'text', prices: 'free' },
      { id: 'drawn', kind: 'image', prices: { images: { default: '0.04' } } },
    ],
    priceLists: { cheap: { m: { input: '0.5', output: '5' } } },
  });

const tokens: UsageBounds = { inputTokens: 100, outputTokens: 10, images: 0, imageKind: 'auto/auto' };
/** 100 input tokens at 1 micro-dollar each, and 10 output tokens at 10 micro-dollars each. */
const most = 200n;

const requestOf = (changes: Partial<HoldRequest> = {}): HoldRequest => ({
  requestId: 'req_1',
  model: 'm',
  operation: 'createChatCompletion',
  bounds: tokens,
  principal: principalOf(),
  multiplier: '1',
  ...changes,
});
const used = (input: number, output: number) => ({
  metered: { input, cachedInput: 0, cacheWrite: 0, output, reasoning: 0, images: {} },
  isEstimated: false,
});

/** Holds money for a call, and records what is settled in its outcome, as the pipeline does. */
async function holdFor(money: Money, { id, idempotentRequest, outcome: known }: RequestContext, request: HoldRequest) {
  const hold = await openHold(money, { ...request, requestId: id, claim: idempotentRequest?.claim });
  return {
    outputLimit: hold.outputLimit,
    settle: async (measured: MeasuredUsage, outcome: string) =>
      known.setSettled(await hold.settle({ measured, outcome, attempts: known.attempts, isInSession: false })),
    release: (outcome: string) => hold.release({ outcome, attempts: known.attempts }),
  };
}

/** A till, and a call with its hold. */
async function openHeld(request = requestOf(), balance?: bigint) {
  const till = await openTill(config(), balance);
  const { call } = openCall();
  return { till, call, hold: await holdFor(till.money, call, request) };
}

const chargeOf = async ({ ledger }: Till, { id }: RequestContext) => (await ledger.findCharge(id)) ?? expect.fail('no charge');

describe('F29, G3: openHold', () => {
  test('reserves the highest cost that the call can have, once', async () => {
    const { till, call } = await openHeld(requestOf(), most);
    expect(await till.ledger.getBalance('ada')).toEqual({ balance: most, held: most });
    expect(await chargeOf(till, call)).toMatchObject({ state: 'held', model: 'm', operation: 'createChatCompletion', held: most });
    expect([...till.money.open]).toEqual([call.id]);
  });

  test('F37: applies the multiplier of the group to hold and charge, rounded up', async () => {
    const { till, call, hold } = await openHeld(requestOf({ multiplier: '0.333333' }));
    expect(await chargeOf(till, call)).toMatchObject({ held: 67n, multiplier: 333_333 });
    await hold.settle(used(50, 4), 'completed');
    expect(call.outcome.cost).toBe(30n);
  });

  test('uses the price list of the subscription, and holds from the subscription', async () => {
    const till = await openTill(config(), 0n);
    await till.ledger.addSubscription(subscription({ id: 'sub_1', included: 1_000n, priceList: 'cheap', startsAt: 0 }));
    const { call } = openCall();
    await holdFor(till.money, call, requestOf());
    expect(await chargeOf(till, call)).toMatchObject({ held: 100n, source: 'sub:sub_1' });
  });
});

describe('C3: a hold that is granted in part', () => {
  /** 50,000 micro-dollars of input, and three answers that may cost a million each. */
  const three: UsageBounds = {
    ...tokens,
    inputTokens: 50_000,
    outputTokens: 300_000,
    unlimitedOutput: { choiceCount: 3, maxTokensPerChoice: 100_000 },
  };
  const request = requestOf({ bounds: three });
  /** The least, that is the input and 1,024 tokens for each answer; and half of what is left of a dollar. */
  const granted = 80_720n + (1_000_000n - 80_720n) / 2n;
  const limit = Number((granted - 50_000n) / 10n / 3n);

  test('limits the output to the held amount, and records the limit in the charge', async () => {
    const till = await openTill(config());
    const { call } = openCall();
    expect(await estimateHold(till.money, request)).toEqual({ most: granted, outputLimit: limit });
    const hold = await holdFor(till.money, call, request);
    expect([hold.outputLimit, (await chargeOf(till, call)).held]).toEqual([16_345, 540_360n]);
    await hold.settle(used(50_000, 3 * limit), 'completed');
    expect(await chargeOf(till, call)).toMatchObject({ charged: 540_350n, overrun: 0n, metered: { outputLimit: limit } });
  });

  test('bounds the cost of the call while the ledger is down', async () => {
    const { till, call, hold } = await openHeld(request);
    till.fail('post');
    await hold.settle(used(50_000, 300_000), 'completed');
    expect(call.outcome.cost).toBe(granted);
    expect(call.outcome.charge).toMatchObject({ charged: granted });
  });

  test('sets no limit where the balance pays for the longest responses', async () => {
    const { till, call, hold } = await openHeld(request, 10_000_000n);
    expect([hold.outputLimit, (await chargeOf(till, call)).held]).toEqual([null, 3_050_000n]);
    await hold.settle(used(1, 1), 'completed');
    expect((await chargeOf(till, call)).metered).not.toHaveProperty('outputLimit');
  });
});

describe('G4: openHold', () => {
  test.each([
    ['the model has no price', { model: 'unknown' }, 'permission_denied', "'unknown' can't be called because it has no price"],
    ['it requests tokens of a model priced by images', { model: 'drawn' }, 'permission_denied', 'is priced per image in price list'],
  ] as const)('rejects a call and holds nothing if %s', async (_what, changes, code, words) => {
    const till = await openTill(config(), most - 1n);
    const { call } = openCall();
    await expect(holdFor(till.money, call, requestOf(changes))).rejects.toMatchObject({ code, message: expect.stringContaining(words) });
    expect(await till.ledger.getBalance('ada')).toEqual({ balance: most - 1n, held: 0n });
    expect([await till.ledger.findCharge(call.id), till.money.open.size]).toEqual([undefined, 0]);
  });

  test.each([
    ['a tool has no price', { kind: 'tool', name: 'mcp_call', path: 'tools[0]' }, "tool at 'tools[0]'"],
    ['it requests a service tier', { kind: 'tier', name: 'priority', path: 'service_tier' }, "Send 'default'"],
  ] as const)('rejects a call if %s', async (_what, extra, words) => {
    const till = await openTill(config());
    const rejected = holdFor(till.money, openCall().call, requestOf({ bounds: { ...tokens, extras: [extra] } }));
    await expect(rejected).rejects.toMatchObject({ code: 'unsupported_value', param: extra.path, message: expect.stringContaining(words) });
  });

  test("rejects a request ID that has a hold with internal_error, and doesn't change the hold", async () => {
    const { till, call } = await openHeld();
    await expect(holdFor(till.money, openCall().call, requestOf())).rejects.toMatchObject({ code: 'internal_error' });
    expect(await chargeOf(till, call)).toMatchObject({ state: 'held' });
  });

  test.each(['activeSubscription', 'reserve'] as const)('rejects a call with overloaded and retry-after if %s fails', async (step) => {
    const till = await openTill(config());
    till.fail(step);
    const rejected = holdFor(till.money, openCall().call, requestOf());
    await expect(rejected).rejects.toMatchObject({ code: 'overloaded', headers: { 'retry-after': '1' } });
    till.fail(null);
    expect([await till.ledger.getBalance('ada'), till.money.open.size]).toMatchObject([{ held: 0n }, 0]);
  });
});

describe('F30: if the store', () => {
  test("doesn't respond in time, a charge goes to the outbox, new calls are overloaded, and late holds voided", async () => {
    const till = await openTill(config());
    const { ledger } = till;
    // The ledger in memory answers before any timer fires, the slow one does not answer at all.
    const money = { ...till.money, waitMs: 1 };
    const answers = Promise.withResolvers<void>();
    const slow: typeof ledger = {
      ...ledger,
      reserve: async (order) => answers.promise.then(() => ledger.reserve(order)),
      post: async (posting) => answers.promise.then(() => ledger.post(posting)),
    };
    const [made, rejectedCall] = [openCall({ id: 'made' }).call, openCall({ id: 'turned away' }).call];
    const hold = await holdFor({ ...money, ledger: { ...slow, reserve: ledger.reserve } }, made, requestOf());
    const rejected = holdFor({ ...money, ledger: slow }, rejectedCall, requestOf()).catch((error: unknown) => error);
    await hold.settle(used(50, 4), 'completed');
    expect(await rejected).toMatchObject({ code: 'overloaded' });
    expect([made.outcome.cost, money.outbox.size]).toEqual([90n, 1]);
    answers.resolve();
    await expect.poll(async () => (await ledger.findCharge('turned away'))?.state).toBe('voided');
    expect(await chargeOf(till, rejectedCall)).toMatchObject({ outcome: 'rejected', charged: 0n });
    expect(await chargeOf(till, made)).toMatchObject({ state: 'posted', charged: 90n });
    expect(await ledger.getBalance('ada')).toMatchObject({ held: 0n });
  });

  test('fails after its commit, the call is overloaded and its hold is voided', async () => {
    const till = await openTill(config());
    const { ledger, money } = till;
    const broken: typeof ledger = {
      ...ledger,
      reserve: (order) => ledger.reserve(order).then(() => Promise.reject(new Error('the connection broke'))),
    };
    const { call } = openCall();
    await expect(holdFor({ ...money, ledger: broken }, call, requestOf())).rejects.toMatchObject({ code: 'overloaded' });
    await expect.poll(async () => (await chargeOf(till, call)).state).toBe('voided');
    expect(await chargeOf(till, call)).toMatchObject({ outcome: 'rejected', charged: 0n });
  });
});

describe('G4: the end of a hold', () => {
  test.each<[string, SettleResult, bigint, bigint | null]>([
    ['what was left, if it comes late', { kind: 'settled', charged: 7n, overrun: 83n, isLate: true }, 7n, 7n],
    ['nothing more, if it was charged before', { kind: 'earlier', state: 'posted' }, 90n, null],
    ['nothing in the log of requests, if its hold is unknown', { kind: 'unknown' }, 90n, null],
  ])('charges %s', async (_what, result, cost, charged) => {
    const till = await openTill(config());
    const posted: Posting[] = [];
    const settled: LedgerStore['post'] = async (one) => {
      posted.push(one);
      return result;
    };
    // `as`: nothing else is asked of it.
    const keeping = {
      claim: { key: 'k', fingerprint: 'f' },
      getResponseToStore: () => undefined,
      markStored: () => undefined,
    } as unknown as IdempotentRequest;
    for (const once of [null, keeping]) {
      const { call } = openCall({ id: `keyed ${once !== null}` });
      call.idempotentRequest = once;
      const hold = await holdFor({ ...till.money, ledger: { ...till.ledger, post: settled } }, call, requestOf());
      await hold.settle(used(50, 4), 'completed');
      expect([call.outcome.cost, call.outcome.charge?.charged ?? null]).toEqual([cost, charged]);
    }
    expect(posted.map(({ key }) => key)).toEqual([undefined, 'k']);
  });

  test('charges at most the hold, and logs the overrun', async () => {
    const { till, call, hold } = await openHeld();
    await hold.settle(used(1_000, 0), 'completed');
    expect([call.outcome.cost, await chargeOf(till, call)]).toMatchObject([most, { charged: most, overrun: 800n }]);
    expect(till.lines).toMatchObject([{ id: call.id, overrun: '0.000800' }]);
  });

  test('charges the prices at the time of the hold, even after a reload of the configuration', async () => {
    const { till, call, hold } = await openHeld();
    const dearer = configOf({
      upstreams: { main: { kind: 'simulator' } },
      models: [{ id: 'm', kind: 'text', prices: { input: '9', output: '90' } }],
    });
    await till.money.applyConfig(dearer, () => undefined);
    await hold.settle(used(50, 4), 'completed');
    expect(call.outcome.cost).toBe(90n);
  });

  test('voids it and charges nothing if the call is released', async () => {
    const { till, call, hold } = await openHeld();
    await hold.release('failed');
    expect(await chargeOf(till, call)).toMatchObject({ state: 'voided', charged: 0n, outcome: 'failed' });
    expect([call.outcome.cost, till.money.open.size]).toEqual([null, 0]);
  });
});

describe('a charge', () => {
  const attempt = (status: number | null, code: 'overloaded' | null) => ({ upstream: 'main', status, code });
  test.each([
    ['no attempt if the only one succeeded', [attempt(200, null)], 0],
    ['one attempt if the only one failed', [attempt(503, 'overloaded')], 1],
    ['both attempts if the second one succeeded', [attempt(503, 'overloaded'), attempt(200, null)], 2],
    ['both attempts if both succeeded', [attempt(200, null), attempt(200, null)], 2],
    ['no attempt without any', [], 0],
  ])('stores %s', async (_what, attempts, kept) => {
    const till = await openTill(config());
    for (const end of ['posted', 'voided'] as const) {
      const { call } = openCall({ id: end });
      const hold = await holdFor(till.money, call, requestOf());
      for (const { upstream, status, code } of attempts) {
        call.outcome.beginAttempt(upstream);
        call.outcome.endAttempt(status, code);
      }
      await (end === 'posted' ? hold.settle(used(1, 1), 'completed') : hold.release('failed'));
      expect(await till.ledger.listAttempts(end)).toHaveLength(kept);
    }
  });
});

describe('G1: a charge while the ledger is down', () => {
  test("counts as charged if the outbox can't store it and the ledger posts it late", async () => {
    const till = await openTill(config());
    const { call } = openCall();
    const answers = Promise.withResolvers<void>();
    const slow: LedgerStore = {
      ...till.ledger,
      post: (posting) => answers.promise.then(() => till.ledger.post(posting)),
    };
    const full = {
      ...till.money.outbox,
      append: () => {
        answers.resolve();
        return Promise.reject(new Error('the disk is full'));
      },
    };
    const hold = await holdFor({ ...till.money, ledger: slow, outbox: full, waitMs: 1 }, call, requestOf());
    await hold.settle(used(50, 4), 'completed');
    expect([await chargeOf(till, call), call.outcome.cost, till.money.open.size]).toMatchObject([
      { state: 'posted', charged: 90n },
      90n,
      0,
    ]);
  });

  test("fails if the outbox can't store it: the call is overloaded and the hold is voided", async () => {
    const till = await openTill(config());
    const { call } = openCall();
    const full = { ...till.money.outbox, append: () => Promise.reject(new Error('the disk is full')) };
    const hold = await holdFor({ ...till.money, outbox: full }, call, requestOf());
    till.fail('post');
    await expect(hold.settle(used(50, 4), 'completed')).rejects.toMatchObject({ code: 'overloaded', headers: { 'retry-after': '1' } });
    await expect.poll(async () => (await chargeOf(till, call)).state).toBe('voided');
    expect([await chargeOf(till, call), call.outcome.cost, till.money.open.size]).toMatchObject([{ outcome: 'unsettled' }, null, 0]);
    expect(till.lines.map(({ msg }) => msg)).toContain('charge not stored; giving up');
  });
});

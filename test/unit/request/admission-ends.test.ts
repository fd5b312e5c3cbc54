/** The end of a grant: it is charged or given back once, and its limits are freed (promises G2, G4, F38). */
import { describe, expect, test } from 'vitest';
import type { Bounds } from '../../../server/ledger/charge.ts';
import type { Estimator } from '../../../server/ledger/estimator.ts';
import type { LimitStore } from '../../../server/limits/limiter.ts';
import { bounds, callOf, counting, evidence, limitOf, most, open, openStage, stateOf } from './admission-stage.ts';

describe('G2: the end of a grant', () => {
  const settings = { limits: { perKey: { concurrency: 1, tokensPerMinute: 1_000 } } };
  const slots = limitOf('concurrency', 1);
  const tokens = limitOf('tokens', 1_000);
  const freeSlots = (memory: LimitStore) => {
    const taken = memory.take({ requestId: 'look', limits: [slots], tokens: 0, quantities: ['concurrency'] });
    return 'kind' in taken && taken.kind === 'taken' ? 1 : 0;
  };

  test('F38: charges the usage, corrects the token limit, frees the slot, and sets the cost and the limits of the answer', async () => {
    const stage = await openStage({ settings });
    const { call } = callOf();
    const grant = await open(stage, call);
    await grant.settle(evidence(50, 4), 'completed');
    expect(await stateOf(stage, call)).toEqual({ state: 'posted', outcome: 'completed', charged: 90n });
    expect([call.outcome.cost, call.outcome.windows]).toMatchObject([90n, { tokens: { remaining: 946 } }]);
    expect(freeSlots(stage.memory)).toBe(1);
  });

  test('is the first settle or release; later ones change nothing', async () => {
    const stage = await openStage({ settings });
    const [settled, released] = [callOf(), callOf()];
    const one = await open(stage, settled.call);
    await Promise.all([one.settle(evidence(50, 4), 'completed'), one.settle(evidence(90, 9), 'failed'), one.release('client_gone')]);
    expect(await stateOf(stage, settled.call)).toEqual({ state: 'posted', outcome: 'completed', charged: 90n });
    const other = await open(stage, released.call);
    await Promise.all([other.release('client_gone'), other.settle(evidence(50, 4), 'completed')]);
    expect(await stateOf(stage, released.call)).toEqual({ state: 'voided', outcome: 'client_gone', charged: 0n });
    expect(await stage.till.ledger.balance('ada')).toEqual({ balance: 999_910n, held: 0n });
  });

  test('frees one slot, also when it is settled several times', async () => {
    const stage = await openStage({ settings: { limits: { perKey: { concurrency: 2 } } } });
    const [one] = [await open(stage, callOf().call), await open(stage, callOf().call)];
    await one.settle(evidence(1, 1), 'completed');
    await one.settle(evidence(1, 1), 'completed');
    await one.release('client_gone');
    await open(stage, callOf().call);
    await expect(open(stage, callOf().call)).rejects.toMatchObject({ code: 'concurrency_limit_exceeded' });
  });

  test('by a release gives the tokens back, but not the request', async () => {
    const stage = await openStage({ settings: { limits: { perKey: { requestsPerMinute: 10, tokensPerMinute: 1_000 } } } });
    const { call } = callOf();
    const grant = await open(stage, call);
    expect(stage.memory.look([tokens])).toMatchObject({ tokens: { remaining: 1_000 - bounds.inputTokens - bounds.outputTokens } });
    await grant.release('failed');
    expect(call.outcome.windows).toMatchObject({ tokens: { remaining: 1_000 }, requests: { remaining: 9 } });
    expect(await stateOf(stage, call)).toMatchObject({ state: 'voided', outcome: 'failed' });
  });

  test('F38: counts at most the bounds of the call towards the token limit, whatever usage the upstream reports', async () => {
    const stage = await openStage({ settings });
    const { call } = callOf();
    const grant = await open(stage, call);
    await grant.settle(evidence(1_000_000_000, 1_000_000_000), 'completed');
    expect(call.outcome.windows).toMatchObject({ tokens: { remaining: 1_000 - bounds.inputTokens - bounds.outputTokens } });
    expect(call.outcome.cost).toBe(most);
  });

  test('counts each class of tokens once towards the limit', async () => {
    const stage = await openStage({ settings });
    const { call } = callOf();
    const grant = await open(stage, call);
    const usage = { input: 60, cached: 20, cacheWrite: 10, output: 8, reasoning: 5 };
    await grant.settle({ ...evidence(0, 0), usage }, 'completed');
    expect(call.outcome.windows).toMatchObject({ tokens: { remaining: 932 } });
  });

  test('counts at most 100,000 tokens for each image where the bounds are images', async () => {
    const stage = await openStage({ billing: false, settings: { limits: { perKey: { tokensPerMinute: 1_000_000 } } } });
    const { call } = callOf();
    const pictures: Bounds = { inputTokens: 0, outputTokens: 0, images: 2, imageKind: 'auto/auto' };
    const grant = await open(stage, call, { bounds: () => pictures, tokens: () => 0 });
    await grant.settle(evidence(300_000, 1), 'completed');
    expect(call.outcome.windows).toMatchObject({ tokens: { remaining: 800_000 } });
  });

  test('whose usage cannot be measured gives hold and slot back, charges nothing, and throws', async () => {
    const fault = new Error('no tokenizer');
    const broken: Estimator = { ...counting, count: () => Promise.reject(fault) };
    const stage = await openStage({ settings, estimator: broken });
    const { call } = callOf();
    const grant = await open(stage, call);
    await expect(grant.settle({ ...evidence(50, 4), usage: null }, 'completed')).rejects.toBe(fault);
    expect(await stateOf(stage, call)).toEqual({ state: 'voided', outcome: 'unsettled', charged: 0n });
    expect(freeSlots(stage.memory)).toBe(1);
    await call.admission?.settled;
  });

  test('frees the slot when the ledger is down', async () => {
    const stage = await openStage({ settings });
    const { call } = callOf();
    const grant = await open(stage, call);
    stage.till.fail('post');
    await grant.settle(evidence(50, 4), 'completed');
    expect([freeSlots(stage.memory), stage.till.money.outbox.size, call.outcome.cost]).toEqual([1, 1, 90n]);
  });

  test('resolves the promise `settled` of the call', async () => {
    const stage = await openStage({ settings });
    const { call } = callOf();
    const grant = await open(stage, call);
    let isSettled = false;
    const settled = call.admission?.settled?.then(() => {
      isSettled = true;
    });
    await Promise.resolve();
    expect(isSettled).toBe(false);
    await grant.release('failed');
    await settled;
    expect(isSettled).toBe(true);
  });

  test('waits for the limiter, so that the slot is free for the next call', async () => {
    const heard = Promise.withResolvers<void>();
    const slow = (memory: LimitStore): Partial<LimitStore> => ({
      finish: (...ending) => heard.promise.then(() => memory.finish(...ending)),
    });
    const stage = await openStage({ settings, store: slow });
    const grant = await open(stage, callOf().call);
    const order: string[] = [];
    const ended = grant.settle(evidence(1, 1), 'completed').then(() => order.push('settled'));
    await expect.poll(() => stage.till.money.open.size).toBe(0);
    order.push('heard');
    heard.resolve();
    await ended;
    expect([order, freeSlots(stage.memory)]).toEqual([['heard', 'settled'], 1]);
  });

  test('does not measure usage without billing and token limits', async () => {
    const unasked: Estimator = { ...counting, count: () => Promise.reject(new Error('asked')) };
    const stage = await openStage({ billing: false, estimator: unasked });
    const { call } = callOf();
    const grant = await open(stage, call);
    await grant.settle({ ...evidence(0, 0), usage: null }, 'completed');
    await call.admission?.settled;
    expect(call.outcome.cost).toBeNull();
  });
});

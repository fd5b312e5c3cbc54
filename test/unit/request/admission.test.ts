/** Admission: the hold first, then the limits, and a refusal takes nothing (promises G3, G4, G11, F37, F39). */
import { describe, expect, test } from 'vitest';
import type { Gateway } from '../../../server/gateway.ts';
import type { Scope } from '../../../server/limits/limiter.ts';
import { Admission } from '../../../server/request/admission.ts';
import type { RequestContext } from '../../../server/request/context.ts';
import { bounds, callOf, evidence, heldOf, limitOf, most, open, openStage, prices, stateOf } from './admission-stage.ts';
import { openCall, principalOf } from './one-call.ts';
import { placeAt } from './places.ts';

describe('G4, G11: the hold comes before the limits', () => {
  test('without balance and over a limit, the error is insufficient_balance and no limit is taken', async () => {
    const limits = { perKey: { concurrency: 1, tokensPerMinute: 500 } };
    const stage = await openStage({ balance: most - 1n, settings: { limits } });
    const running = limitOf('concurrency', 1);
    stage.memory.take({ requestId: 'other', limits: [running], tokens: 0, quantities: ['concurrency'] });
    const { call } = callOf();
    await expect(open(stage, call)).rejects.toMatchObject({ code: 'insufficient_balance' });
    expect(call.outcome.refusedBy).toBeNull();
    expect(stage.memory.look([limitOf('tokens', 500)])).toMatchObject({ tokens: { remaining: 500 } });
    expect(await heldOf(stage)).toBe(0n);
  });

  test('over a limit the hold is given back, and the charge is voided as refused', async () => {
    const stage = await openStage({ settings: { limits: { perKey: { tokensPerMinute: 99 } } } });
    const { call } = callOf();
    // A call with more tokens than the limit takes all of it, so that the next one is refused.
    await open(stage, callOf().call);
    await expect(open(stage, call)).rejects.toMatchObject({ code: 'token_limit_exceeded' });
    expect(await stateOf(stage, call)).toEqual({ state: 'voided', outcome: 'refused', charged: 0n });
    expect(await heldOf(stage)).toBe(most);
    expect(call.admission?.settled).toBeNull();
  });

  test('G6: for a caller who has disconnected the hold is given back, and no limit is taken', async () => {
    const limit = limitOf('requests', 10);
    const stage = await openStage({ settings: { limits: { perKey: { requestsPerMinute: 10 } } } });
    const { call, hangUp } = callOf();
    const opening = open(stage, call);
    hangUp();
    await expect(opening).rejects.toMatchObject({ code: 'upstream_error', cause: { message: 'the caller has left' } });
    expect(await stateOf(stage, call)).toEqual({ state: 'voided', outcome: 'client_gone', charged: 0n });
    expect(stage.memory.look([limit])).toMatchObject({ requests: { remaining: 10 } });
  });

  test('if the limiter fails, the hold is given back', async () => {
    const fault = new Error('no answer');
    const stage = await openStage({ store: () => ({ take: () => Promise.reject(fault) }) });
    const { call } = callOf();
    await expect(open(stage, call)).rejects.toBe(fault);
    expect([await stateOf(stage, call), await heldOf(stage)]).toMatchObject([{ state: 'voided' }, 0n]);
  });

  test('a call that did not come in by the door is a fault of ours', async () => {
    const stage = await openStage();
    await expect(open(stage, openCall().call)).rejects.toThrow(expect.objectContaining({ code: 'internal_error' }));
  });
});

describe('the bounds and tokens that are computed from the body', () => {
  const orders = () => {
    const asked: string[] = [];
    const note = <T>(name: string, value: T) => {
      asked.push(name);
      return value;
    };
    return { asked, changes: { bounds: () => note('bounds', bounds), tokens: () => note('tokens', 7) } };
  };
  const onTokens = { limits: { perKey: { tokensPerMinute: 500 } } };

  test.each([
    ['none, without billing and token limits', { billing: false }, [], false],
    ['the bounds, for billing', {}, ['bounds'], true],
    ['both, for a token limit', { billing: false, settings: onTokens }, ['tokens', 'bounds'], true],
    ['none, for a request limit', { billing: false, settings: { limits: { perKey: { requestsPerMinute: 5 } } } }, [], false],
  ] as const)('%s', async (_what, order, expected, isMeasured) => {
    const stage = await openStage(order);
    const { asked, changes } = orders();
    const grant = await open(stage, callOf().call, changes);
    expect([asked, grant.isMeasured]).toEqual([expected, isMeasured]);
  });

  test('the estimated input and the output bound are taken from the token limit', async () => {
    const stage = await openStage({ settings: onTokens });
    const { call } = callOf();
    await open(stage, call, { tokens: () => 120 });
    expect(call.outcome.windows).toMatchObject({ tokens: { limit: 500, remaining: 370 } });
  });
});

const scopes = {
  key: { settings: { limits: { perKey: 'LIMITS' } }, subject: 'key_1' },
  account: { settings: { limits: { perAccount: 'LIMITS' } }, subject: 'ada' },
  group: { settings: { groups: { default: { limits: 'LIMITS' } } }, subject: 'default' },
  model: { settings: { models: [{ id: 'm', kind: 'text', prices, limits: 'LIMITS' }] }, subject: 'm' },
} as const satisfies Record<Scope, unknown>;
const quantities = [
  ['requestsPerMinute', 'rate_limit_exceeded', '1 requests a minute', '60'],
  ['tokensPerMinute', 'token_limit_exceeded', '1 tokens a minute', '60'],
  ['concurrency', 'concurrency_limit_exceeded', '1 requests at once', '1'],
] as const;
const rows = Object.entries(scopes).flatMap(([scope, { settings, subject }]) =>
  quantities.map(([name, code, what, seconds]) => {
    const written = JSON.parse(JSON.stringify(settings).replace('"LIMITS"', JSON.stringify({ [name]: 1 })));
    return { scope, name, settings: written, subject, code, what, seconds };
  }),
);

describe('F39: a limit', () => {
  test.each(rows)(
    'of a $scope on $name refuses by its own name, and says when to come back',
    async ({ scope, settings, subject, ...told }) => {
      const stage = await openStage({ settings, billing: false });
      await open(stage, callOf().call, { tokens: () => 1 });
      const { call } = callOf();
      await expect(open(stage, call, { tokens: () => 1 })).rejects.toMatchObject({
        code: told.code,
        message: `The limit of this ${scope} is ${told.what}. Try again in ${told.seconds}s.`,
        headers: { 'retry-after': told.seconds, 'retry-after-ms': String(Number(told.seconds) * 1_000) },
      });
      expect(call.outcome.refusedBy).toMatchObject({ scope, subject, most: 1 });
    },
  );

  test('that refuses takes nothing of the others', async () => {
    const others = [limitOf('requests', 50), limitOf('tokens', 5_000, { scope: 'account', subject: 'ada' })];
    const limits = { perKey: { requestsPerMinute: 50, concurrency: 1 }, perAccount: { tokensPerMinute: 5_000 } };
    const stage = await openStage({ settings: { limits } });
    await open(stage, callOf().call);
    const before = others.map((limit) => ({ ...stage.memory.look([limit]).requests, ...stage.memory.look([limit]).tokens }));
    await expect(open(stage, callOf().call)).rejects.toMatchObject({ code: 'concurrency_limit_exceeded' });
    expect(others.map((limit) => ({ ...stage.memory.look([limit]).requests, ...stage.memory.look([limit]).tokens }))).toEqual(before);
  });

  test('in observe mode admits the call and is logged', async () => {
    const perKey = { requestsPerMinute: { limit: 1, mode: 'observe' } };
    const stage = await openStage({ settings: { limits: { perKey } } });
    await open(stage, callOf().call);
    const { call } = callOf();
    await open(stage, call);
    expect(stage.lines).toMatchObject([{ id: call.id, msg: 'a limit in observe mode is exceeded', limit: { scope: 'key', most: 1 } }]);
  });

  test('of the key itself replaces the general one, for this key only', async () => {
    const own = { requestsPerMinute: { limit: 1, mode: 'enforce' }, tokensPerMinute: null, concurrency: null } as const;
    const stage = await openStage({ settings: { limits: { perKey: { requestsPerMinute: 50 } } } });
    const tight = { limits: { ...principalOf().limits, key: own } };
    await open(stage, callOf(tight).call);
    await expect(open(stage, callOf(tight).call)).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
    await open(stage, callOf({ keyId: 'key_2' }).call);
  });

  test('of a new configuration counts from the next call on, also for a principal that is already known', async () => {
    const stage = await openStage();
    const principal = principalOf();
    const first = openCall({ id: 'first', principal });
    await open(stage, first.call);
    const tighter = { ...stage.config, limits: { ...stage.config.limits, perKey: { concurrency: 1 } } };
    const next = { config: tighter, gateway: { ...stage.gateway, config: tighter } };
    await open(next, openCall({ id: 'second', principal }).call);
    await expect(open(next, openCall({ id: 'third', principal }).call)).rejects.toMatchObject({ code: 'concurrency_limit_exceeded' });
  });
});

describe('G11: the request rate that was taken before the body', () => {
  const settings = { limits: { perKey: { requestsPerMinute: 2 }, perAccount: { concurrency: 1 } } };
  const limit = limitOf('requests', 2);
  const comeIn = async (gateway: Gateway, call: RequestContext): Promise<Admission> => {
    const admission = new Admission(gateway, call, principalOf());
    call.admission = admission;
    await admission.enter();
    return admission;
  };

  test('counts once after admission', async () => {
    const stage = await openStage({ settings });
    const { call } = callOf();
    const admission = await comeIn(stage.gateway, call);
    await open(stage, call);
    expect(admission.isProvisional).toBe(false);
    expect(stage.memory.look([limit])).toMatchObject({ requests: { remaining: 1 } });
    stage.pass(30_000);
    expect(stage.memory.look([limit])).toMatchObject({ requests: { remaining: 2 } });
  });

  test('stays taken when admission refuses the call', async () => {
    const stage = await openStage({ settings });
    const running = callOf();
    await open(stage, running.call);
    const { call } = callOf();
    const admission = await comeIn(stage.gateway, call);
    await expect(open(stage, call)).rejects.toMatchObject({ code: 'concurrency_limit_exceeded' });
    expect(admission.isProvisional).toBe(true);
    expect(stage.memory.look([limit])).toMatchObject({ requests: { remaining: 0 } });
  });
});

test('F37: the multiplier of a group applies to hold and cost', async () => {
  const stage = await openStage({ settings: { groups: { half: { multiplier: '0.5' } } } });
  const { call } = callOf({ group: 'half' });
  const grant = await open(stage, call, { model: placeAt('main', { id: 'm' }) });
  expect(await heldOf(stage)).toBe(most / 2n);
  await grant.settle(evidence(50, 4), 'completed');
  expect(call.outcome.cost).toBe(45n);
});

/** The request rate of a key, which is taken before the body is read: counted, given back or logged when a call ends without a grant (promise G11). */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { Principal } from '../../../server/access/principal.ts';
import type { Gateway } from '../../../server/gateway.ts';
import type { LimitStore, Take } from '../../../server/limits/limiter.ts';
import { openMemoryLimits } from '../../../server/limits/memory.ts';
import { limitsOf } from '../../../server/limits/resolve.ts';
import { Admission } from '../../../server/request/admission.ts';
import { RequestContext } from '../../../server/request/context.ts';
import { startGateway } from '../../harness/gateway.ts';
import { limitOf, takeOf, toldBy } from '../limits/limit.ts';

test('a limiter that fails at the end of a call is logged, and the process runs on', async () => {
  const served = await startGateway();
  const call = new RequestContext('req_1', new ServerResponse(new IncomingMessage(new Socket())));
  const { limits: counted } = served.gateway;
  const takes = [counted.take.bind(counted), () => Promise.reject(new Error('no answer'))];
  const limiter: LimitStore = { ...counted, take: (take) => takes.shift()?.(take) ?? expect.fail('asked too often') };
  const admission = new Admission({ ...served.gateway, limits: limiter, config: gatewayWith(limiter).config }, call, principal);
  await admission.enter();
  expect(admission.isProvisional).toBe(true);
  admission.leave();
  const line = await served.lineWhere(({ id }) => id === call.id);
  expect(line).toMatchObject({
    level: 'warn',
    msg: 'a request could not be counted against its rate limit',
    err: { message: 'no answer' },
  });
  await served.close();
});

const limits = { requestsPerMinute: 60 };
// The fields of a principal that are used here.
const principal = { keyId: 'key_1', accountId: 'acc_1', group: 'all', limits: { key: limits, account: {} } } as unknown as Principal;
/** A gateway with the fields that are used here. */
const gatewayWith = (store: LimitStore) => ({ limits: store, config: { limits: {}, groups: {} } }) as unknown as Gateway;

function callOf(method: string, headers: Record<string, string> = {}) {
  const request = new IncomingMessage(new Socket());
  Object.assign(request, { method, headers });
  const response = new ServerResponse(request);
  return { call: new RequestContext('req_1', response), response };
}

test('a caller who disconnects while the limiter is asked counts once, and not for ever', async () => {
  let now = 1_000_000;
  const memory = openMemoryLimits(() => now);
  const later = Promise.withResolvers<void>();
  const slow: LimitStore = { ...memory, take: (take) => later.promise.then(() => memory.take(take)) };
  const gateway = gatewayWith(slow);
  const { call, response } = callOf('GET');
  const admission = new Admission(gateway, call, principal);
  const passing = admission.enter();
  response.destroy();
  admission.leave();
  later.resolve();
  await passing;
  const left = () => memory.look(limitsOf([{ scope: 'key', id: 'key_1', own: limits }])).requests?.remaining;
  await expect.poll(left).toBe(59);
  now += 1_000;
  await expect.poll(left).toBe(60);
});

test.each([
  ['a call to an upstream', 'POST', {}, true],
  ['a call with an idempotency key', 'POST', { 'idempotency-key': 'again' }, false],
  ['a list of models', 'GET', {}, false],
] as const)('the limiter is told whether it is asked again later: %s', async (_what, method, headers, isAskedAgain) => {
  const memory = openMemoryLimits(() => 0);
  const seen: Take[] = [];
  const gateway = gatewayWith({
    ...memory,
    take(take) {
      seen.push(take);
      return memory.take(take);
    },
  });
  await new Admission(gateway, callOf(method, headers).call, principal).enter();
  expect(seen).toMatchObject([{ isProvisional: true, isAskedAgain }]);
});

/** A gateway with limits of every kind, and what is left of them. */
function openDoor() {
  let now = 1_000_000;
  const memory = openMemoryLimits(() => now);
  const told = toldBy(memory);
  const asked: string[] = [];
  const store: LimitStore = {
    ...told,
    take(take) {
      asked.push('take');
      return told.take(take);
    },
    giveBack(take) {
      asked.push('give back');
      return told.giveBack(take);
    },
  };
  const ofKey = limitsOf([{ scope: 'key', id: 'key_1', own: { requestsPerMinute: 2 } }]);
  const others = limitsOf([
    { scope: 'account', id: 'acc_1', own: { requestsPerMinute: 2 } },
    { scope: 'key', id: 'key_1', own: { tokensPerMinute: 2, concurrency: 1 } },
  ]);
  // The fields of a principal that are used here.
  const caller = {
    keyId: 'key_1',
    accountId: 'acc_1',
    group: 'all',
    limits: { key: { requestsPerMinute: 2, tokensPerMinute: 2, concurrency: 1 }, account: { requestsPerMinute: 2 } },
  } as unknown as Principal;
  return {
    gateway: gatewayWith(store),
    asked,
    caller,
    memory,
    left: () => memory.look(ofKey).requests?.remaining,
    leftOfOthers: () => [memory.look(others).requests?.remaining, memory.look(others).tokens?.remaining],
    pass: (ms: number) => {
      now += ms;
    },
  };
}

describe('G11: before the body is read', () => {
  test('the request rate of the key is taken, and no other limit', async () => {
    const { gateway, caller, left, leftOfOthers } = openDoor();
    const { call } = callOf('POST');
    const admission = new Admission(gateway, call, caller);
    await admission.enter();
    expect([left(), leftOfOthers()]).toEqual([1, [2, 2]]);
    expect(call.outcome.windows?.requests).toMatchObject({ limit: 2, remaining: 1 });
  });

  test('a caller whose slots are all in use is admitted, since slots are taken later', async () => {
    const { gateway, caller, memory, left } = openDoor();
    memory.take(takeOf([limitOf('concurrency', 1)]));
    await new Admission(gateway, callOf('POST').call, caller).enter();
    expect(left()).toBe(1);
  });

  test('F39: a caller over the rate is refused, and nothing is given back', async () => {
    const { gateway, caller, left, asked } = openDoor();
    for (const _ of [1, 2]) await new Admission(gateway, callOf('POST').call, caller).enter();
    const { call } = callOf('POST');
    const admission = new Admission(gateway, call, caller);
    expect(() => admission.enter()).toThrow(expect.objectContaining({ code: 'rate_limit_exceeded' }));
    expect([admission.isProvisional, call.outcome.refusedBy]).toMatchObject([false, { scope: 'key', quantity: 'requests', most: 2 }]);
    await admission.giveBack();
    admission.leave();
    expect([left(), asked]).toEqual([0, ['take', 'take', 'take']]);
  });

  test('a call that is refused later gives its request back once', async () => {
    const { gateway, caller, left, asked, pass } = openDoor();
    const { call } = callOf('POST');
    const admission = new Admission(gateway, call, caller);
    await admission.enter();
    pass(10_000);
    await admission.giveBack();
    expect(call.outcome.windows?.requests).toMatchObject({ remaining: 2 });
    await admission.giveBack();
    expect([left(), asked, admission.isProvisional]).toEqual([2, ['take', 'give back'], false]);
  });

  test('a call that ends without a grant counts once, and cannot be given back then', async () => {
    const { gateway, caller, left, pass } = openDoor();
    const { call } = callOf('GET');
    const admission = new Admission(gateway, call, caller);
    await admission.enter();
    admission.leave();
    admission.leave();
    await admission.giveBack();
    expect(left()).toBe(1);
    pass(30_000);
    expect(left()).toBe(2);
  });

  test('a caller without limits is admitted without asking the limiter', async () => {
    const { gateway, asked, caller } = openDoor();
    const { call } = callOf('POST');
    const admission = new Admission(gateway, call, { ...caller, limits: { key: {}, account: {} } } as unknown as Principal);
    await admission.enter();
    await admission.giveBack();
    expect([asked, admission.isProvisional, call.outcome.windows]).toEqual([[], false, null]);
  });
});

/** A call that was let in at the door and ends without a grant counts, or the log says that it could not be counted (promise G11). */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import type { Principal } from '../../server/access/principal.ts';
import { Call } from '../../server/call.ts';
import type { Gateway } from '../../server/gateway.ts';
import { countAtDoor, passDoor } from '../../server/grant.ts';
import { limitsOf } from '../../server/limits/applicable.ts';
import type { LimitStore, Take } from '../../server/limits/limits.ts';
import { openMemoryLimits } from '../../server/limits/memory.ts';
import { startGateway } from '../harness/gateway.ts';

test('an operator whose limiter fails at the end of a call reads so in the log, and the process goes on', async () => {
  const served = await startGateway();
  const call = new Call('req_1', new ServerResponse(new IncomingMessage(new Socket())));
  const limits = limitsOf([{ scope: 'key', id: 'key_1', own: { requestsPerMinute: 5 } }]);
  call.atDoor = { requestId: call.id, limits, tokens: 0, quantities: ['requests'], isProvisional: true };
  const away: LimitStore = { ...served.gateway.limits, take: () => Promise.reject(new Error('no answer')) };
  countAtDoor({ ...served.gateway, limits: away }, call);
  const line = await served.lineWhere(({ id }) => id === call.id);
  expect(line).toMatchObject({ level: 'warn', msg: 'a call was not counted', err: { message: 'no answer' } });
  await served.close();
});

const limits = { requestsPerMinute: 60 };
// All that the door asks of a caller.
const principal = { keyId: 'key_1', accountId: 'acc_1', group: 'all', limits: { key: limits, account: {} } } as unknown as Principal;
/** What a door needs of a gateway. */
const gatewayWith = (store: LimitStore) => ({ limits: store, config: { limits: {}, groups: {} } }) as unknown as Gateway;

function callOf(method: string, headers: Record<string, string> = {}) {
  const request = new IncomingMessage(new Socket());
  Object.assign(request, { method, headers });
  const response = new ServerResponse(request);
  return { call: new Call('req_1', response), response };
}

test('a caller who leaves while the limiter is asked about them counts once, and holds no place for good', async () => {
  let now = 1_000_000;
  const memory = openMemoryLimits(() => now);
  const later = Promise.withResolvers<void>();
  const slow: LimitStore = { ...memory, take: (take) => later.promise.then(() => memory.take(take)) };
  const gateway = gatewayWith(slow);
  const { call, response } = callOf('GET');
  const passing = passDoor(gateway, call, principal);
  response.destroy();
  countAtDoor(gateway, call);
  later.resolve();
  await passing;
  const left = () => memory.look(limitsOf([{ scope: 'key', id: 'key_1', own: limits }])).requests?.remaining;
  await expect.poll(left).toBe(59);
  now += 1_000;
  await expect.poll(left).toBe(60);
});

test.each([
  ['a call that asks an upstream', 'POST', {}, true],
  ['one that may get an answer that was kept', 'POST', { 'idempotency-key': 'again' }, false],
  ['a list of models', 'GET', {}, false],
] as const)('the limiter hears at the door whether %s is asked about again', async (_what, method, headers, isAskedAgain) => {
  const memory = openMemoryLimits(() => 0);
  const seen: Take[] = [];
  const gateway = gatewayWith({
    ...memory,
    take(take) {
      seen.push(take);
      return memory.take(take);
    },
  });
  await passDoor(gateway, callOf(method, headers).call, principal);
  expect(seen).toMatchObject([{ isProvisional: true, isAskedAgain }]);
});

/** A call that was let in at the door and ends without a grant counts, or the log says that it could not be counted (promise G11). */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { Call } from '../../server/call.ts';
import { countAtDoor } from '../../server/grant.ts';
import { limitsOf } from '../../server/limits/applicable.ts';
import type { LimitStore } from '../../server/limits/limits.ts';
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

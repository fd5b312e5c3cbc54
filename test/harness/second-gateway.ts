/** Opens a second gateway on the data of a running one, as after a restart. */

import { openApp } from '../../server/api/app.ts';
import { openGateway } from '../../server/gateway/gateway.ts';
import type { TestGateway } from './gateway.ts';

/** Sends one responses request to the second gateway, closes it, and returns the answer. */
export async function askSecondGateway(over: TestGateway, body: Record<string, unknown>) {
  const second = await openGateway(over.gateway.config, over.gateway.log);
  const app = await openApp(second);
  const headers = { authorization: `Bearer ${over.key}` };
  const answer = await app.inject({ method: 'POST', url: '/v1/responses', headers, payload: { model: 'gpt-5.4', ...body } });
  await app.close();
  await second.close();
  return answer;
}

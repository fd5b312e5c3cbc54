/** Opens a call without a network, from which the caller can disconnect. */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Principal } from '../../../server/access/principal.ts';
import { RequestContext } from '../../../server/request/context.ts';

export interface OneCall {
  readonly call: RequestContext;
  hangUp(): void;
}

export interface CallOrder {
  readonly id?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly principal?: Principal;
}

export function openCall({ id = 'req_1', method = 'POST', headers = {}, principal }: CallOrder = {}): OneCall {
  const request = new IncomingMessage(new Socket());
  Object.assign(request, { method, headers });
  const response = new ServerResponse(request);
  const call = new RequestContext(id, response);
  if (principal) call.principal = principal;
  const hangUp = (): void => {
    response.destroy();
    // A real connection would emit it.
    response.emit('close');
  };
  return { call, hangUp };
}

const NO_LIMITS = { requestsPerMinute: null, tokensPerMinute: null, concurrency: null };

/** A key that may do everything. */
export const principalOf = (changes: Partial<Principal> = {}): Principal => ({
  keyId: 'key_1',
  keyName: 'test',
  accountId: 'ada',
  group: 'default',
  permissions: { operations: null, models: null, mayStore: true },
  addresses: null,
  limits: { key: NO_LIMITS, account: NO_LIMITS },
  cap: null,
  capOwner: 'key_1',
  ...changes,
});

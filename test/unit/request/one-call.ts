/** Opens a call without a network, from which the caller can disconnect. */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Principal } from '../../../server/access/principal.ts';
import type { Gateway } from '../../../server/gateway.ts';
import { Admission } from '../../../server/request/admission.ts';
import { RequestContext } from '../../../server/request/context.ts';

// Nothing is asked of it.
const noGateway = {} as unknown as Gateway;

export interface OneCall {
  readonly call: RequestContext;
  hangUp(): void;
}

export interface CallOrder {
  readonly id?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly principal?: Principal;
  /** Whose door the caller comes in by; without one, by none that asks anything. */
  readonly gateway?: Gateway;
}

export function openCall({ id = 'req_1', method = 'POST', headers = {}, principal, gateway = noGateway }: CallOrder = {}): OneCall {
  const request = new IncomingMessage(new Socket());
  Object.assign(request, { method, headers });
  const response = new ServerResponse(request);
  const call = new RequestContext(id, response);
  if (principal) call.admission = new Admission(gateway, call, principal);
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

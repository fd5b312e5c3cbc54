/** A call without a network, and a key that may do everything. */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Principal } from '../../../server/access/principal.ts';
import { RequestContext } from '../../../server/call/context.ts';

export function openCall({ id = 'req_1' }: { readonly id?: string } = {}): { readonly call: RequestContext } {
  return { call: new RequestContext(id, new ServerResponse(new IncomingMessage(new Socket()))) };
}

const NO_LIMITS = { requestsPerMinute: null, tokensPerMinute: null, concurrency: null };

export const principalOf = (changes: Partial<Principal> = {}): Principal => ({
  keyId: 'key_1',
  keyName: 'test',
  accountId: 'ada',
  group: 'default',
  permissions: { operations: null, models: null, mayStore: true },
  addresses: null,
  limits: { key: NO_LIMITS, account: NO_LIMITS },
  caps: [],
  ...changes,
});

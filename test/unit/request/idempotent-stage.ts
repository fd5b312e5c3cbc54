/** Makes calls with an idempotency key inside of a gateway. */
import { jsonBody } from '../../../server/dialects/wire/json-body.ts';
import type { Gateway } from '../../../server/gateway.ts';
import type { IdempotencyStore } from '../../../server/idempotency/store.ts';
import { runOnce } from '../../../server/request/idempotent.ts';
import type { ParsedRequest } from '../../../server/request/transcoder.ts';
import { textOf, useInside } from '../inside.ts';
import { openCall, principalOf } from './one-call.ts';

export const chat = (more: Record<string, unknown> = {}, content = 'Hello.'): ParsedRequest => ({
  operation: 'createChatCompletion',
  body: jsonBody({ model: 'alone', messages: [{ role: 'user', content }], ...more }),
});

let keys = 0;
export const newKey = (): string => `key-${++keys}`;
let calls = 0;

/** Opens one gateway for the tests of a file. */
export function useKeys() {
  const inside = useInside();
  /** Makes a call with this idempotency key; undefined means without one. */
  const ask = (
    key: string | undefined,
    what = chat(),
    changes: Parameters<typeof principalOf>[0] = {},
    gateway: Gateway = inside().gateway,
  ) => {
    const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
    const { call, hangUp } = openCall({ id: `req_${++calls}`, headers, principal: principalOf(changes) });
    return { call, hangUp, answer: runOnce(gateway, call, what) };
  };
  return {
    inside,
    ask,
    /** The text of the answer to such a call. */
    told: async (...asking: Parameters<typeof ask>): Promise<string> => textOf(await ask(...asking).answer),
    /** The number of requests to the vendor. */
    asked: (): number => inside().main.requests.length,
    /** The gateway with another store of idempotency keys in each configuration. */
    withKeys(changes: (store: IdempotencyStore) => Partial<IdempotencyStore>): Gateway {
      const { gateway } = inside();
      const idempotency = { ...gateway.idempotency, ...changes(gateway.idempotency) };
      return { ...gateway, enter: () => ({ ...gateway.enter(), idempotency }) };
    },
  };
}

/** Handler for POST /v1/responses/compact: runs a response with a trigger, so that it's charged and limited like any call (decision 0043). */

import { CompactionRequest } from '../../../contract/responses/compact.ts';
import { runWithIdempotency } from '../../call/idempotency.ts';
import type { ParsedRequest } from '../../call/transcoder.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import { isSet } from '../../primitives/fields.ts';
import { toHeaderNames } from '../../protocols/canonical/dropped-fields.ts';
import { createCompactionTrigger, isCompactionTrigger } from '../../protocols/responses/compaction-items.ts';
import { readContinuation } from '../../protocols/responses/continuation.ts';
import { type JsonBody, withFields } from '../../protocols/wire/json-body.ts';
import { getJsonBody } from '../http/json-parser.ts';
import { setDroppedHeader } from '../http/response-headers.ts';
import type { Handlers } from '../http/ts-rest.ts';
import { getCall } from './auth-hook.ts';

export function createCompactionHandlers(gateway: Gateway): Handlers<'compactResponse'> {
  return {
    async compactResponse({ request, reply, pass }) {
      const call = getCall(request);
      const response = await runWithIdempotency(gateway, call, toCompactionCall(getJsonBody(request)));
      setDroppedHeader(call, reply);
      return pass(reply, response);
    },
  };
}

function toCompactionCall(received: JsonBody): ParsedRequest {
  const { value } = received;
  const unknownFields = Object.keys(value).filter((name) => !Object.hasOwn(CompactionRequest.shape, name));
  const items = readContinuation(value).own.filter((item) => !isCompactionTrigger(item));
  const body = withFields(received, {
    ...Object.fromEntries(unknownFields.map((name) => [name, undefined])),
    input: [...items, createCompactionTrigger()],
    store: false,
  });
  const dropped = toHeaderNames(unknownFields.filter((name) => isSet(value[name])));
  return { operation: 'createResponse', body, compaction: { received, dropped } };
}

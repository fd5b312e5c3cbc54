/** Prepares the contract check of a text request: replaces values that only some models accept, and names these models if the contract rejects one. */

import type { FastifyRequest } from 'fastify';
import type { Gateway } from '../../gateway/gateway.ts';
import { GatewayError } from '../../primitives/errors.ts';
import { isFields } from '../../primitives/fields.ts';
import { rejectNewerValues } from '../../protocols/canonical/newer-values.ts';
import { withPlaceholders } from '../../protocols/chat/accepted-values.ts';
import type { Operation } from '../../providers/upstream.ts';
import type { AdapterOptions } from '../http/ts-rest.ts';

type TextOperation = 'createChatCompletion' | 'createResponse';

export const createBodyCheck = (gateway: Gateway, operation: TextOperation): Pick<AdapterOptions, 'beforeCheck' | 'explain'> => ({
  beforeCheck: (request) => replaceBody(gateway, operation, request),
  ...(operation === 'createChatCompletion' && { explain: (refusal, request) => addModelNames(gateway, refusal, request.body) }),
});

/** Replaces the body with one that the contract can validate. The pipeline reads the original. */
function replaceBody(gateway: Gateway, operation: TextOperation, request: FastifyRequest): void {
  const { body } = request;
  const checkableBody = toCheckableBody(gateway, operation, body);
  if (checkableBody === body || !isFields(body)) return;
  request.bodyAsSent = body;
  request.body = checkableBody;
}

const protocolByOperation = { createResponse: 'responses', createChatCompletion: 'chat' } as const;

/** Returns the body for validation by the contract. Throws 400 for values newer than the contract if no upstream of the model has this API. */
export function toCheckableBody({ catalog, config }: Gateway, operation: Operation, body: unknown): unknown {
  if (operation !== 'createResponse' && operation !== 'createChatCompletion') return body;
  if (!isFields(body) || typeof body.model !== 'string') return body;
  const model = catalog.find(body.model);
  if (model === undefined) return body;
  const hasNativeUpstream = catalog
    .candidates(model)
    .some((one) => one.protocols.includes(protocolByOperation[operation]) && config.upstreams[one.upstream]?.kind !== 'simulator');
  if (!hasNativeUpstream) rejectNewerValues(body, operation);
  return operation === 'createChatCompletion' && model.accepts ? withPlaceholders(body, model.accepts).body : body;
}

const MAX_LISTED_MODELS = 5;

/** Adds the models that accept the rejected value to a contract error, if there are any. */
function addModelNames({ catalog }: Gateway, error: GatewayError, body: unknown): GatewayError {
  if (!isFields(body) || error.param === null) return error;
  const matchesParam = (param: string): boolean => param === error.param || param.startsWith(`${error.param}.`);
  const names = catalog.list().flatMap(({ id, accepts }) => {
    const acceptsParam = accepts !== undefined && withPlaceholders(body, accepts).found.some(({ param }) => matchesParam(param));
    return acceptsParam ? [`'${id}'`] : [];
  });
  if (names.length === 0) return error;
  const ellipsis = names.length > MAX_LISTED_MODELS ? ', …' : '';
  const message = `${error.message} Only these models accept it: ${names.slice(0, MAX_LISTED_MODELS).join(', ')}${ellipsis}.`;
  return new GatewayError(error.code, { param: error.param, message });
}

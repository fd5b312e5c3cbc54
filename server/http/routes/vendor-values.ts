/** Values of vendors in chat requests: replaced before the contract checks the body, for a model whose upstream takes them; named in the refusal for others. */
import type { FastifyRequest } from 'fastify';
import { isFields } from '../../../contract/rule.ts';
import { withStandIns } from '../../dialects/chat/vendor-values.ts';
import { GatewayError } from '../../errors.ts';
import type { Gateway } from '../../gateway.ts';
import type { AdapterOptions } from '../ts-rest.ts';

export const vendorValues = (gateway: Gateway): Pick<AdapterOptions, 'beforeCheck' | 'explain'> => ({
  beforeCheck: (request) => replaceVendorValues(gateway, request),
  explain: (refusal, request) => namingModels(gateway, refusal, request.body),
});

/** Gives the contract a body that it can check; the pipeline reads the one that was sent. */
function replaceVendorValues(gateway: Gateway, request: FastifyRequest): void {
  const { body } = request;
  const checkable = checkableBody(gateway, body);
  if (checkable === body || !isFields(body)) return;
  request.bodyAsSent = body;
  request.body = checkable;
}

/** The body of a chat request as the contract can check it. */
export function checkableBody({ catalog }: Gateway, body: unknown): unknown {
  if (!isFields(body) || typeof body.model !== 'string') return body;
  const accepts = catalog.find(body.model)?.accepts;
  return accepts === undefined ? body : withStandIns(body, accepts).body;
}

const MOST_NAMED = 5;

/** A refusal of the contract, with the models that take the value, where there are some. */
function namingModels({ catalog }: Gateway, refusal: GatewayError, body: unknown): GatewayError {
  if (!isFields(body) || refusal.param === null) return refusal;
  const isMeant = (param: string): boolean => param === refusal.param || param.startsWith(`${refusal.param}.`);
  const names = catalog.list().flatMap(({ id, accepts }) => {
    const takesIt = accepts !== undefined && withStandIns(body, accepts).found.some(({ param }) => isMeant(param));
    return takesIt ? [`'${id}'`] : [];
  });
  if (names.length === 0) return refusal;
  const more = names.length > MOST_NAMED ? ', …' : '';
  const message = `${refusal.message} Only these models take it: ${names.slice(0, MOST_NAMED).join(', ')}${more}.`;
  return new GatewayError(refusal.code, { param: refusal.param, message });
}

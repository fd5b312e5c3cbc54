/** What vendors add to the API: replaced before the contract checks the body, for a model whose upstream takes it. A refusal of a value of chat names the models that do. */
import type { FastifyRequest } from 'fastify';
import { isFields } from '../../../contract/rule.ts';
import { withStandIns } from '../../dialects/chat/vendor-values.ts';
import { withStandInItems } from '../../dialects/responses/unknown-items.ts';
import { GatewayError } from '../../errors.ts';
import type { Gateway } from '../../gateway.ts';
import type { Operation } from '../../upstreams/upstream.ts';
import type { AdapterOptions } from '../ts-rest.ts';

type Text = 'createChatCompletion' | 'createResponse';

export const checkingCopies = (gateway: Gateway, operation: Text): Pick<AdapterOptions, 'beforeCheck' | 'explain'> => ({
  beforeCheck: (request) => replaceBody(gateway, operation, request),
  ...(operation === 'createChatCompletion' && { explain: (refusal, request) => namingModels(gateway, refusal, request.body) }),
});

/** Gives the contract a body that it can check; the pipeline reads the one that was sent. */
function replaceBody(gateway: Gateway, operation: Text, request: FastifyRequest): void {
  const { body } = request;
  const checkable = checkableBody(gateway, operation, body);
  if (checkable === body || !isFields(body)) return;
  request.bodyAsSent = body;
  request.body = checkable;
}

/** The body of a request as the contract can check it. */
export function checkableBody({ catalog, config }: Gateway, operation: Operation, body: unknown): unknown {
  if (!isFields(body) || typeof body.model !== 'string') return body;
  const model = catalog.find(body.model);
  if (model === undefined) return body;
  if (operation === 'createResponse') {
    const isTaken = catalog
      .candidates(model)
      .some(({ protocols, upstream }) => protocols.includes('responses') && config.upstreams[upstream]?.kind !== 'simulator');
    return isTaken ? withStandInItems(body) : body;
  }
  return operation === 'createChatCompletion' && model.accepts ? withStandIns(body, model.accepts).body : body;
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

/** Decides what a key can call: only models that the catalog has, the group allows, and the key allows. No other module decides this. */
import type { Model } from '../config/config.ts';
import type { ModelCatalog } from '../config/model-catalog.ts';
import { GatewayError, type KeyedCode, type KeyedName, type OperationError, toPrintable } from '../primitives/errors.ts';
import { findNearest } from '../primitives/nearest.ts';
import { matchesPattern } from './pattern.ts';

import type { Principal } from './principal.ts';

/** The rule that denies the call: the key's operations, its account's group, or the key's models. */
type Denial = 'operation' | 'group' | 'model';

/** Operations by kind of model. */
const operationsByKind: Readonly<Record<Model['kind'], readonly string[]>> = {
  text: ['createChatCompletion', 'createResponse', 'compactResponse'],
  image: ['generateImages', 'editImages'],
};

/** Null if the call is allowed. Without an operation, null if any operation of the model's kind is allowed. */
export function findDenial(principal: Principal, model: Model, operation?: string): Denial | null {
  const operations = operation === undefined ? operationsByKind[model.kind] : [operation];
  if (!operations.some((each) => canUseOperation(principal, each))) return 'operation';
  if (!model.groups.includes(principal.group)) return 'group';
  const { models } = principal.permissions;
  return models === null || models.some((pattern) => matchesPattern(pattern, model.id)) ? null : 'model';
}

export function hasPermission(principal: Principal, model: Model, operation?: string): boolean {
  return findDenial(principal, model, operation) === null;
}

/** Formats the error about a model that doesn't exist, with a suggestion from the models that the key can call. */
export function formatModelNotFound(id: string, principal: Principal, catalog: ModelCatalog): string {
  const suggestion = findNearest(
    id,
    listCallableModels(principal, catalog)
      .slice(0, MAX_COMPARED_MODELS)
      .map((model) => model.id),
  );
  return `Model '${toPrintable(id)}' not found.${suggestion === undefined ? '' : ` Did you mean '${suggestion}'?`} GET /v1/models lists the models this key can call.`;
}

const MAX_COMPARED_MODELS = 500;

/** Returns the models in `GET /v1/models`: exactly those that the key can call with some operation. Every valid key can list them. */
export function listCallableModels(principal: Principal, catalog: ModelCatalog): readonly Model[] {
  return catalog.list().filter((model) => hasPermission(principal, model));
}

export function canUseOperation({ permissions: { operations } }: Principal, operation: string): boolean {
  return operations === null || operations.includes(operation);
}

/** Throws `permission_denied` if the key can't use the operation with any model. */
export function assertCanUseOperation(principal: Principal, operation: string): void {
  if (!canUseOperation(principal, operation)) throw createDenialError('operation');
}

/** Throws `permission_denied` if the key can't call the model with this operation. */
export function assertCanCall(principal: Principal, model: Model, operation: string): void {
  const denial = findDenial(principal, model, operation);
  if (denial !== null) throw createDenialError(denial, model);
}

const MODEL_LIST_HINT = 'GET /v1/models lists the models this key can call.';

function createDenialError(denial: Denial, model?: Model): OperationError<KeyedName, 403> {
  if (denial === 'operation' || !model) return new GatewayError('permission_denied', { message: "This key can't use this operation." });
  const modelName = `model '${toPrintable(model.id)}'`;
  const message =
    denial === 'group'
      ? `Accounts in your group can't call ${modelName}. ${MODEL_LIST_HINT}`
      : `This key can't call ${modelName}. ${MODEL_LIST_HINT}`;
  return new GatewayError('permission_denied', { param: 'model', message });
}

/**
 * Whether to treat a request as `store: false`. Requests without `store` are served, and the response reports that it wasn't stored. A caller that sets
 * `store: true` relies on storage, so that request is rejected.
 */
export function mustNotStore({ permissions: { mayStore } }: Principal, store: unknown): boolean {
  if (mayStore) return false;
  if (store === true) {
    throw new GatewayError<KeyedCode>('permission_denied', {
      param: 'store',
      message: "This key can't store responses. Send 'store: false' or omit it.",
    });
  }
  return store !== false;
}

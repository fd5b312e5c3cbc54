/** What a key may do: catalog ∩ group ∩ key. The only place that decides it. */
import type { Catalog, Model } from '../config/catalog.ts';
import { type ErrorOf, GatewayError, type KeyedCode, type KeyedName, shown } from '../errors.ts';
import { matchesPattern } from './pattern.ts';
import type { Principal } from './principal.ts';

/** The rule that refuses: the operations of the key, the group of its account, or the models of the key. */
export type Denial = 'operation' | 'group' | 'model';

/** The operations for each kind of model. */
const operationsOf: Readonly<Record<Model['kind'], readonly string[]>> = {
  text: ['createChatCompletion', 'createResponse'],
  image: ['generateImages', 'editImages'],
};

/** Null when the call is allowed. Without an operation: null when any operation of its kind is allowed. */
export function denialOf(principal: Principal, model: Model, operation?: string): Denial | null {
  const asked = operation === undefined ? operationsOf[model.kind] : [operation];
  if (!asked.some((each) => mayUse(principal, each))) return 'operation';
  if (!model.groups.includes(principal.group)) return 'group';
  const { models } = principal.permissions;
  return models === null || models.some((pattern) => matchesPattern(pattern, model.id)) ? null : 'model';
}

export function mayCall(principal: Principal, model: Model, operation?: string): boolean {
  return denialOf(principal, model, operation) === null;
}

/** What `GET /v1/models` lists: exactly the models that the key may call with some operation. Every valid key may list them. */
export function callableModels(principal: Principal, catalog: Catalog): readonly Model[] {
  return catalog.list().filter((model) => mayCall(principal, model));
}

export function mayUse({ permissions: { operations } }: Principal, operation: string): boolean {
  return operations === null || operations.includes(operation);
}

/** Throws `permission_denied` when the key may not use the operation with any model. */
export function permitOperation(principal: Principal, operation: string): void {
  if (!mayUse(principal, operation)) throw refusal('operation');
}

/** Throws `permission_denied` when the key may not call the model with this operation. */
export function permitCall(principal: Principal, model: Model, operation: string): void {
  const denial = denialOf(principal, model, operation);
  if (denial !== null) throw refusal(denial, model);
}

const LOOK_HERE = 'GET /v1/models lists what this key can call.';

function refusal(denial: Denial, model?: Model): ErrorOf<KeyedName, 403> {
  if (denial === 'operation' || !model) return new GatewayError('permission_denied', { message: 'This key may not use this operation.' });
  const named = `the model '${shown(model.id)}'`;
  const message =
    denial === 'group' ? `Accounts of your group may not call ${named}. ${LOOK_HERE}` : `This key may not call ${named}. ${LOOK_HERE}`;
  return new GatewayError('permission_denied', { param: 'model', message });
}

/**
 * Whether a request must be treated as `store: false`. Callers who do not set `store` are served, and the answer
 * says that it was not stored. A caller who sets `store: true` would rely on it, and is refused.
 */
export function mustNotStore({ permissions: { mayStore } }: Principal, store: unknown): boolean {
  if (mayStore) return false;
  if (store === true) {
    throw new GatewayError<KeyedCode>('permission_denied', {
      param: 'store',
      message: 'This key may not store responses. Send store: false, or leave it out.',
    });
  }
  return store !== false;
}

/** What a key may do: catalog ∩ group ∩ key. The one place where that is decided. */
import type { Catalog, Model } from '../config/catalog.ts';
import { type ErrorOf, GatewayError, type KeyedCode, type KeyedName, shown } from '../errors.ts';
import { matchesPattern } from './pattern.ts';
import type { Principal } from './principal.ts';

/** The rule that says no: the operations of the key, the group of its account, the models of the key. */
export type Denial = 'operation' | 'group' | 'model';

/** By what a model of each kind can be called at all. */
const operationsOf: Readonly<Record<Model['kind'], readonly string[]>> = {
  text: ['createChatCompletion', 'createResponse'],
  image: ['generateImages', 'editImages'],
};

/** Null where nothing is against it. Without an operation: against every one that its kind has. */
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

/** What `GET /v1/models` lists: exactly what the key may call by one operation or another. Every good key may ask for it. */
export function callableModels(principal: Principal, catalog: Catalog): readonly Model[] {
  return catalog.list().filter((model) => mayCall(principal, model));
}

export function mayUse({ permissions: { operations } }: Principal, operation: string): boolean {
  return operations === null || operations.includes(operation);
}

/** Throws `permission_denied` where the key may not use the operation, whatever it is asked about. */
export function permitOperation(principal: Principal, operation: string): void {
  if (!mayUse(principal, operation)) throw refusal('operation');
}

/** Throws `permission_denied` where the key may not call the model by this operation. */
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
 * Whether a response must be taken as if it said `store: false`. Most callers never say that they want it stored: they are served, and the answer
 * says that it was not kept. Who asks for it in so many words would rely on it, and is refused.
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

/** Decides what a key can call: catalog ∩ group ∩ key. Nothing else decides it. */

import type { AdminRole } from '../../contract/admin/roles.ts';
import type { Catalog, Model } from '../config/config.ts';
import { type ErrorOf, GatewayError, type KeyedCode, type KeyedName, shown } from '../errors.ts';
import type { AccountRecord, Principal } from './store.ts';

/** The rule that rejects: the operations of the key, the group of its account, or the models of the key. */
type Denial = 'operation' | 'group' | 'model';

/** The operations for each kind of model. */
const operationsOf: Readonly<Record<Model['kind'], readonly string[]>> = {
  text: ['createChatCompletion', 'createResponse'],
  image: ['generateImages', 'editImages'],
};

/** Null if the call is allowed. Without an operation: null if any operation of its kind is allowed. */
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

/** Returns the models in `GET /v1/models`: exactly those that the key can call with some operation. Every valid key can list them. */
export function callableModels(principal: Principal, catalog: Catalog): readonly Model[] {
  return catalog.list().filter((model) => mayCall(principal, model));
}

export function mayUse({ permissions: { operations } }: Principal, operation: string): boolean {
  return operations === null || operations.includes(operation);
}

/** Throws `permission_denied` when the key can't use the operation with any model. */
export function permitOperation(principal: Principal, operation: string): void {
  if (!mayUse(principal, operation)) throw refusal('operation');
}

/** Throws `permission_denied` when the key can't call the model with this operation. */
export function permitCall(principal: Principal, model: Model, operation: string): void {
  const denial = denialOf(principal, model, operation);
  if (denial !== null) throw refusal(denial, model);
}

const LOOK_HERE = 'GET /v1/models lists the models this key can call.';

function refusal(denial: Denial, model?: Model): ErrorOf<KeyedName, 403> {
  if (denial === 'operation' || !model) return new GatewayError('permission_denied', { message: "This key can't use this operation." });
  const named = `model '${shown(model.id)}'`;
  const message =
    denial === 'group' ? `Accounts in your group can't call ${named}. ${LOOK_HERE}` : `This key can't call ${named}. ${LOOK_HERE}`;
  return new GatewayError('permission_denied', { param: 'model', message });
}

/**
 * Whether a request must be treated as `store: false`. Callers who don't set `store` are served, and the response
 * says that it wasn't stored. A caller who sets `store: true` would rely on it, and is rejected.
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

export function matchesPattern(pattern: string, id: string): boolean {
  let [at, next] = [0, 0];
  let star = -1;
  let tried = 0;
  while (at < id.length) {
    if (pattern[next] === '*') {
      star = next++;
      tried = at;
    } else if (pattern[next] === id[at]) {
      next++;
      at++;
    } else if (star >= 0) {
      // Let the last star match one more character.
      next = star + 1;
      at = ++tried;
    } else return false;
  }
  while (pattern[next] === '*') next++;
  return next === pattern.length;
}

interface LostGroup {
  readonly name: string;
  /** How many accounts are in it. */
  readonly accounts: number;
}

/** Sorted by name. */
export function findLostGroups(accounts: readonly Pick<AccountRecord, 'group'>[], known: readonly string[]): readonly LostGroup[] {
  const counts = new Map<string, number>();
  for (const { group } of accounts) if (!known.includes(group)) counts.set(group, (counts.get(group) ?? 0) + 1);
  return [...counts].map(([name, count]) => ({ name, accounts: count })).toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

export function describeLostGroup({ name, accounts }: LostGroup): string {
  const whose = accounts === 1 ? '1 account' : `${accounts} accounts`;
  return `Group '${name}' of ${whose} isn't in the configuration: ${accounts === 1 ? 'it' : 'they'} can't call any model.`;
}

const known: ReadonlyMap<string, AdminRole> = new Map(
  Object.entries({ viewer: 'viewer', billing: 'billing', admin: 'admin' } satisfies Record<AdminRole, AdminRole>),
);

/** A role that only a later version knows may read and no more. */
export const readRole = (stored: string): AdminRole => known.get(stored) ?? 'viewer';

/** The admin API in the states that its errors need, and a valid request of every operation. */

import type { AdminOperation } from '../../../contract/admin/errors.ts';
import { adminContract } from '../../../contract/admin/index.ts';
import { exampleBody } from '../../../docs/generate/openapi/admin-operation.ts';
import { StorageError } from '../../../server/store/errors.ts';
import { governed, startAdmin, type TestAdmin } from '../../harness/admin.ts';

/** Changes of a valid request. */
export interface Change {
  /** Instead of a valid key; null for none. */
  readonly key?: string | null;
  /** Instead of the id in the path. */
  readonly id?: string;
  readonly query?: string;
  /** Instead of the valid body; null for none. */
  readonly body?: string | null;
  readonly headers?: Record<string, string>;
}

export type Kind = 'governed' | 'without billing' | 'broken' | 'without store' | 'hasty' | 'guessed' | 'reloading';

const settings: Readonly<Record<Kind, Record<string, unknown>>> = {
  governed,
  'without billing': { billing: 'off' },
  broken: governed,
  'without store': governed,
  hasty: governed,
  guessed: governed,
  reloading: governed,
};

export class AdminStage {
  readonly #opened = new Map<Kind, Promise<TestAdmin>>();
  #names = 0;

  open(kind: Kind): Promise<TestAdmin> {
    const opening = this.#opened.get(kind) ?? this.#start(kind);
    this.#opened.set(kind, opening);
    return opening;
  }

  async #start(kind: Kind): Promise<TestAdmin> {
    const admin = await startAdmin(settings[kind], kind === 'hasty' ? { arrivalMs: 100 } : { isReloading: kind === 'reloading' });
    if (kind === 'broken') spoilStore(admin, new TypeError('a part that breaks as nobody foresaw'));
    if (kind === 'without store') spoilStore(admin, new StorageError('the store is gone'));
    return admin;
  }

  newName(): string {
    return `name ${++this.#names}`;
  }

  async close(): Promise<void> {
    for (const admin of this.#opened.values()) await (await admin).close();
  }
}

/** Makes the store fail where callers are looked up first. */
function spoilStore({ access }: TestAdmin, failure: Error): void {
  const fail = () => {
    throw failure;
  };
  Object.assign(access.store, { findAdminKey: fail, findAdminKeyById: fail, listAdminKeys: fail });
}

export const lineOf = (operation: AdminOperation, id = 'nobody'): string => {
  const { method, path } = adminContract[operation];
  return `${method} ${path.replace(/:\w+/, id)}`;
};

/** Where an operation needs one. */
const validQuery = (operation: AdminOperation): string => (operation === 'search' ? '?q=abc' : '');

/** The valid body of an operation, as text. */
export function bodyOf(operation: AdminOperation): string | undefined {
  const example = exampleBody(operation);
  return example === undefined ? undefined : JSON.stringify(example);
}

export function ask(admin: TestAdmin, operation: AdminOperation, change: Change = {}): Promise<Response> {
  const [method = 'GET', path = ''] = lineOf(operation, change.id).split(' ');
  const body = change.body === undefined ? bodyOf(operation) : (change.body ?? undefined);
  return fetch(`${admin.origin}${path}${change.query ?? validQuery(operation)}`, {
    method,
    headers: {
      ...(change.key !== null && { authorization: `Bearer ${change.key ?? admin.key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...change.headers,
    },
    ...(body !== undefined && { body }),
  });
}

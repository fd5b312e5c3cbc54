/** A real store of keys with an authenticator, a clock that the test sets, and a count of the look-ups. */

import { onTestFinished } from 'vitest';
import { type Access, openAccess } from '../../../server/access/access.ts';
import { type Authenticator, openAuthenticator } from '../../../server/access/authenticate.ts';
import { type CreateKeyParams, issueKey } from '../../../server/access/issue-key.ts';
import { openPepper } from '../../../server/access/pepper.ts';
import { accessStoreDefinition } from '../../../server/access/plans.ts';
import type { Principal } from '../../../server/access/principal.ts';
import type { AccessStore } from '../../../server/access/store.ts';
import { type GatewayError, toGatewayError } from '../../../server/primitives/errors.ts';
import type { AuditEntry } from '../../../server/store/audit.ts';
import { type Database, openDatabase } from '../../../server/store/sqlite/database.ts';
import { temporaryFolder } from '../../harness/folder.ts';
import { postgresName, type TestPostgres, usePostgres } from '../../harness/postgres.ts';
import { postgresMissing } from '../../harness/servers.ts';
import { from } from '../../unit/access/remote.ts';

export interface Gate {
  readonly folder: string;
  readonly access: Access;
  readonly authenticator: Authenticator;
  readonly clock: { now: number };
  readonly lookUps: () => number;
  /** Changes the database directly, without the store. */
  exec(sql: string): Promise<void>;
  issue(order?: Partial<CreateKeyParams>): Promise<{ key: string; id: string; accountId: string }>;
  /** The audit entry of a change of this target. */
  audit(action: string, target: string): AuditEntry;
  /** From this machine where no address is given. */
  enter(authorization: string | undefined, address?: string, forwarded?: string): Promise<Principal>;
  refusal(authorization: string | undefined, address?: string, forwarded?: string): Promise<GatewayError>;
}

export async function openGate(trustedProxies: readonly string[] = []): Promise<Gate & { readonly database: Database }> {
  const folder = temporaryFolder();
  const database = openDatabase({ folder, durability: 'relaxed' });
  onTestFinished(() => {
    if (database.connection.isOpen) database.close();
  });
  const place = { folder, access: await openAccess(folder, database), exec: async (sql: string) => database.connection.exec(sql) };
  return { ...gateOf(place, trustedProxies), database };
}

/** The same over PostgreSQL, in a separate database. */
export async function openPostgresGate(server: TestPostgres): Promise<Gate> {
  const { postgres } = await server.fresh();
  const folder = temporaryFolder();
  const access = { store: accessStoreDefinition.onPostgres(postgres), pepper: openPepper(folder) };
  return gateOf({ folder, access, exec: async (sql) => void (await postgres.query({ text: sql })) }, []);
}

function gateOf(place: Pick<Gate, 'folder' | 'access' | 'exec'>, trustedProxies: readonly string[]): Gate {
  const { access } = place;
  const clock = { now: Date.parse('2026-06-01T00:00:00Z') };
  const now = (): number => clock.now;
  let count = 0;
  const store: AccessStore = {
    ...access.store,
    findKey: (hash) => {
      count += 1;
      return access.store.findKey(hash);
    },
  };
  const authenticator = openAuthenticator({ store, pepper: access.pepper, now, trustedProxies });
  const enter: Gate['enter'] = async (authorization, address = '127.0.0.1', forwarded) =>
    authenticator.authenticate(authorization, from(address, forwarded));
  return {
    ...place,
    authenticator,
    clock,
    lookUps: () => count,
    issue: (order = {}) => issueKey({ accountName: 'default', name: 'laptop', ...order }, { ...access, now, actor: 'tester' }),
    audit: (action, target) => ({ actor: 'tester', action, target, details: {}, at: clock.now }),
    enter,
    refusal: (...request) =>
      enter(...request).then(() => {
        throw new Error('was let in');
      }, toGatewayError),
  };
}

/** A gate on each; `use` is called where the tests are described, since its server starts and ends with them. */
export const engines = [
  { title: 'sqlite', isMissing: false, use: () => (): Promise<Gate> => openGate() },
  { title: postgresName, isMissing: postgresMissing !== null, use: useServer },
];

function useServer(): () => Promise<Gate> {
  const server = usePostgres();
  return () => openPostgresGate(server);
}

/** A real store of keys with an authenticator on it, a clock in the test's hand, and a count of the look-ups. */
import { onTestFinished } from 'vitest';
import { type Authenticator, openAuthenticator } from '../../../server/access/authenticate.ts';
import { issueKey } from '../../../server/access/issue.ts';
import { type Access, openAccess } from '../../../server/access/open.ts';
import type { Principal } from '../../../server/access/principal.ts';
import type { AccessStore } from '../../../server/access/store.ts';
import { asGatewayError, type GatewayError } from '../../../server/errors.ts';
import { type Database, openDatabase } from '../../../server/storage/database.ts';
import { temporaryFolder } from '../storage/folder.ts';

export interface Gate {
  readonly folder: string;
  readonly database: Database;
  readonly access: Access;
  readonly authenticator: Authenticator;
  readonly clock: { now: number };
  readonly lookUps: () => number;
  issue(expiresAt?: number | null): Promise<{ key: string; id: string }>;
  enter(authorization: string | undefined): Promise<Principal>;
  refusal(authorization: string | undefined): Promise<GatewayError>;
}

export async function openGate(): Promise<Gate> {
  const folder = temporaryFolder();
  const database = openDatabase({ folder, durability: 'relaxed' });
  onTestFinished(() => {
    if (database.connection.isOpen) database.close();
  });
  const access = await openAccess(folder, database);
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
  const authenticator = openAuthenticator({ store, pepper: access.pepper, now });
  const enter = async (authorization: string | undefined): Promise<Principal> => authenticator.authenticate(authorization);
  return {
    folder,
    database,
    access,
    authenticator,
    clock,
    lookUps: () => count,
    issue: (expiresAt = null) => issueKey({ accountName: 'default', name: 'laptop', expiresAt }, { ...access, now }),
    enter,
    refusal: (authorization) =>
      enter(authorization).then(() => {
        throw new Error('was let in');
      }, asGatewayError),
  };
}

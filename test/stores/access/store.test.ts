/** Changes to accounts and keys: each is atomic and has an audit entry, on one connection or through the writer thread. */

import { test as base, describe, expect, onTestFinished } from 'vitest';
import { openAccess } from '../../../server/access/access.ts';
import { issueFirstKey, issueKey, rotateKey } from '../../../server/access/issue-key.ts';
import { hashKey } from '../../../server/access/key-format.ts';
import { accessStoreDefinition } from '../../../server/access/plans.ts';
import type { KeySettings } from '../../../server/access/store.ts';
import type { WriterSteps } from '../../../server/gateway/stores/writer-steps.ts';
import { writeAudit } from '../../../server/store/audit.ts';
import { runPlanOn } from '../../../server/store/plan.ts';
import { openWriterThread } from '../../../server/store/sqlite/thread.ts';
import { usePostgres } from '../../harness/postgres.ts';
import { postgresMissing } from '../../harness/servers.ts';
import { engines, type Gate, openGate as openEmbedded } from './gate.ts';

const server = usePostgres();

const issuerOf = ({ access, clock }: Gate) => ({ ...access, now: () => clock.now, actor: 'tester' });
const auditOf = async ({ access }: Gate) => (await access.store.listAudit({ limit: 100 })).map(({ action, target }) => [action, target]);

const settings: KeySettings = {
  name: 'build server',
  permissions: { operations: ['createResponse'], models: ['gpt-*'], mayStore: false },
  ipRanges: ['192.0.2.0/24', '2001:db8::/32'],
  limits: { requestsPerMinute: { limit: 60, mode: 'observe' }, tokensPerMinute: null, concurrency: { limit: 3, mode: 'enforce' } },
  caps: [
    { micros: 2n ** 53n + 1n, period: 'week' },
    { micros: 1n, period: 'never' },
  ],
  expiresAt: 1_900_000_000_000,
};

describe.each(engines)('$title', ({ isMissing, use }) => {
  const test = base.skipIf(isMissing);
  const openGate = use();

  test('changes the state of the store after each change of a key or an account', async () => {
    const gate = await openGate();
    const { store } = gate.access;
    const { id, accountId } = await gate.issue();
    const states = [await store.getChanges(), await store.getChanges()];
    await store.editKey(id, { name: 'other' }, gate.audit('key.edit', id));
    states.push(await store.getChanges());
    await store.editAccount(accountId, { suspendedAt: 1 }, gate.audit('account.edit', accountId));
    states.push(await store.getChanges());
    await store.revokeKey(id, gate.audit('key.revoke', id));
    states.push(await store.getChanges());
    expect(states[1]).toBe(states[0]);
    expect(new Set(states).size).toBe(4);
  });

  test('shares an account, which keeps its group, among keys of its name, and creates one for a new name', async () => {
    const gate = await openGate();
    const made = [];
    for (const [accountName, group] of [['red', 'vip'], ['red', 'default'], ['blue']]) {
      made.push(await issueKey({ name: 'n', accountName: accountName ?? '', ...(group && { group }) }, issuerOf(gate)));
    }
    expect(made.map(({ isNewAccount }) => isNewAccount)).toEqual([true, false, true]);
    const keys = await gate.access.store.listKeys();
    expect(keys.map(({ account }) => [account.name, account.group])).toEqual([
      ['red', 'vip'],
      ['red', 'vip'],
      ['blue', 'default'],
    ]);
    expect(keys.map(({ account }) => account.id)).toEqual(made.map(({ accountId }) => accountId));
    expect((await gate.access.store.listKeys(made[0]?.accountId)).map(({ id }) => id)).toEqual([made[0]?.id, made[1]?.id]);
  });

  test('creates the first key once, and not again after it was revoked', async () => {
    const gate = await openGate();
    const { store } = gate.access;
    expect(await store.hasKeys()).toBe(false);
    const made = await issueFirstKey(issuerOf(gate));
    const [first] = await store.listKeys();
    expect(made).toEqual({ key: expect.stringMatching(/^mg-/), accountId: first?.account.id });
    expect(first).toMatchObject({ account: { name: 'default', group: 'default' }, name: 'first key', expiresAt: null });
    await store.revokeKey(first?.id ?? '', gate.audit('key.revoke', first?.id ?? ''));
    expect(await issueFirstKey(issuerOf(gate))).toBeUndefined();
    expect(await auditOf(gate)).toHaveLength(2);
  });

  test('gives the first key to the default account if an operator has created one', async () => {
    const gate = await openGate();
    const limits = { requestsPerMinute: null, tokensPerMinute: null, concurrency: null };
    const account = { id: 'acct_early', name: 'default', group: 'vip', limits, createdAt: 1, suspendedAt: null };
    await gate.access.store.addAccount(account, gate.audit('account.create', account.id));
    const made = await issueFirstKey(issuerOf(gate));
    expect(made?.accountId).toBe('acct_early');
    expect(await gate.enter(`Bearer ${made?.key}`)).toMatchObject({ accountId: 'acct_early', group: 'vip' });
  });

  test('uses an ID or a name from a caller as a value to the database, never as a command', async () => {
    const gate = await openGate();
    const { id, accountId } = await gate.issue();
    const { store } = gate.access;
    const hostile = "x'; DROP TABLE keys; --";
    expect(await store.revokeKey(hostile, gate.audit('key.revoke', hostile))).toBe('unknown');
    expect(await store.findAccount(hostile)).toBeUndefined();
    await issueKey({ accountName: hostile, name: hostile }, issuerOf(gate));
    // An object that came over the network may have fields that its type does not know.
    const changes = { name: 'laptop', 'revoked_at = 1, name': 'x' } as Partial<KeySettings>;
    await store.editKey(id, changes, gate.audit('key.edit', id));
    await store.editAccount(accountId, { name: hostile.toUpperCase() }, gate.audit('account.edit', accountId));
    expect((await store.listKeys()).map(({ name, revokedAt }) => [name, revokedAt])).toEqual([
      ['laptop', null],
      [hostile, null],
    ]);
  });

  test('counts the spend of all keys of a rotated chain under the cap of the first key', async () => {
    const gate = await openGate();
    const first = await gate.issue(settings);
    let { id } = first;
    for (let turn = 0; turn < 3; turn++) {
      const made = await rotateKey({ id, overlapMs: 0 }, issuerOf(gate));
      if (made.kind !== 'rotated') throw new Error(made.kind);
      id = made.id;
    }
    expect((await gate.access.store.listKeys()).map(({ capOwner }) => capOwner)).toEqual(Array(4).fill(first.id));
    const soon = await gate.issue({ expiresAt: gate.clock.now + 10 });
    expect(await rotateKey({ id: soon.id, overlapMs: 60_000 }, issuerOf(gate))).toMatchObject({ oldEndsAt: gate.clock.now + 10 });
  });

  test('reads the cap that a process of an older version has written', async () => {
    const gate = await openGate();
    const { id } = await gate.issue(settings);
    const readCaps = async () => (await gate.access.store.findKeyById(id))?.caps;
    expect(await readCaps()).toEqual(settings.caps);
    await gate.exec(`UPDATE keys SET cap_micros = 5, cap_period = 'day' WHERE id = '${id}'`);
    expect(await readCaps()).toEqual([{ micros: 5n, period: 'day' }]);
    await gate.exec(`UPDATE keys SET cap_micros = NULL, cap_period = NULL WHERE id = '${id}'`);
    expect(await readCaps()).toEqual([]);
  });

  test('rejects statements that change the audit log', async () => {
    const gate = await openGate();
    await gate.issue();
    await expect(gate.exec("UPDATE audit SET actor = 'nobody'")).rejects.toThrow('append-only');
    await expect(gate.exec('DELETE FROM audit')).rejects.toThrow('append-only');
  });

  test('lets only one of several callers at once rotate a key, create the first key, or take a name', async () => {
    const gate = await openGate();
    const { store } = gate.access;
    const issuer = issuerOf(gate);
    const firsts = await Promise.all([issueFirstKey(issuer), issueFirstKey(issuer), issueFirstKey(issuer)]);
    expect(firsts.filter((key) => key !== undefined)).toHaveLength(1);
    const { id } = await gate.issue();
    const turns = await Promise.all([1, 2, 3].map(() => rotateKey({ id, overlapMs: 0 }, issuer)));
    expect(turns.map(({ kind }) => kind).sort()).toEqual(['replaced', 'replaced', 'rotated']);
    const limits = { requestsPerMinute: null, tokensPerMinute: null, concurrency: null };
    const account = (accountId: string, name: string) => ({
      id: accountId,
      name,
      group: 'default',
      limits,
      createdAt: 1,
      suspendedAt: null,
    });
    const added = await Promise.all(['one', 'two'].map((own) => store.addAccount(account(own, 'red'), gate.audit('account.create', own))));
    expect(added.sort()).toEqual([false, true]);
    for (const own of ['acct_3', 'acct_4']) await store.addAccount(account(own, own), gate.audit('account.create', own));
    const renamed = await Promise.all(
      ['acct_3', 'acct_4'].map((own) => store.editAccount(own, { name: 'blue' }, gate.audit('account.edit', own))),
    );
    expect(renamed.sort()).toEqual(['edited', 'name_taken']);
    const revoked = await Promise.all([1, 2].map(() => store.revokeKey(id, gate.audit('key.revoke', id))));
    expect(revoked.sort()).toEqual(['already_revoked', 'revoked']);
    expect((await auditOf(gate)).filter(([action]) => action === 'account.edit')).toHaveLength(1);
  });
});

base('lets one of two concurrent rotations or first keys succeed on the writer thread', async () => {
  const gate = await openEmbedded();
  const entry = new URL('../../../server/gateway/stores/writer.ts', import.meta.url);
  const steps = openWriterThread<WriterSteps>({ entry, folder: gate.folder, durability: 'relaxed' });
  onTestFinished(() => steps.close());
  const access = await openAccess(gate.folder, { connection: gate.database.connection, steps });
  const issuer = { ...access, now: () => gate.clock.now };
  const firsts = await Promise.all([issueFirstKey(issuer), issueFirstKey(issuer)]);
  expect(firsts.filter((key) => key !== undefined)).toHaveLength(1);
  const { id, key } = await issueKey({ accountName: 'red', ...settings }, issuer);
  expect(await access.store.findKey(hashKey(key, access.pepper))).toMatchObject({ id, ...settings });
  const turns = await Promise.all([1, 2, 3].map(() => rotateKey({ id, overlapMs: 0 }, issuer)));
  expect(turns.map(({ kind }) => kind).sort()).toEqual(['replaced', 'replaced', 'rotated']);
  expect(await access.store.listKeys()).toHaveLength(3);
});

base.skipIf(postgresMissing !== null)('sees a change that is committed after a later one', async () => {
  const { postgres } = await server.fresh();
  const store = accessStoreDefinition.onPostgres(postgres);
  const entry = (target: string) => ({ actor: 'tester', action: 'key.revoke', target, details: {}, at: 1 });
  const { promise: isLate, resolve: commit } = Promise.withResolvers<void>();
  const { promise: hasBegun, resolve: begun } = Promise.withResolvers<void>();
  const slow = postgres.transaction('write', async (queries) => {
    await runPlanOn(writeAudit(entry('first')), queries);
    begun();
    await isLate;
  });
  await hasBegun;
  await store.addAuditEntry(entry('second'));
  const before = await store.getChanges();
  commit();
  await slow;
  expect(await store.getChanges()).not.toBe(before);
});

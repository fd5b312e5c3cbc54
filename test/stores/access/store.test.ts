/** Changes to accounts and keys: each is atomic and has an audit entry, on one connection or through the writer thread. */

import { test as base, describe, expect, onTestFinished } from 'vitest';
import { openAccess } from '../../../server/access/access.ts';
import { authenticateAdmin } from '../../../server/access/authenticate.ts';
import { issueAdminKey, issueFirstKey, issueKey, rotateKey } from '../../../server/access/issue-key.ts';
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
  cap: { micros: 2n ** 53n + 1n, period: 'week' },
  expiresAt: 1_900_000_000_000,
};

describe.each(engines)('$title', ({ isMissing, use }) => {
  const test = base.skipIf(isMissing);
  const openGate = use();

  test('after each change of a key or an account the state of the store is another one', async () => {
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

  test('keys of one account name share the account, which keeps its group; a new name makes a new one in the group that is asked for', async () => {
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

  test('the settings of a key are read as they were written, and each can be changed and removed alone', async () => {
    const gate = await openGate();
    const { store, pepper } = gate.access;
    const { key, id } = await gate.issue(settings);
    expect(await store.findKey(hashKey(key, pepper))).toMatchObject({ id, ...settings, revokedAt: null, replacedBy: null, capOwner: id });
    const free: Partial<KeySettings> = { ipRanges: null, cap: null, expiresAt: null };
    expect(await store.editKey(id, free, gate.audit('key.edit', id))).toBe(true);
    expect(await store.findKeyById(id)).toMatchObject({ ...settings, ...free });
    expect(await store.editKey(id, { name: 'other' }, gate.audit('key.edit', id))).toBe(true);
    expect(await store.findKeyById(id)).toMatchObject({ ...settings, ...free, name: 'other' });
    expect(await store.editKey(id, {}, gate.audit('key.edit', id))).toBe(true);
    expect(await store.editKey('key_none', { name: 'x' }, gate.audit('key.edit', 'key_none'))).toBe(false);
    expect(await auditOf(gate)).toEqual([
      ['key.edit', id],
      ['key.edit', id],
      ['key.create', id],
    ]);
  });

  test('a key that is revoked again keeps the time of its first revocation; an unknown id is reported as such; only the change is audited', async () => {
    const gate = await openGate();
    const { id } = await gate.issue();
    const { store } = gate.access;
    const at = (time: number, target = id) => ({ ...gate.audit('key.revoke', target), at: time });
    expect(await store.revokeKey(id, at(1000))).toBe('revoked');
    expect(await store.revokeKey(id, at(2000))).toBe('already_revoked');
    expect(await store.revokeKey('key_nobody', at(1000, 'key_nobody'))).toBe('unknown');
    expect((await store.listKeys()).map(({ revokedAt }) => revokedAt)).toEqual([1000]);
    expect(await auditOf(gate)).toEqual([
      ['key.revoke', id],
      ['key.create', id],
    ]);
  });

  test('the first key is created once, and not again after it was revoked', async () => {
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

  test('the first key belongs to the default account if an operator has created one', async () => {
    const gate = await openGate();
    const limits = { requestsPerMinute: null, tokensPerMinute: null, concurrency: null };
    const account = { id: 'acct_early', name: 'default', group: 'vip', limits, createdAt: 1, suspendedAt: null };
    await gate.access.store.addAccount(account, gate.audit('account.create', account.id));
    const made = await issueFirstKey(issuerOf(gate));
    expect(made?.accountId).toBe('acct_early');
    expect(await gate.enter(`Bearer ${made?.key}`)).toMatchObject({ accountId: 'acct_early', group: 'vip' });
  });

  test('an id or a name from a caller is a value to the database, never a command', async () => {
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

  describe('an operator who rotates a key', () => {
    test('gets a new key with the same settings, while the old one stays valid for the overlap', async () => {
      const gate = await openGate();
      const { start, ...old } = { start: gate.clock.now, ...(await gate.issue({ ...settings, expiresAt: gate.clock.now + 1_000_000 })) };
      gate.clock.now += 400_000;
      const made = await rotateKey({ id: old.id, overlapMs: 60_000 }, issuerOf(gate));
      if (made.kind !== 'rotated') throw new Error(made.kind);
      expect(made).toMatchObject({ oldEndsAt: start + 460_000, expiresAt: start + 1_400_000 });
      const { name, permissions, limits, cap, ipRanges } = settings;
      expect(await gate.access.store.findKeyById(made.id)).toMatchObject({ name, permissions, limits, cap, ipRanges, replacedBy: null });
      expect(await gate.access.store.findKeyById(old.id)).toMatchObject({ replacedBy: made.id, expiresAt: start + 460_000 });
      const enters = (key: string) =>
        gate.enter(`Bearer ${key}`, '192.0.2.1').then(
          ({ keyId }) => keyId,
          () => null,
        );
      expect([await enters(old.key), await enters(made.key)]).toEqual([old.id, made.id]);
      gate.clock.now += 59_999;
      expect(await enters(old.key)).toBe(old.id);
      gate.clock.now += 1;
      expect([await enters(old.key), await enters(made.key)]).toEqual([null, made.id]);
    });

    test('gets no second cap: all keys of the chain spend under the cap of the first key', async () => {
      const gate = await openGate();
      const first = await gate.issue(settings);
      let { id } = first;
      for (let turn = 0; turn < 3; turn++) {
        const made = await rotateKey({ id, overlapMs: 0 }, issuerOf(gate));
        if (made.kind !== 'rotated') throw new Error(made.kind);
        id = made.id;
      }
      expect((await gate.access.store.listKeys()).map(({ capOwner }) => capOwner)).toEqual(Array(4).fill(first.id));
    });

    test('is told why a key cannot be rotated: already replaced, revoked or unknown; an earlier expiry is kept', async () => {
      const gate = await openGate();
      const issuer = issuerOf(gate);
      const soon = await gate.issue({ expiresAt: gate.clock.now + 10 });
      expect(await rotateKey({ id: soon.id, overlapMs: 60_000 }, issuer)).toMatchObject({ oldEndsAt: gate.clock.now + 10 });
      expect((await gate.access.store.findKeyById(soon.id))?.expiresAt).toBe(gate.clock.now + 10);
      expect(await rotateKey({ id: soon.id, overlapMs: 60_000 }, issuer)).toEqual({ kind: 'replaced' });
      const revoked = await gate.issue();
      await gate.access.store.revokeKey(revoked.id, gate.audit('key.revoke', revoked.id));
      expect(await rotateKey({ id: revoked.id, overlapMs: 0 }, issuer)).toEqual({ kind: 'revoked' });
      expect(await rotateKey({ id: 'key_none', overlapMs: 0 }, issuer)).toEqual({ kind: 'unknown' });
      expect(await gate.access.store.listKeys()).toHaveLength(3);
    });
  });

  test('accounts are created, found by id or name, listed and changed; no two have the same name', async () => {
    const gate = await openGate();
    const { store } = gate.access;
    const limits = { requestsPerMinute: { limit: 5, mode: 'enforce' }, tokensPerMinute: null, concurrency: null } as const;
    const red = { id: 'acct_red', name: 'red', group: 'vip', limits, createdAt: 1, suspendedAt: null };
    const blue = { ...red, id: 'acct_blue', name: 'blue', createdAt: 2 };
    const add = (account: typeof red) => store.addAccount(account, gate.audit('account.create', account.id));
    expect([await add(red), await add(blue), await add({ ...red, id: 'acct_other' })]).toEqual([true, true, false]);
    expect(await store.listAccounts()).toEqual([red, blue]);
    expect([await store.findAccount('acct_red'), await store.findAccount('blue')]).toEqual([red, blue]);
    const edit = (id: string, changes: object) => store.editAccount(id, changes, gate.audit('account.edit', id));
    expect(await edit('acct_blue', { name: 'red' })).toBe('name_taken');
    expect(await edit('acct_none', { name: 'green' })).toBe('unknown');
    expect(await edit('acct_blue', { name: 'acct_red', group: 'default', suspendedAt: 7 })).toBe('edited');
    expect(await store.findAccount('acct_red')).toEqual(red);
    expect(await store.findAccount('acct_blue')).toEqual({ ...blue, name: 'acct_red', group: 'default', suspendedAt: 7 });
    expect((await auditOf(gate)).map(([action]) => action)).toEqual(['account.edit', 'account.create', 'account.create']);
  });

  test('an admin key authenticates an operator until it is revoked; the key of a caller does not', async () => {
    const gate = await openGate();
    const { key, id } = await issueAdminKey('ops', issuerOf(gate));
    const caller = await gate.issue();
    expect(key).toMatch(/^mga-[0-9A-Za-z]{49}$/);
    expect(await authenticateAdmin(`Bearer ${key}`, gate.access)).toMatchObject({ id, name: 'ops' });
    const stranger = `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`;
    for (const wrong of [undefined, key, `Bearer ${caller.key}`, `Bearer ${stranger}`]) {
      await expect(authenticateAdmin(wrong, gate.access)).rejects.toMatchObject({ code: 'invalid_api_key' });
    }
    expect(await gate.access.store.revokeAdminKey(id, gate.audit('admin_key.revoke', id))).toBe('revoked');
    expect(await gate.access.store.revokeAdminKey(id, gate.audit('admin_key.revoke', id))).toBe('already_revoked');
    await expect(authenticateAdmin(`Bearer ${key}`, gate.access)).rejects.toMatchObject({ code: 'invalid_api_key' });
    expect((await gate.access.store.listAdminKeys()).map(({ revokedAt }) => revokedAt)).toEqual([gate.clock.now]);
  });

  test('the audit is read newest first in pages, holds no key, and cannot be rewritten', async () => {
    const gate = await openGate();
    const { store } = gate.access;
    const { key, id } = await gate.issue(settings);
    for (const target of ['a', 'b', 'c'])
      await store.addAuditEntry({ ...gate.audit('price.set', target), details: { micros: 5n, target } });
    const [latest, second] = await store.listAudit({ limit: 2 });
    expect([latest?.target, second?.target]).toEqual(['c', 'b']);
    expect(latest).toMatchObject({ actor: 'tester', action: 'price.set', details: { micros: '5', target: 'c' }, at: gate.clock.now });
    const rest = await store.listAudit({ limit: 10, before: second?.id ?? 0 });
    expect(rest.map(({ target }) => target)).toEqual(['a', id]);
    expect(JSON.stringify(rest)).not.toContain(key.slice(3, 12));
    expect(JSON.stringify(rest)).not.toContain(hashKey(key, gate.access.pepper).toString('hex'));
    await expect(gate.exec("UPDATE audit SET actor = 'nobody'")).rejects.toThrow('append-only');
    await expect(gate.exec('DELETE FROM audit')).rejects.toThrow('append-only');
  });

  test('a change is not made if its audit entry cannot be written', async () => {
    const gate = await openGate();
    const { id } = await gate.issue();
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    const audit = { ...gate.audit('key.revoke', id), details: circular };
    await expect(gate.access.store.revokeKey(id, audit)).rejects.toThrow(/circular/i);
    expect((await gate.access.store.findKeyById(id))?.revokedAt).toBeNull();
  });

  test('if several callers rotate a key, create the first key or take a name at once, only one succeeds', async () => {
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

base('through the thread that writes, two that rotate or make the first key at once get one success', async () => {
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

base.skipIf(postgresMissing !== null)('a change that is committed after a later one is seen as well', async () => {
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

/** The steps on accounts and keys, each whole. */
import { expect, test } from 'vitest';
import { issueFirstKey, issueKey } from '../../../server/access/issue.ts';
import { openGate } from './gate.ts';

test('keys of one account name share the account, and a new name makes a new one', async () => {
  const { access, clock } = await openGate();
  const issuer = { ...access, now: () => clock.now };
  const order = { name: 'n', expiresAt: null };
  const made = [];
  for (const accountName of ['red', 'red', 'blue']) made.push(await issueKey({ ...order, accountName }, issuer));
  expect(made.map(({ isNewAccount }) => isNewAccount)).toEqual([true, false, true]);
  const accounts = (await access.store.listKeys()).map(({ accountId }) => accountId);
  expect(new Set(accounts).size).toBe(2);
});

test('a revoked key stays revoked at its first time, and an unknown id is told apart', async () => {
  const gate = await openGate();
  const { id } = await gate.issue();
  const { store } = gate.access;
  expect(await store.revokeKey(id, 1000)).toBe('revoked');
  expect(await store.revokeKey(id, 2000)).toBe('already_revoked');
  expect(await store.revokeKey('key_nobody', 1000)).toBe('unknown');
  expect((await store.listKeys()).map(({ revokedAt }) => revokedAt)).toEqual([1000]);
});

test('the first key is made once, and not again when it was revoked', async () => {
  const { access, clock } = await openGate();
  const issuer = { ...access, now: () => clock.now };
  expect(await access.store.hasKeys()).toBe(false);
  expect(await issueFirstKey(issuer)).toMatch(/^mg-/);
  const [first] = await access.store.listKeys();
  expect(first).toMatchObject({ accountName: 'default', name: 'first key', expiresAt: null });
  await access.store.revokeKey(first?.id ?? '', clock.now);
  expect(await issueFirstKey(issuer)).toBeUndefined();
});

test('an id or a name from a caller is a value to the database, never a command', async () => {
  const gate = await openGate();
  await gate.issue();
  const hostile = "x'; DROP TABLE keys; --";
  expect(await gate.access.store.revokeKey(hostile, 1)).toBe('unknown');
  await issueKey({ accountName: hostile, name: hostile, expiresAt: null }, { ...gate.access, now: () => gate.clock.now });
  expect((await gate.access.store.listKeys()).map(({ name }) => name)).toEqual(['laptop', hostile]);
});

/** Which headers authenticate a caller, and how soon a revoked key stops working. */
import { expect, test } from 'vitest';
import { openAuthenticator } from '../../../server/access/authenticate.ts';
import { generateKey, hashKey } from '../../../server/access/key-format.ts';
import type { AccessStore } from '../../../server/access/store.ts';
import { modelgate } from '../../harness/command-line.ts';
import { from } from '../../unit/access/remote.ts';
import { openGate } from './gate.ts';

test('returns key ID and account for a valid key, and no part of the key in the principal', async () => {
  const gate = await openGate();
  const { key, id } = await gate.issue();
  const principal = await gate.enter(`Bearer ${key}`);
  const unlimited = { requestsPerMinute: null, tokensPerMinute: null, concurrency: null };
  expect(principal).toEqual({
    keyId: id,
    keyName: 'laptop',
    accountId: expect.stringMatching(/^acct_/),
    group: 'default',
    permissions: { operations: null, models: null, mayStore: true },
    addresses: null,
    limits: { key: unlimited, account: unlimited },
    caps: [],
  });
  for (const part of [principal, principal.permissions, principal.limits, principal.limits.key]) expect(Object.isFrozen(part)).toBe(true);
});

test('rejects a mistyped key without a look-up', async () => {
  const gate = await openGate();
  const { key } = await gate.issue();
  for (let at = 3; at < key.length; at++) {
    const typo = key.slice(0, at) + (key[at] === 'q' ? 'r' : 'q') + key.slice(at + 1);
    expect((await gate.refusal(`Bearer ${typo}`)).code).toBe('invalid_api_key');
  }
  expect(gate.lookUps()).toBe(0);
  await gate.refusal(`Bearer ${generateKey()}`);
  expect(gate.lookUps()).toBe(1);
});

test('looks a key in use up again when something has changed, and after half a minute', async () => {
  const gate = await openGate();
  const { key } = await gate.issue();
  for (let request = 0; request < 100; request++) {
    await gate.enter(`Bearer ${key}`);
    gate.clock.now += 250;
  }
  expect(gate.lookUps()).toBe(1);
  await gate.issue({ name: 'desktop' });
  await gate.enter(`Bearer ${key}`);
  gate.clock.now += 1_000;
  await gate.enter(`Bearer ${key}`);
  expect(gate.lookUps()).toBe(2);
  gate.clock.now += 30_000;
  await gate.enter(`Bearer ${key}`);
  expect(gate.lookUps()).toBe(3);
});

test('F46: rejects within two seconds a key that the command line revokes beside the running server', async () => {
  const gate = await openGate();
  const { key, id } = await gate.issue();
  await gate.enter(`Bearer ${key}`);
  expect(await modelgate(['key', 'revoke', id, '--data', gate.folder])).toMatchObject({ code: 0 });
  gate.clock.now += 1_999;
  expect((await gate.refusal(`Bearer ${key}`)).code).toBe('invalid_api_key');
});

test('rejects a key that was revoked while it was being looked up', async () => {
  const { access, issue, audit } = await openGate();
  const { key, id } = await issue();
  const { key: other } = await issue({ name: 'desktop' });
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  let isSlow = true;
  const store: AccessStore = {
    ...access.store,
    async findKey(hash) {
      const record = await access.store.findKey(hash);
      if (isSlow && record?.id === id) await gate;
      return record;
    },
  };
  let now = Date.now();
  const authenticator = openAuthenticator({ store, pepper: access.pepper, now: () => now, trustedProxies: [] });
  const enter = async (one: string) => authenticator.authenticate(`Bearer ${one}`, from('127.0.0.1'));
  await enter(other);
  const early = enter(key);
  await access.store.revokeKey(id, audit('key.revoke', id));
  now += 1_000;
  // Another caller reads that something has changed.
  await enter(other);
  isSlow = false;
  open();
  await early;
  await expect(enter(key)).rejects.toMatchObject({ code: 'invalid_api_key' });
});

test('rejects a key that expires between two requests of a busy caller at that millisecond', async () => {
  const gate = await openGate();
  const { key } = await gate.issue({ expiresAt: gate.clock.now + 100 });
  await gate.enter(`Bearer ${key}`);
  gate.clock.now += 99;
  await gate.enter(`Bearer ${key}`);
  expect(gate.lookUps()).toBe(1);
  gate.clock.now += 1;
  expect((await gate.refusal(`Bearer ${key}`)).code).toBe('invalid_api_key');
});

test('rejects a revoked key also when the clock is set back', async () => {
  const gate = await openGate();
  const { key, id } = await gate.issue();
  await gate.enter(`Bearer ${key}`);
  await gate.access.store.revokeKey(id, gate.audit('key.revoke', id));
  gate.clock.now -= 3_600_000;
  expect((await gate.refusal(`Bearer ${key}`)).code).toBe('invalid_api_key');
});

test('serves all keys in use when they are more than the cache holds, and caches the latest', async () => {
  const gate = await openGate();
  const { key } = await gate.issue();
  await gate.enter(`Bearer ${key}`);
  const record = await gate.access.store.findKey(hashKey(key, gate.access.pepper));
  const everyKeyIsGood = { ...gate.access.store, findKey: async () => record };
  const authenticator = openAuthenticator({
    store: everyKeyIsGood,
    pepper: gate.access.pepper,
    now: () => gate.clock.now,
    trustedProxies: [],
  });
  const here = from('127.0.0.1');
  const [first = '', ...others] = Array.from({ length: 10_001 }, () => `Bearer ${generateKey()}`);
  await authenticator.authenticate(first, here);
  for (const header of others) await authenticator.authenticate(header, here);
  expect(authenticator.authenticate(others.at(-1), here)).not.toBeInstanceOf(Promise);
  const forgotten = authenticator.authenticate(first, here);
  expect(forgotten).toBeInstanceOf(Promise);
  await expect(forgotten).resolves.toMatchObject({ keyName: 'laptop' });
});

test('F52: returns 503 with retry-after, never 401, for a good key while the store is down, then accepts it again', async () => {
  const gate = await openGate();
  const { key } = await gate.issue();
  gate.database.connection.exec('ALTER TABLE keys RENAME TO lost');
  const error = await gate.refusal(`Bearer ${key}`);
  expect([error.status, error.code]).toEqual([503, 'overloaded']);
  expect(error.headers).toEqual({ 'retry-after': '1' });
  expect(JSON.stringify(error.body)).not.toMatch(/lost|keys|sql/i);
  gate.database.connection.exec('ALTER TABLE lost RENAME TO keys');
  await expect(gate.enter(`Bearer ${key}`)).resolves.toMatchObject({ keyName: 'laptop' });
});

test('applies changes to a key or its account within two seconds, also the end of a suspension', async () => {
  const gate = await openGate();
  const { key, id, accountId } = await gate.issue();
  await gate.enter(`Bearer ${key}`);
  const { store } = gate.access;
  const permissions = { operations: ['createResponse'], models: ['gpt-*'], mayStore: false };
  await store.editKey(id, { permissions, caps: [{ micros: 2n ** 60n, period: 'day' }] }, gate.audit('key.edit', id));
  await store.editAccount(accountId, { group: 'vip', suspendedAt: gate.clock.now }, gate.audit('account.edit', accountId));
  gate.clock.now += 1_999;
  expect((await gate.refusal(`Bearer ${key}`)).code).toBe('invalid_api_key');
  await store.editAccount(accountId, { suspendedAt: null }, gate.audit('account.edit', accountId));
  const principal = await gate.enter(`Bearer ${key}`);
  expect(principal).toMatchObject({
    group: 'vip',
    permissions,
    caps: [{ micros: 2n ** 60n, period: 'day', owner: `key:${id}`, scope: 'key' }],
  });
});

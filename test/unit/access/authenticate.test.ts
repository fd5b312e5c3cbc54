/** Who gets in with which header, and how soon a key that was taken away stops working. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openAuthenticator } from '../../../server/access/authenticate.ts';
import { hashKey, newKey } from '../../../server/access/keys.ts';
import { callableModels } from '../../../server/access/permissions.ts';
import { openCatalog } from '../../../server/catalog.ts';
import { loadConfig } from '../../../server/config.ts';
import { openGate } from './gate.ts';

test('a caller with a good key is known by key and account, and nothing of the key is in what the rooms are told', async () => {
  const gate = await openGate();
  const { key, id } = await gate.issue();
  const principal = await gate.enter(`Bearer ${key}`);
  expect(principal).toEqual({ keyId: id, accountId: expect.stringMatching(/^acct_/), keyName: 'laptop' });
  expect(Object.isFrozen(principal)).toBe(true);
});

test.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('a caller who writes the scheme as %s gets in', async (scheme) => {
  const gate = await openGate();
  const { key } = await gate.issue();
  await expect(gate.enter(`${scheme} ${key}`)).resolves.toMatchObject({ keyName: 'laptop' });
  await expect(gate.enter(`${scheme}  ${key} `)).resolves.toMatchObject({ keyName: 'laptop' });
});

test('every reason to refuse a key gives one and the same answer', async () => {
  const gate = await openGate();
  const revoked = await gate.issue();
  await gate.access.store.revokeKey(revoked.id, gate.clock.now);
  const expired = await gate.issue(gate.clock.now);
  const { key } = await gate.issue();
  const headers = {
    missing: undefined,
    empty: '',
    'without a token': 'Bearer',
    'without a scheme': key,
    'another scheme': `Basic ${key}`,
    'two tokens': `Bearer ${key} ${key}`,
    'a list': `Bearer ${key}, Bearer ${key}`,
    'a tab': `Bearer\t${key}`,
    'a book': `Bearer ${'a'.repeat(100_000)}`,
    unknown: `Bearer ${newKey()}`,
    mistyped: `Bearer ${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`,
    'in another case': `Bearer ${key.toLowerCase()}`,
    expired: `Bearer ${expired.key}`,
    revoked: `Bearer ${revoked.key}`,
  };
  const answers = await Promise.all(Object.values(headers).map(gate.refusal));
  for (const { status, body, headers: sent } of answers) {
    expect(status).toBe(401);
    expect(body).toEqual(answers[0]?.body);
    expect(sent).toEqual({ 'www-authenticate': 'Bearer' });
  }
  expect(answers).toHaveLength(14);
  expect(answers[0]?.code).toBe('invalid_api_key');
});

test('a mistyped key is refused without a look-up', async () => {
  const gate = await openGate();
  const { key } = await gate.issue();
  for (let at = 3; at < key.length; at++) {
    const typo = key.slice(0, at) + (key[at] === 'q' ? 'r' : 'q') + key.slice(at + 1);
    expect((await gate.refusal(`Bearer ${typo}`)).code).toBe('invalid_api_key');
  }
  expect(gate.lookUps()).toBe(0);
  await gate.refusal(`Bearer ${newKey()}`);
  expect(gate.lookUps()).toBe(1);
});

test('a caller with many requests costs one look-up a second', async () => {
  const gate = await openGate();
  const { key } = await gate.issue();
  for (let request = 0; request < 100; request++) {
    await gate.enter(`Bearer ${key}`);
    gate.clock.now += 30;
  }
  expect(gate.lookUps()).toBe(3);
});

test('F46: a key that another process revokes while the server runs is refused within two seconds', async () => {
  const gate = await openGate();
  const { key, id } = await gate.issue();
  await gate.enter(`Bearer ${key}`);
  const cli = join(import.meta.dirname, '../../../server/cli.ts');
  execFileSync(process.execPath, [cli, 'key', 'revoke', id, '--data', gate.folder]);
  gate.clock.now += 1_999;
  expect((await gate.refusal(`Bearer ${key}`)).code).toBe('invalid_api_key');
});

test('a key that expires between two requests of a busy caller is refused at that millisecond', async () => {
  const gate = await openGate();
  const { key } = await gate.issue(gate.clock.now + 100);
  await gate.enter(`Bearer ${key}`);
  gate.clock.now += 99;
  await gate.enter(`Bearer ${key}`);
  expect(gate.lookUps()).toBe(1);
  gate.clock.now += 1;
  expect((await gate.refusal(`Bearer ${key}`)).code).toBe('invalid_api_key');
});

test('a clock that is set back does not keep a revoked key alive', async () => {
  const gate = await openGate();
  const { key, id } = await gate.issue();
  await gate.enter(`Bearer ${key}`);
  await gate.access.store.revokeKey(id, gate.clock.now);
  gate.clock.now -= 3_600_000;
  expect((await gate.refusal(`Bearer ${key}`)).code).toBe('invalid_api_key');
});

test('an installation with more keys in use than are remembered serves all of them, and remembers the latest', async () => {
  const gate = await openGate();
  const { key } = await gate.issue();
  await gate.enter(`Bearer ${key}`);
  const record = await gate.access.store.findKey(hashKey(key, gate.access.pepper));
  const everyKeyIsGood = { ...gate.access.store, findKey: async () => record };
  const authenticator = openAuthenticator({ store: everyKeyIsGood, pepper: gate.access.pepper, now: () => gate.clock.now });
  const [first = '', ...others] = Array.from({ length: 10_001 }, () => `Bearer ${newKey()}`);
  await authenticator.authenticate(first);
  for (const header of others) await authenticator.authenticate(header);
  expect(authenticator.authenticate(others.at(-1))).not.toBeInstanceOf(Promise);
  const forgotten = authenticator.authenticate(first);
  expect(forgotten).toBeInstanceOf(Promise);
  await expect(forgotten).resolves.toMatchObject({ keyName: 'laptop' });
});

test('F52: while the store is down a good key gets 503 with retry-after, never 401, and gets in again without a restart', async () => {
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

test('F49: the models that a key lists are those that it may call', async () => {
  const gate = await openGate();
  const { key } = await gate.issue();
  const catalog = openCatalog(loadConfig({}, {}));
  expect(callableModels(await gate.enter(`Bearer ${key}`), catalog)).toEqual(catalog.list());
});

/** The form of keys, and how they and the pepper are stored. */
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openAccess } from '../../../server/access/access.ts';
import { issueKey } from '../../../server/access/issue-key.ts';
import { generateKey, hashKey, hasKeyFormat } from '../../../server/access/key-format.ts';
import { hasPepper, openPepper } from '../../../server/access/pepper.ts';
import { openDatabase } from '../../../server/store/sqlite/database.ts';
import { temporaryFolder } from '../../harness/folder.ts';

test('creates distinct keys of letters and digits with the prefix `mg-`', () => {
  const keys = Array.from({ length: 200 }, () => generateKey());
  for (const key of keys) expect(key).toMatch(/^mg-[0-9A-Za-z]{49}$/);
  expect(new Set(keys).size).toBe(200);
});

test('creates well-formed keys of the same length from the smallest and the largest secret', () => {
  for (const byte of [0x00, 0xff]) {
    const key = generateKey((size) => Buffer.alloc(size, byte));
    expect(key).toHaveLength(52);
    expect(hasKeyFormat(key)).toBe(true);
  }
});

test('rejects the format of a key with any one character changed', () => {
  const key = generateKey();
  for (let at = 0; at < key.length; at++) {
    const wrong = key[at] === 'x' ? 'y' : 'x';
    expect(hasKeyFormat(key.slice(0, at) + wrong + key.slice(at + 1))).toBe(false);
  }
});

test.each([
  ['no key at all', ''],
  ['the prefix alone', 'mg-'],
  ['a key of another vendor', `sk-${'a'.repeat(49)}`],
  ['a key cut at its end', generateKey().slice(0, -1)],
  ['a key with one character more', `${generateKey()}0`],
])('rejects the format of %s', (_, text) => {
  expect(hasKeyFormat(text)).toBe(false);
});

test('stores the hash of a key, but neither the key nor the pepper', async () => {
  const folder = temporaryFolder();
  const database = openDatabase({ folder, durability: 'relaxed' });
  const access = await openAccess(folder, database);
  const { key } = await issueKey({ accountName: 'a', name: 'n', expiresAt: null }, { ...access, now: Date.now });
  database.close();
  const stored = readFileSync(join(folder, 'modelgate.sqlite'));
  expect(stored.includes(hashKey(key, access.pepper))).toBe(true);
  expect(stored.includes(key.slice(3, 20))).toBe(false);
  const pepper = readFileSync(join(folder, 'pepper'), 'utf8').trim();
  expect(stored.includes(pepper)).toBe(false);
  expect(stored.includes(Buffer.from(pepper, 'hex'))).toBe(false);
});

test('creates the pepper once, readable by its owner only, and reads it later', () => {
  const folder = temporaryFolder();
  const first = openPepper(folder);
  expect(first.symmetricKeySize).toBe(32);
  expect(statSync(join(folder, 'pepper')).mode & 0o777).toBe(0o600);
  expect(openPepper(folder).equals(first)).toBe(true);
});

test('rejects a damaged pepper', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'pepper'), 'abcd');
  expect(() => openPepper(folder)).toThrow(/pepper is damaged\. Restore it from a backup/);
});

test('rejects a database with keys but without its pepper', async () => {
  const folder = temporaryFolder();
  const database = openDatabase({ folder, durability: 'relaxed' });
  const access = await openAccess(folder, database);
  await issueKey({ accountName: 'a', name: 'n', expiresAt: null }, { ...access, now: Date.now });
  rmSync(join(folder, 'pepper'));
  await expect(openAccess(folder, database)).rejects.toThrow(/has keys but no pepper/);
  database.close();
});

describe('MODELGATE_PEPPER', () => {
  const text = '0123456789abcdef'.repeat(4);

  test('replaces the file, and creates none', () => {
    const folder = temporaryFolder();
    const pepper = Buffer.from(text, 'hex');
    expect(openPepper(folder, { MODELGATE_PEPPER: `${text.toUpperCase()}\n` }).export()).toEqual(pepper);
    expect(readdirSync(folder)).toEqual([]);
    expect(openPepper(folder, {}).export()).not.toEqual(pepper);
    expect(openPepper(folder, { MODELGATE_PEPPER: text }).export()).toEqual(pepper);
  });

  test("counts as unset if it's empty or blank", () => {
    const folder = temporaryFolder();
    expect(openPepper(folder, { MODELGATE_PEPPER: '' }).export()).toEqual(openPepper(folder, {}).export());
    expect(hasPepper(temporaryFolder(), { MODELGATE_PEPPER: ' ' })).toBe(false);
  });

  test('accepts the content of a pepper file', () => {
    const folder = temporaryFolder();
    const made = openPepper(folder, {}).export();
    expect(openPepper(temporaryFolder(), { MODELGATE_PEPPER: readFileSync(join(folder, 'pepper'), 'utf8') }).export()).toEqual(made);
  });

  test.each([text.slice(1), `${text}0`, `${text.slice(1)}x`, 'a pass phrase'])("rejects %s, and doesn't show it in the error", (wrong) => {
    const open = () => openPepper(temporaryFolder(), { MODELGATE_PEPPER: wrong });
    expect(open).toThrow(/^MODELGATE_PEPPER must be 64 hexadecimal digits\. /);
    expect(open).not.toThrow(wrong);
  });
});

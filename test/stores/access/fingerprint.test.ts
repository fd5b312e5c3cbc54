/** A database stores the fingerprint of the pepper of its keys: a process with a different pepper is stopped, and its error says what to do. */

import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test as base, describe, expect, onTestFinished } from 'vitest';
import { openAccessOn } from '../../../server/access/access.ts';
import { issueAdminKey, issueFirstKey, issueKey, rotateKey } from '../../../server/access/issue-key.ts';
import { adoptPepper, computePepperFingerprint } from '../../../server/access/pepper.ts';
import { accessStoreDefinition } from '../../../server/access/plans.ts';
import type { AccessStore } from '../../../server/access/store.ts';
import { StorageError } from '../../../server/store/errors.ts';
import { openPostgres } from '../../../server/store/postgres/postgres.ts';
import { openDatabase, runInline } from '../../../server/store/sqlite/database.ts';
import { temporaryFolder } from '../../harness/folder.ts';
import { postgresName, usePostgres } from '../../harness/postgres.ts';
import { postgresMissing } from '../../harness/servers.ts';

/** So many processes on one database, each with its own connections. */
type Open = (processes: number) => Promise<AccessStore[]>;

const engines: readonly { readonly title: string; readonly isMissing: boolean; readonly use: () => Open }[] = [
  { title: 'sqlite', isMissing: false, use: () => openFile },
  { title: postgresName, isMissing: postgresMissing !== null, use: useServer },
];

async function openFile(processes: number): Promise<AccessStore[]> {
  const folder = temporaryFolder();
  return Array.from({ length: processes }, () => {
    const { connection, close } = openDatabase({ folder, durability: 'relaxed' });
    onTestFinished(close);
    return accessStoreDefinition.onSqlite({ connection, steps: runInline(connection, accessStoreDefinition.steps) });
  });
}

function useServer(): Open {
  const server = usePostgres();
  return async (processes) => {
    const { url } = await server.fresh();
    return Array.from({ length: processes }, () => {
      const postgres = openPostgres({ url });
      onTestFinished(() => postgres.close());
      return accessStoreDefinition.onPostgres(postgres);
    });
  };
}

const order = { accountName: 'ada', name: 'laptop' };
const issuerOf = (store: AccessStore, pepper: Buffer) => ({ store, pepper, now: Date.now });

/** A data folder with its own pepper. */
function folderOf(pepper: Buffer): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'pepper'), pepper.toString('hex'));
  return folder;
}

describe.each(engines)('$title', ({ isMissing, use }) => {
  const test = base.skipIf(isMissing);
  const open = use();

  test('stops a process with a different pepper at its start, and names the one it needs without a secret', async () => {
    const [one, two] = (await open(2)) as [AccessStore, AccessStore];
    const [pepper, other] = [randomBytes(32), randomBytes(32)];
    await adoptPepper({ store: one, pepper });
    await issueKey(order, issuerOf(one, pepper));
    const rejected = await openAccessOn(folderOf(other), two).catch((error: unknown) => error);
    expect(rejected).toBeInstanceOf(StorageError);
    expect(String(rejected)).toMatch(/a different pepper, .* Set MODELGATE_PEPPER to the value used by the gateways/);
    for (const secret of [pepper, other, computePepperFingerprint(pepper)]) expect(String(rejected)).not.toContain(secret.toString('hex'));
    expect(computePepperFingerprint((await openAccessOn(folderOf(pepper), two)).pepper)).toEqual(computePepperFingerprint(pepper));
  });

  test('starts only one of many processes with different peppers on a new database', async () => {
    const stores = await open(8);
    const peppers = stores.map(() => randomBytes(32));
    const starts = stores.map((store, index) => adoptPepper({ store, pepper: peppers[index] ?? Buffer.alloc(32) }));
    const outcomes = await Promise.allSettled(starts);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const winner = outcomes.findIndex(({ status }) => status === 'fulfilled');
    expect(await stores[0]?.findFingerprint().then((kept) => Buffer.from(kept ?? []))).toEqual(
      computePepperFingerprint(peppers[winner] ?? Buffer.alloc(0)),
    );
  });

  test('stores no fingerprint in a read-only process, so a command with a wrong pepper stops no gateway', async () => {
    const [store] = (await open(1)) as [AccessStore];
    const pepper = randomBytes(32);
    await openAccessOn(folderOf(randomBytes(32)), store);
    expect(await store.findFingerprint()).toBeUndefined();
    await adoptPepper({ store, pepper });
    await adoptPepper({ store, pepper });
    expect(computePepperFingerprint((await openAccessOn(folderOf(pepper), store)).pepper)).toEqual(computePepperFingerprint(pepper));
  });

  test("creates no key that the gateways wouldn't recognize", async () => {
    const [store] = (await open(1)) as [AccessStore];
    const pepper = randomBytes(32);
    const right = issuerOf(store, pepper);
    const { id } = await issueKey(order, right);
    const wrong = issuerOf(store, randomBytes(32));
    for (const make of [
      () => issueKey(order, wrong),
      () => issueFirstKey(wrong),
      () => issueAdminKey('eve', wrong),
      () => rotateKey({ id, overlapMs: 0 }, wrong),
    ])
      await expect(make()).rejects.toThrow(/a different pepper/);
    expect(await store.listKeys()).toHaveLength(1);
    expect(await store.listAdminKeys()).toEqual([]);
    expect((await rotateKey({ id, overlapMs: 0 }, right)).kind).toBe('rotated');
  });
});

base('differs for each pepper, and is neither the pepper nor the hash of any key', () => {
  const pepper = randomBytes(32);
  expect(computePepperFingerprint(pepper)).toEqual(computePepperFingerprint(Buffer.from(pepper)));
  expect(computePepperFingerprint(pepper)).not.toEqual(computePepperFingerprint(randomBytes(32)));
  expect(computePepperFingerprint(pepper).includes(pepper)).toBe(false);
});

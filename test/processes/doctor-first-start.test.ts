/** `modelgate doctor` before a first start: what the start creates or resolves itself is no fault. */
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { examineListener } from '../../server/operate/doctor/listener.ts';
import { openDatabase } from '../../server/store/sqlite/database.ts';
import { modelgate } from '../harness/command-line.ts';
import { temporaryFolder } from '../harness/folder.ts';
import { emptyPostgres } from '../harness/postgres.ts';
import { postgresMissing } from '../harness/servers.ts';
import { leftOut } from '../harness/tools.ts';
import { diagnose } from './doctor-stage.ts';

async function pepperIn(folder: string, env: Record<string, string> = {}) {
  const { code, parts } = await diagnose({ folder, env });
  return { code, told: parts.pepper };
}

const first = { state: 'ok', detail: "doesn't exist yet; the first start creates it" };

test.skipIf(postgresMissing !== null)(
  `reports, without a pepper, PostgreSQL without keys as ok, with keys as a fault, and down as a warning${leftOut(postgresMissing)}`,
  async () => {
    const env = { DATABASE_URL: await emptyPostgres() };
    expect((await pepperIn(temporaryFolder(), env)).told).toMatchObject(first);
    expect(await modelgate(['db', 'migrate'], { folder: temporaryFolder(), env })).toMatchObject({ code: 0 });
    expect((await pepperIn(temporaryFolder(), env)).told).toMatchObject(first);
    const folder = temporaryFolder();
    expect(await modelgate(['key', 'create', '--name', 'one'], { folder, env })).toMatchObject({ code: 0 });
    expect((await pepperIn(folder, env)).told).toMatchObject({ state: 'ok', detail: 'in the data folder' });
    expect(await pepperIn(temporaryFolder(), env)).toMatchObject({ code: 1, told: { state: 'fault' } });
    const nobody = { DATABASE_URL: 'postgres://me:hidden-word@127.0.0.1:1/x' };
    expect((await pepperIn(temporaryFolder(), nobody)).told).toMatchObject({ state: 'warning' });
  },
);

test('reports, without a pepper, ok for a database file without keys, and a fault for one with keys', async () => {
  const folder = temporaryFolder();
  openDatabase({ folder: join(folder, 'data'), durability: 'relaxed' }).close();
  expect((await pepperIn(folder)).told).toMatchObject(first);
  expect(await modelgate(['key', 'create', '--name', 'one'], { folder })).toMatchObject({ code: 0 });
  rmSync(join(folder, 'data', 'pepper'));
  expect(await pepperIn(folder)).toMatchObject({ code: 1, told: { state: 'fault' } });
});

test('reports another program on a port as a warning if the start can take another port, and as a fault if not', async () => {
  const other = createServer((_, response) => response.end('hello')).listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await new Promise((listening) => other.once('listening', listening));
  // A listening TCP server has an address with a port.
  const { port } = other.address() as AddressInfo;
  const listener = { host: '127.0.0.1', port, health: '/admin/openapi.json', setting: 'admin.port' };
  expect(await examineListener({ ...listener, mayMove: true })).toMatchObject({
    state: 'warning',
    hint: expect.stringContaining('admin.port'),
  });
  expect(await examineListener(listener)).toMatchObject({ state: 'fault' });
});

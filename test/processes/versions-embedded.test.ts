/** Two versions on one data folder: going back to the version before, and a newer command beside an older gateway. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { formatGuideLink } from '../../server/operate/commands/guide-links.ts';
import { supportedSchemaVersion } from '../../server/store/sqlite/database.ts';
import { modelgate } from '../harness/command-line.ts';
import { temporaryFolder } from '../harness/folder.ts';
import { type GatewayProcess, gatewayProcess } from '../programs/cluster/gateway-process.ts';
import { type Release, releaseAfter } from './versions/release.ts';
import { askAt, statusesOf } from './versions/stage.ts';

const [today, tomorrow] = [supportedSchemaVersion, supportedSchemaVersion + 1];
const onNewer = `schema ${tomorrow}, written by a newer Modelgate; this version supports schema ${today} and can use the database`;

let releases: Readonly<Record<'after' | 'breaking', Release>>;
beforeAll(() => {
  releases = { after: releaseAfter(today), breaking: releaseAfter(tomorrow) };
});
afterAll(() => {
  for (const release of Object.values(releases)) release.remove();
});

interface Place {
  readonly folder: string;
  readonly data: string;
  gateway(release: Release | null): GatewayProcess;
  /** The command line of this version. */
  run(...words: string[]): ReturnType<typeof modelgate>;
}

function openPlace(): Place {
  const folder = temporaryFolder();
  const [file, data] = [join(folder, 'modelgate.yaml'), join(folder, 'data')];
  const models = [{ id: 'm', kind: 'text', upstream: 'simulator', prices: { input: '0', output: '4' } }];
  writeFileSync(file, stringify({ admin: { enabled: false }, upstreams: { simulator: { kind: 'simulator' } }, models }));
  let count = 0;
  return {
    folder,
    data,
    gateway(release) {
      const other = release && { launch: release.launch };
      const env = { PATH: process.env.PATH };
      const gateway = gatewayProcess({ name: `gateway-${++count}`, file, data, folder, env, ...other });
      onTestFinished(async () => {
        await gateway.stop('SIGKILL');
      });
      return gateway;
    },
    run: (...words) => modelgate([...words, '--data', data], { folder }),
  };
}

const many = ({ origin }: GatewayProcess, key = '') => statusesOf(Array.from({ length: 20 }, () => askAt(origin, key)));
const warnings = ({ logFile }: GatewayProcess): string[] =>
  readFileSync(logFile, 'utf8')
    .split('\n')
    .filter((line) => line.includes('newer Modelgate'));

test('starts this version on tables of the next one after a downgrade, with a sound ledger', async () => {
  const place = openPlace();
  const [newer, older] = [place.gateway(releases.after), place.gateway(null)];
  await newer.start();
  const { firstKey } = newer;
  expect(await many(newer, firstKey)).toEqual({ 200: 20 });
  expect(await newer.stop()).toBe(0);
  expect(warnings(newer)).toEqual([]);
  await older.start();
  expect(await many(older, firstKey)).toEqual({ 200: 20 });
  expect(await older.stop()).toBe(0);
  expect(warnings(older)).toEqual([expect.stringContaining(onNewer)]);
  expect(await place.run('ledger', 'reconcile')).toMatchObject({ code: 0, stderr: '' });
});

test('serves calls after a newer command has migrated the file, which commands of its own version report', async () => {
  const place = openPlace();
  const gateway = place.gateway(null);
  await gateway.start();
  expect(await many(gateway, gateway.firstKey)).toEqual({ 200: 20 });
  const migrated = await promisify(execFile)(process.execPath, [releases.after.launch, 'db', 'migrate', '--data', place.data]);
  expect(migrated.stdout).toContain(`was migrated from schema ${today} to ${tomorrow}.`);
  expect(await many(gateway, gateway.firstKey)).toEqual({ 200: 20 });
  expect((await place.run('key', 'list')).code).toBe(0);
  expect(await gateway.stop()).toBe(0);
  expect(await place.run('doctor')).toMatchObject({ stdout: expect.stringContaining(onNewer) });
  expect(await place.run('db', 'migrate')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`is at ${onNewer}; nothing to do.`),
  });
  expect(await place.run('ledger', 'reconcile')).toMatchObject({ code: 0, stderr: '' });
  const copied = await place.run('db', 'copy', place.data, join(place.folder, 'copy'));
  expect(copied).toMatchObject({ code: 1, stderr: expect.stringContaining('Run "modelgate db copy" from the newer version.') });
});

test('rejects, in a gateway, commands and doctor, a database that only newer versions can use', async () => {
  const place = openPlace();
  const breaking = place.gateway(releases.breaking);
  await breaking.start();
  expect(await breaking.stop()).toBe(0);
  const rejected = `The database was written by a newer Modelgate (schema ${tomorrow}; this version supports schema ${today}). Start the newer version, or one that supports at least schema ${tomorrow}, or specify another data folder with --data.`;
  for (const words of [
    ['serve', '--port', '0'],
    ['key', 'list'],
    ['db', 'migrate'],
  ])
    expect(await place.run(...words)).toEqual({ code: 1, stdout: '', stderr: `modelgate: ${rejected}\n${formatGuideLink('upgrading')}\n` });
  expect(await place.run('doctor')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(`schema ${tomorrow}; this version supports schema ${today}`),
  });
});

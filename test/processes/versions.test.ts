/** Gateways of two versions on one PostgreSQL, as during a rolling update or a rollback. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { formatGuideLink } from '../../server/operate/commands/guide-links.ts';
import { migratePostgres } from '../../server/store/postgres/schema.ts';
import { supportedSchemaVersion } from '../../server/store/sqlite/database.ts';
import { modelgate } from '../harness/command-line.ts';
import { temporaryFolder } from '../harness/folder.ts';
import { usePostgres } from '../harness/postgres.ts';
import { nextRedis } from '../harness/redis.ts';
import { postgresMissing, redisMissing } from '../harness/servers.ts';
import type { GatewayProcess } from '../programs/cluster/gateway-process.ts';
import { type Release, releaseAfter } from './versions/release.ts';
import { openStage, type Stage, statusesOf } from './versions/stage.ts';
import { expectOneGateway } from './versions/together.ts';

const missing = [postgresMissing, redisMissing].filter((reason) => reason !== null);
const [today, tomorrow] = [supportedSchemaVersion, supportedSchemaVersion + 1];
const onNewer = `schema ${tomorrow}, written by a newer Modelgate; this version supports schema ${today} and can use the database`;
const rejected = `The database was written by a newer Modelgate (schema ${tomorrow}; this version supports schema ${today}). Start the newer version, or one that supports at least schema ${tomorrow}, or specify another database.`;

describe.skipIf(missing.length > 0)(`two versions${missing.map((reason) => `, LEFT OUT: ${reason}`).join('')}`, () => {
  const server = usePostgres();
  let releases: Readonly<Record<'after' | 'breaking', Release>>;
  beforeAll(async () => {
    releases = { after: releaseAfter(today), breaking: releaseAfter(tomorrow) };
  });
  afterAll(async () => {
    for (const release of Object.values(releases)) release.remove();
  });

  const open = async (): Promise<Stage> => openStage(await server.fresh(), await nextRedis());
  /** The warnings of a gateway that has stopped, so that its log is complete. */
  const warnings = (gateway: GatewayProcess): string[] =>
    readFileSync(gateway.logFile, 'utf8')
      .split('\n')
      .filter((line) => line.includes('newer Modelgate'));

  test('starts the previous version on the tables of a newer one with one warning, and both act as one', async () => {
    const stage = await open();
    const [after, now] = [stage.gateway('after', releases.after), stage.gateway('now', null)];
    await after.start();
    await now.start();
    await expectOneGateway(stage, [now, after]);
    expect(await Promise.all([after.stop(), now.stop()])).toEqual([0, 0]);
    expect(warnings(after)).toEqual([]);
    expect(warnings(now)).toEqual([expect.stringContaining(onNewer)]);
  });

  test('serves calls while a newer gateway migrates the tables, and restarts beside it', async () => {
    const stage = await open();
    const { key, accountId } = await stage.issue(1_000_000n);
    const now = stage.gateway('now', null);
    await now.start();
    const many = () => statusesOf(Array.from({ length: 40 }, () => stage.ask(now, key)));
    // Each connection has prepared statements of the tables before the migration.
    expect(await many()).toEqual({ 200: 40 });
    await stage.subscribe((await stage.issue(1n)).accountId, 1n);
    const after = stage.gateway('after', releases.after);
    await after.start();
    expect(await many()).toEqual({ 200: 40 });
    expect(await stage.charges(accountId)).toBe(80);
    await expectOneGateway(stage, [now, after]);
    expect(await now.stop()).toBe(0);
    expect(warnings(now)).toEqual([]);
    await now.start();
    await expectOneGateway(stage, [now, after]);
    expect(await now.stop()).toBe(0);
    expect(warnings(now)).toEqual([expect.stringContaining(onNewer)]);
  });

  test('reports newer tables in doctor and db migrate of the older version, creates keys, and rejects db copy', async () => {
    const stage = await open();
    const after = stage.gateway('after', releases.after);
    await after.start();
    expect(await after.stop()).toBe(0);
    const run = (...words: string[]) => modelgate(words, { folder: stage.folder, env: stage.env });
    expect(await run('doctor')).toMatchObject({ code: 0, stdout: expect.stringContaining(onNewer) });
    const migrated = await run('db', 'migrate');
    expect(migrated).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining(`is at ${onNewer}; nothing to do.`) });
    expect(JSON.parse((await run('db', 'migrate', '--json')).stdout)).toMatchObject({ from: tomorrow, to: tomorrow });
    expect((await run('key', 'create', '--name', 'later')).code).toBe(0);
    for (const [from, to] of [
      ['postgres', temporaryFolder()],
      [await ownFolder(), 'postgres'],
    ] as const) {
      const copied = await run('db', 'copy', from, to);
      expect(copied).toMatchObject({ code: 1, stdout: '' });
      expect(copied.stderr).toContain('This version could copy only part of it. Run "modelgate db copy" from the newer version.');
    }
  });

  async function ownFolder(): Promise<string> {
    const folder = temporaryFolder();
    expect((await modelgate(['db', 'migrate', '--data', folder])).code).toBe(0);
    return folder;
  }

  test('rejects a database that only newer versions can use, while a running gateway serves calls', async () => {
    const stage = await open();
    const { key } = await stage.issue(1_000_000n);
    const now = stage.gateway('now', null);
    await now.start();
    const breaking = stage.gateway('breaking', releases.breaking);
    await breaking.start();
    expect((await stage.ask(now, key)).status).toBe(200);
    expect(await now.stop()).toBe(0);
    await expect(now.start()).rejects.toThrow(rejected);
    expect(await now.stop()).toBe(1);
    for (const words of [
      ['key', 'list'],
      ['db', 'migrate'],
    ])
      expect(await modelgate(words, { env: stage.env })).toEqual({
        code: 1,
        stdout: '',
        stderr: `modelgate: ${rejected}\n${formatGuideLink('upgrading')}\n`,
      });
    const doctor = await modelgate(['doctor'], { folder: stage.folder, env: stage.env });
    expect(doctor).toMatchObject({ code: 1, stdout: expect.stringContaining(`schema ${tomorrow}; this version supports schema ${today}`) });
    await stage.expectSound();
  });

  test('leaves the tables of the newer of two versions that start at once, and both serve calls', async () => {
    const fresh = await server.fresh();
    await fresh.postgres.transaction('write', ({ query }) => query({ text: 'DROP SCHEMA public CASCADE; CREATE SCHEMA public' }));
    const stage = await openStage(fresh, await nextRedis());
    const [now, after] = [stage.gateway('now', null), stage.gateway('after', releases.after)];
    await Promise.all([now.start(), after.start()]);
    expect(await migratePostgres(fresh.postgres)).toEqual({ version: tomorrow, worksWith: today });
    const { key } = await stage.issue(1_000_000n);
    expect(await statusesOf([stage.ask(now, key), stage.ask(after, key)])).toEqual({ 200: 2 });
    onTestFinished(() => stage.expectSound());
  });
});

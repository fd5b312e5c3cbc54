/** What a release is made of: the same bytes from the same sources, and few packages of others, each known to the byte. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getRecipe, recipes } from '../../client/packages/recipes.ts';
import { packRecipe } from '../../client/packages/tarball.ts';

interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
}
interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const root = join(import.meta.dirname, '../..');
const read = async (path: string) => JSON.parse(await readFile(join(root, path), 'utf8'));

let locked: (readonly [string, Locked])[];
let gateway: Manifest;
let client: Manifest;
beforeAll(async () => {
  const { packages }: { packages: Readonly<Record<string, Locked>> } = await read('package-lock.json');
  locked = Object.entries(packages).filter(([path, { link }]) => path.startsWith('node_modules/') && link !== true);
  gateway = await read('package.json');
  client = await read('client/sdk/package.json');
});

describe('F51: a release', () => {
  const folders: string[] = [];
  afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

  const makeFolder = async (): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), 'modelgate-release-'));
    folders.push(folder);
    return folder;
  };
  const repository = 'https://example.org/owner/gateway';
  const pack = async (name: string): Promise<Buffer> => {
    const to = await makeFolder();
    return readFile(join(to, (await packRecipe(getRecipe(name), { to, repository })).filename));
  };

  test.each(recipes)('packs $name to the same bytes on any machine', async ({ name }) => {
    const [one, other] = [await pack(name), await pack(name)];
    expect(one.length).toBeGreaterThan(1_000);
    expect(one.equals(other)).toBe(true);
  });

  test('rebuilds with one command', async () => {
    const to = await makeFolder();
    const words = ['client/packages/pack.ts', '--to', to, '--repository', repository, '@modelgate/client'];
    await promisify(execFile)(process.execPath, words, { cwd: root });
    const [file = '', ...others] = await readdir(to);
    expect(others).toEqual([]);
    expect((await readFile(join(to, file))).equals(await pack('@modelgate/client'))).toBe(true);
  });

  test('installs exactly the tested packages, by version and content hash', () => {
    const named = { ...gateway.dependencies, ...gateway.devDependencies, ...gateway.optionalDependencies, ...client.dependencies };
    expect(Object.entries(named).filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))).toEqual([]);
    expect(locked.length).toBeGreaterThan(50);
    expect(locked.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path)).toEqual([]);
  });

  test('runs no program of others while it is installed', () => {
    expect(locked.filter(([, { hasInstallScript }]) => hasInstallScript === true).map(([path]) => path)).toEqual([]);
  });

  test('depends on few external packages, and the client on none', () => {
    expect(client.dependencies).toBeUndefined();
    expect(Object.keys(gateway.dependencies ?? {}).length).toBeLessThanOrEqual(28);
    expect(locked.filter(([, { dev }]) => dev !== true).length).toBeLessThanOrEqual(121);
  });
});

/** Each tarball as a whole: what is in it, what its manifest says, and what publint and attw say of it. */
import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { recipes } from '../../client/packages/recipes.ts';
import { repository } from './packed.ts';
import { openProject, type Project } from './project.ts';

const root = join(import.meta.dirname, '../..');
const attw = join(root, 'node_modules/.bin/attw');
const run = promisify(execFile);

/** Bytes that each tarball may have. More than half of the contract and the client are the texts that explain each field, and source maps; a third of the contract is the OpenAPI document; a quarter of the gateway is its documentation, with pictures. */
const most: Readonly<Record<string, number>> = {
  modelgate: 6_500_000,
  '@modelgate/contract': 310_000,
  '@modelgate/client': 220_000,
  '@modelgate/trpc': 10_000,
};
/** What is only for modules is looked at as such. */
const profile: Readonly<Record<string, readonly string[]>> = { modelgate: ['--profile', 'esm-only'] };

describe.each(recipes)('$name', ({ name, directory }) => {
  let project: Project;
  let folder: string;
  let manifest: Readonly<Record<string, unknown>>;
  beforeAll(async () => {
    project = await openProject([name]);
    folder = join(project.folder, 'node_modules', name);
    manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  });
  afterAll(() => project?.remove());

  const tarball = (): string => inject('tarballs')[name] ?? '';

  test('describes the package and its source, without build settings of the repository', async () => {
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({
      name,
      version,
      license: 'Apache-2.0',
      description: expect.stringMatching(/\w{3}.*\.$/),
      repository: { type: 'git', url: `git+${repository}.git`, ...(directory && { directory }) },
      homepage: `${repository}#readme`,
      bugs: { url: `${repository}/issues` },
      engines: { node: expect.stringMatching(/^>=\d+/) },
    });
    for (const field of ['private', 'workspaces', 'scripts', 'devDependencies', 'overrides', 'optionalDependencies'])
      expect(manifest, field).not.toHaveProperty(field);
    // pnpm, Yarn and Bun would look a dependency on another of ours up in a registry that does not have it.
    expect(manifest.dependencies).toBeUndefined();
    expect(manifest.peerDependencies ?? {}).toEqual(
      name === '@modelgate/trpc'
        ? expect.objectContaining({ '@modelgate/contract': version })
        : expect.not.objectContaining({ '@modelgate/contract': version }),
    );
  });

  test('contains a readme and a license, within its size budget', async () => {
    expect(await readdir(folder)).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']));
    expect((await readFile(join(folder, 'README.md'), 'utf8')).length).toBeGreaterThan(500);
    expect((await stat(tarball())).size).toBeLessThan(most[name] ?? 0);
  });

  test('names no file of TypeScript that only the sources have, and no place of the machine that built it', async () => {
    const files = (await readdir(folder, { recursive: true })).filter((file) => /^dist\/.*\.c?js$/.test(file));
    for (const file of files) {
      const text = await readFile(join(folder, file), 'utf8');
      expect(text.includes(root), file).toBe(false);
      expect(/new URL\((['"`])[^'"`]*\.ts\1/.test(text), file).toBe(false);
    }
    expect(files).not.toEqual([]);
  });

  test('passes publint and attw for every entry point', async () => {
    const { messages } = await publint({ pkgDir: folder, strict: true });
    expect(messages).toEqual([]);
    const words = [tarball(), '--format', 'ascii', '--no-color', ...(profile[name] ?? [])];
    // It says by its exit code whether it found anything, and to people what.
    const said: { readonly code?: number; readonly stdout: string } = await run(attw, words).catch((failed) => failed);
    expect(said.code ?? 0, said.stdout).toBe(0);
  });
});

test('publishes packages in the order of their dependencies', () => {
  const names = recipes.map(({ name }) => name);
  expect(names.at(0)).toBe('@modelgate/contract');
  expect(new Set(names).size).toBe(names.length);
});

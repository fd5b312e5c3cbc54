/** The guides about the packages, done as a reader does it: their files are written down, compiled, and run with the packed packages. */
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { consumersMissing, leftOut } from '../harness/tools.ts';
import { blocksOf } from '../samples/samples.ts';
import { openProject, type Project } from './project.ts';

const root = join(import.meta.dirname, '../..');
const guides = ['docs/guides/contract-package.md', 'docs/guides/testing-with-a-gateway.md'];

/** By the name on their first line. */
const files = Object.fromEntries(
  guides.flatMap(blocksOf).flatMap(({ code }) => {
    const name = /^\/\/ (\S+)\n/.exec(code)?.[1];
    return name === undefined ? [] : [[name, code]];
  }),
);

describe.skipIf(consumersMissing !== null)(`a reader of the guides${leftOut(consumersMissing)}`, () => {
  let project: Project;
  beforeAll(async () => {
    const others = ['@tanstack/react-query', '@ts-rest/core', '@ts-rest/react-query', '@types/node', '@types/react', 'msw', 'react', 'zod'];
    project = await openProject(['modelgate', '@modelgate/contract'], others);
    await symlink(join(root, 'node_modules/vitest'), join(project.folder, 'node_modules/vitest'));
    await project.write(files);
  });
  afterAll(() => project?.remove());

  test('compiles every file', async () => {
    expect(Object.keys(files)).toHaveLength(9);
    const modules = { module: 'esnext', moduleResolution: 'bundler', jsx: 'react-jsx', allowImportingTsExtensions: true, noEmit: true };
    const options = {
      ...modules,
      skipLibCheck: true,
      exactOptionalPropertyTypes: false,
      lib: ['es2024', 'dom'],
      files: Object.keys(files),
    };
    expect(await project.compile('6.0', options)).toBe('');
  });

  test('sees the tests of the guide pass, against a gateway that they start', async () => {
    const { code, stdout, stderr } = await project.run(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--no-color']);
    expect(stdout + stderr).toMatch(/Tests +4 passed/);
    expect(code).toBe(0);
  });

  test('sees the output that the guide shows for its first program', async () => {
    expect(await project.run(process.execPath, ['one.ts'])).toMatchObject({ code: 0, stdout: 'small 200\ngpt-5.4 403\n' });
  });
});

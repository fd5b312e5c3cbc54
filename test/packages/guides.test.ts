/** The guides about the packages, done as a reader does it: their files are written down, compiled, and run with the packed packages. */
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { consumersMissing, jest, jestMissing, leftOut } from '../harness/tools.ts';
import { blocksOf } from '../samples/samples.ts';
import { openProject, type Project } from './project.ts';

const root = join(import.meta.dirname, '../..');
const guides = ['docs/guides/contract-package.md', 'docs/guides/testing-with-a-gateway.md'];

/** By the name on their first line. Those in JavaScript are for Jest. */
const [files, jestFiles] = [/^tsx?$/, /^js$/].map((languages) =>
  Object.fromEntries(
    guides.flatMap(blocksOf).flatMap(({ language, code }) => {
      const name = /^\/\/ (\S+)\n/.exec(code)?.[1];
      return name === undefined || !languages.test(language) ? [] : [[name, code]];
    }),
  ),
) as [Readonly<Record<string, string>>, Readonly<Record<string, string>>];

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

test.skipIf(jestMissing !== null)(`runs the guide's Jest test in its environment${leftOut(jestMissing)}`, async () => {
  const project = await openProject(['modelgate']);
  onTestFinished(() => project.remove());
  const names = ['jest', 'jest-environment-node'];
  for (const name of names) await symlink(join(jest.folder, 'node_modules', name), join(project.folder, 'node_modules', name));
  const config = "export default { testEnvironment: './gateway-environment.mjs' };";
  await project.write({ ...jestFiles, 'jest.config.mjs': config });
  const runJest = () => project.run(process.execPath, ['node_modules/jest/bin/jest.js', '--no-color']);
  expect(await runJest()).toMatchObject({ code: 0, stderr: expect.stringMatching(/Tests: +1 passed, 1 total/) });
  await project.write({ 'rate-limit.test.cjs': jestFiles['rate-limit.test.cjs']?.replace('/oslo/i', '/bergen/i') ?? '' });
  expect(await runJest()).toMatchObject({ code: 1, stderr: expect.stringContaining('Received: 400') });
});

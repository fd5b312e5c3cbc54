/** Apps that call the gateway by the lowest and by the latest version of tRPC that `@modelgate/trpc` goes with: compiled and run. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { consumersMissing, leftOut } from '../harness/tools.ts';
import { type Compiler, openProject, type Project, theirs } from './project.ts';

const root = join(import.meta.dirname, '../..');
const fixture = join(import.meta.dirname, '../fixtures/packages-app/app.txt');
const trpc = ['@trpc/client', '@trpc/server'];
const apps = ['@ts-rest/core', '@types/node', 'zod', 'undici-types'];

/** The lowest is the one that the gateway itself runs; the latest one is among the packages of the apps. */
const versions = [
  { which: 'lowest', modules: join(root, 'node_modules'), others: apps, here: trpc },
  { which: 'latest', modules: theirs, others: [...apps, ...trpc], here: [] },
] as const;
const compilers: readonly Compiler[] = ['5.9', '6.0', '7.0'];

async function versionsIn(modules: string): Promise<string[]> {
  const manifests = await Promise.all(trpc.map((name) => readFile(join(modules, name, 'package.json'), 'utf8')));
  return manifests.map((text) => String(JSON.parse(text).version));
}

describe.skipIf(consumersMissing !== null)(`an app that calls by tRPC${leftOut(consumersMissing)}`, () => {
  test('supports the lowest version that the peer range allows, and a later one', async () => {
    const [lowest = [], latest = []] = await Promise.all(versions.map(({ modules }) => versionsIn(modules)));
    const project = await openProject(['@modelgate/trpc']);
    const { peerDependencies } = JSON.parse(await readFile(join(project.folder, 'node_modules/@modelgate/trpc/package.json'), 'utf8'));
    await project.remove();
    expect(new Set(lowest).size + new Set(latest).size).toBe(2);
    expect(peerDependencies['@trpc/server']).toBe(`^${lowest[0]}`);
    const byVersion = new Intl.Collator('en', { numeric: true });
    expect(byVersion.compare(latest[0] ?? '', lowest[0] ?? '')).toBeGreaterThan(0);
  });

  describe.each(versions)('of the $which version', ({ others, here }) => {
    let project: Project;
    let gateway: TestGateway;
    beforeAll(async () => {
      project = await openProject(['modelgate', '@modelgate/contract', '@modelgate/client', '@modelgate/trpc'], others, here);
      gateway = await startGateway();
      await project.write({ 'app.mts': await readFile(fixture, 'utf8') });
    });
    afterAll(async () => {
      await gateway?.close();
      await project?.remove();
    });

    test.each(compilers)('compiles with TypeScript %s, wrong calls aside', async (compiler) => {
      expect(await project.compile(compiler, { module: 'nodenext', skipLibCheck: true, files: ['app.mts'] })).toBe('');
    });

    test('asks, calls and streams', async () => {
      expect(await project.compile('6.0', { module: 'nodenext', skipLibCheck: true, files: ['app.mts'] })).toBe('');
      const env = { BASE_URL: gateway.baseURL, API_KEY: gateway.key };
      const { stdout, stderr } = await project.run(process.execPath, ['out/app.mjs'], env);
      expect(stderr).toBe('');
      expect(JSON.parse(stdout)).toMatchObject({ called: expect.stringMatching(/^gpt-5\.4 \S.* response\.completed completed$/s) });
    });
  });
});

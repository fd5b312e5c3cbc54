/** Apps of others with our packages: compiled by every TypeScript that is about, in every way that it finds modules, and run by Node and Bun. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { consumersMissing, leftOut } from '../harness/tools.ts';
import { bun, type Compiler, openProject, type Project } from './project.ts';

const fixtures = join(import.meta.dirname, '../fixtures/packages-app');
const ours = ['modelgate', '@modelgate/contract', '@modelgate/client', '@modelgate/trpc'];

/** How TypeScript is told to look for modules, and which kinds of module it makes then. */
const ways: readonly (readonly [string, readonly string[]])[] = [
  ['bundler', ['mts']],
  ['node16', ['mts', 'cts']],
  ['nodenext', ['mts', 'cts']],
];
const compilers: readonly Compiler[] = ['5.9', '6.0', '7.0'];
const cases = compilers.flatMap((compiler) => ways.map(([way, kinds]) => [compiler, way, kinds] as const));

const resolving = (way: string): Readonly<Record<string, string>> =>
  way === 'bundler' ? { module: 'esnext', moduleResolution: 'bundler' } : { module: way, moduleResolution: way };

describe.skipIf(consumersMissing !== null)(`an app with the packages${leftOut(consumersMissing)}`, () => {
  let project: Project;
  let gateway: TestGateway;
  let env: Readonly<Record<string, string>>;
  beforeAll(async () => {
    project = await openProject(ours, ['@ts-rest/core', '@types/node', 'zod', 'undici-types'], ['@trpc/client', '@trpc/server']);
    gateway = await startGateway();
    env = { BASE_URL: gateway.baseURL, API_KEY: gateway.key };
    const [app, plain] = await Promise.all(['app', 'plain'].map((name) => readFile(join(fixtures, `${name}.txt`), 'utf8')));
    await project.write({ 'app.mts': app ?? '', 'app.cts': app ?? '', 'plain.mts': plain ?? '' });
  });
  afterAll(async () => {
    await gateway?.close();
    await project?.remove();
  });

  test.each(cases)('compiles with TypeScript %s and %s, as %j', async (compiler, way, kinds) => {
    const options = resolving(way);
    expect(await project.compile(compiler, { ...options, skipLibCheck: true, files: kinds.map((kind) => `app.${kind}`) })).toBe('');
  });

  test.each(compilers)("compiles without ts-rest, with TypeScript %s and every library's declarations", async (compiler) => {
    expect(await project.compile(compiler, { ...resolving('nodenext'), skipLibCheck: false, files: ['plain.mts'] })).toBe('');
  });

  test('creates few types, so that editors stay fast', async () => {
    await project.compile('6.0', { module: 'nodenext', skipLibCheck: true, files: ['app.mts'], extendedDiagnostics: true });
    const said = await project.run(process.execPath, [
      join(import.meta.dirname, '../../node_modules/typescript/bin/tsc'),
      '-p',
      '.',
      '--extendedDiagnostics',
    ]);
    const instantiations = Number(/^Instantiations:\s+(\d+)$/m.exec(said.stdout)?.[1]);
    expect(instantiations).toBeGreaterThan(0);
    expect(instantiations).toBeLessThan(30_000);
  });

  const expected = {
    models: expect.arrayContaining(['gpt-5.4', 'gpt-image-2']),
    content: expect.stringMatching(/\w/),
    text: expect.stringMatching(/\w/),
    called: expect.stringMatching(/^gpt-5\.4 \S.* response\.completed completed$/s),
    failed: [404, true, true],
    ends: true,
    same: true,
  };

  test.each(['mjs', 'cjs'])('runs on Node, with a gateway in its own process: app.%s', async (kind) => {
    expect(await project.compile('6.0', { module: 'nodenext', skipLibCheck: true, files: ['app.mts', 'app.cts'] })).toBe('');
    const { code, stdout, stderr } = await project.run(process.execPath, [`out/app.${kind}`]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject(expected);
  });

  test.each(['mts', 'cts'])('runs on Bun, with a gateway elsewhere: app.%s', async (kind) => {
    const { stdout, stderr } = await project.run(bun, [`app.${kind}`], env);
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject(expected);
  });
});

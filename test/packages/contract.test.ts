/** The published contract beside the one in the sources: the same routes and schemas at run time, and types that were written and yet are those of the schemas. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { initContract } from '@ts-rest/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { listExports, type PublishedExport } from '../../client/packages/contract/parts.ts';
import { initContract as initOurs } from '../../client/packages/contract/router.ts';
import { measureSize } from '../../client/packages/size.ts';
import * as source from '../../contract/index.ts';
import { consumersMissing, leftOut } from '../harness/tools.ts';
import { openProject, type Project } from './project.ts';

const root = join(import.meta.dirname, '../..');

/** A value without its schemas, which are other objects in each copy; what they take is compared as JSON Schema. */
function told(value: unknown): unknown {
  if (typeof value === 'object' && value !== null && '_zod' in value)
    return z.toJSONSchema(value as z.ZodType, { io: 'input', unrepresentable: 'any' });
  if (Array.isArray(value)) return value.map(told);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, told(entry)]));
}

test('builds the routes as ts-rest does', () => {
  const routes = { one: { method: 'GET', path: '/one', responses: { 200: z.string() }, metadata: { tag: 'Models' } } } as const;
  const options = { strictStatusCodes: true, commonResponses: { 400: z.number() } } as const;
  expect(initOurs().router(routes, options)).toEqual(initContract().router(routes, options));
  const prefixed = { ...options, pathPrefix: '/v1' };
  expect(() => initOurs().router(routes, prefixed)).toThrow('pathPrefix');
});

describe('the packed contract', () => {
  let project: Project;
  beforeAll(async () => {
    project = await openProject(['@modelgate/contract'], [], ['zod']);
  });
  afterAll(() => project?.remove());

  const getPath = (file: string) => join(project.folder, 'node_modules/@modelgate/contract', file);

  test('exports the OpenAPI document of its version', async () => {
    const manifest = JSON.parse(await readFile(getPath('package.json'), 'utf8'));
    const code = "import document from '@modelgate/contract/openapi.json' with { type: 'json' }; console.log(JSON.stringify(document));";
    await project.write({ 'document.mjs': code });
    const { stdout } = await project.run(process.execPath, ['document.mjs']);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(await readFile(join(root, 'docs/generated/openapi.json'), 'utf8')));
    expect(JSON.parse(stdout).info.version).toBe(manifest.version);
  });

  test('imports zod as a namespace, because esbuild keeps all of zod behind { z }', async () => {
    const files = (await readdir(getPath('dist'), { recursive: true })).filter((file) => file.endsWith('.js'));
    const texts = await Promise.all(files.map((file) => readFile(getPath(`dist/${file}`), 'utf8')));
    const imports = texts.flatMap((text) => text.match(/^import .* from ["']zod["'];$/gm) ?? []);
    expect(imports.length).toBeGreaterThan(10);
    expect(new Set(imports)).toEqual(new Set(['import * as z from "zod";']));
  });

  test('adds at most 40 kB to an app with one schema, including zod', async () => {
    const { gzipped } = await measureSize(getPath('dist/index.js'), ['ModelList']);
    expect(gzipped).toBeLessThan(40_000);
  });
});

describe.skipIf(consumersMissing !== null)(`the published contract${leftOut(consumersMissing)}`, () => {
  let project: Project;
  let parts: readonly PublishedExport[];
  beforeAll(async () => {
    parts = await listExports();
    project = await openProject(['@modelgate/contract'], ['zod', '@types/node']);
  });
  afterAll(() => project?.remove());

  test.each(['index.js', 'index.cjs'])('equals the one in the sources: %s', async (file) => {
    const published: Readonly<Record<string, unknown>> = await import(join(project.folder, 'node_modules/@modelgate/contract/dist', file));
    expect(told(published.contract)).toEqual(told(source.contract));
    const names = Object.keys(published).filter((name) => !['default', 'module.exports', '__esModule'].includes(name));
    expect(names.sort()).toEqual(parts.map(({ name }) => name).sort());
    for (const { name, value } of parts) expect(told(published[name]), name).toEqual(told(value));
  });

  test('declares exactly the types of its schemas, apart from unknown fields', async () => {
    const schemas = parts.filter(({ value }) => value instanceof z.ZodType);
    const imports = schemas.map(({ file, local, name }) => `import { ${local} as ${name}$ } from ${JSON.stringify(file)};`);
    const checks = schemas.map(
      ({ name }) => `export const check${name}: Same<Known<z.infer<typeof ${name}$>>, Known<written.${name}>> = true;`,
    );
    const code = [
      `import type { z } from ${JSON.stringify(join(root, 'node_modules/zod/index.js'))};`,
      "import type * as written from '@modelgate/contract';",
      ...imports,
      helpers,
      ...checks,
    ].join('\n');
    await project.write({ 'drift.mts': code });
    const options = { module: 'nodenext', skipLibCheck: true, noEmit: true, allowImportingTsExtensions: true, rootDir: '/', types: [] };
    expect(await project.compile('6.0', { ...options, exactOptionalPropertyTypes: false, files: ['drift.mts'] })).toBe('');
    expect(checks.length).toBeGreaterThan(50);
  });

  test('names nothing but zod, and no place of the machine that built it', async () => {
    for (const name of ['index.js', 'index.cjs', 'errors.js', 'index.d.ts', 'errors.d.cts']) {
      const text = await readFile(join(project.folder, 'node_modules/@modelgate/contract/dist', name), 'utf8');
      expect(text).not.toContain(root);
      const named = [...text.matchAll(/(?:\bfrom |\brequire\()["']([^"'.][^"']*)["']/g)].map(([, found]) => found);
      expect(named.filter((name) => name !== 'zod')).toEqual([]);
    }
  });
});

/** Two types are the same where neither can be told from the other; index signatures are taken off both, at every depth. */
const helpers = `
type Known<T> = T extends string ? (\`\${T}\` extends '(newer)' ? '(newer)' : T) : T extends (infer Entry)[] ? Known<Entry>[]
  : T extends object ? string extends keyof T ? KnownKeys<T> extends never ? T : { [K in KnownKeys<T>]: Known<T[K]> } : { [K in keyof T]: Known<T[K]> } : T;
type KnownKeys<T> = keyof { [K in keyof T as string extends K ? never : K]: T[K] };
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : [A] extends [B] ? [B] extends [A] ? true : 'written is narrower' : 'written is wider';
`;

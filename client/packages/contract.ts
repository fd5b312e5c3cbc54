/**
 * Builds the package `@modelgate/contract`: router, schemas, and tables, for ESM and CommonJS.
 * The package needs zod. Apps need ts-rest only to create a client from the router.
 */
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'tsdown';
import { writeDeclarations } from './contract/declarations.ts';
import { contractFolder, exportAll, listExports, type PublishedExport } from './contract/parts.ts';
import { markPure } from './contract/pure.ts';
import { formatRoutes, writeRoutes } from './contract/routes.ts';
import { license, type Manifest, toModuleExports, version } from './manifest.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Module {
  readonly source: (parts: readonly PublishedExport[]) => string;
  /** `index` is the import path of the package's main declarations. */
  readonly declaration: (parts: readonly PublishedExport[], index: string) => string;
}
const filterErrors = (parts: readonly PublishedExport[]) => parts.filter(({ file }) => file.endsWith('/errors.ts'));

const modules: Readonly<Record<string, Module>> = {
  index: { source: exportAll, declaration: writeDeclarations },
  errors: { source: (parts) => exportAll(filterErrors(parts)), declaration: (parts) => writeDeclarations(filterErrors(parts)) },
  routes: { source: writeRoutes, declaration: (_, index) => formatRoutes(index) },
};

const prefix = 'contract:';

/** esbuild keeps all of zod, with every language, behind `{ z }`, which is an object. It drops the unused parts of a namespace. */
const importNamespace = (code: string): string => code.replace("import { z } from 'zod';", "import * as z from 'zod';");

/** Bundler plugin that supplies the entry files as source text, and replaces ts-rest with a small router function. */
function createSourcesPlugin(parts: readonly PublishedExport[]) {
  return {
    name: 'contract',
    resolveId(id: string): string | null {
      if (id === '@ts-rest/core') return join(root, 'client/packages/contract/router.ts');
      return id.startsWith(prefix) ? `\0${id}` : null;
    },
    load(id: string): string | null {
      return modules[id.replace(`\0${prefix}`, '')]?.source(parts) ?? null;
    },
    transform: (code: string, id: string): string | null => (id.startsWith(contractFolder) ? markPure(importNamespace(code), id) : null),
  };
}

/** Writes the package into `folder`. `origin` has the manifest fields with the repository URL. */
export async function assembleContract(folder: string, origin: Manifest): Promise<void> {
  const parts = await listExports();
  await build({
    cwd: root,
    entry: Object.fromEntries(Object.keys(modules).map((name) => [name, `${prefix}${name}`])),
    outDir: join(folder, 'dist'),
    format: ['esm', 'cjs'],
    target: 'es2022',
    platform: 'neutral',
    fixedExtension: false,
    hash: false,
    dts: false,
    // Keeps one file per module, so that bundlers can drop modules that an app doesn't use.
    unbundle: true,
    deps: { neverBundle: ['zod'], alwaysBundle: ['@ts-rest/core'], onlyBundle: false },
    logLevel: 'error',
    plugins: [createSourcesPlugin(parts)],
    inputOptions: { checks: { bundlerTimings: false } },
  });
  await mkdir(join(folder, 'dist'), { recursive: true });
  for (const [name, { declaration }] of Object.entries(modules))
    for (const [ending, index] of [
      ['d.ts', './index.js'],
      ['d.cts', './index.cjs'],
    ] as const)
      await writeFile(join(folder, 'dist', `${name}.${ending}`), declaration(parts, index));
  await cp(join(root, 'docs/generated/openapi.json'), join(folder, 'openapi.json'));
  await cp(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  await cp(join(root, 'client/packages/contract/README.md'), join(folder, 'README.md'));
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(createManifest(origin), null, 2)}\n`);
}

const createManifest = (origin: Manifest): Manifest => ({
  name: '@modelgate/contract',
  version,
  description: 'The contract of a Modelgate gateway: ts-rest router, zod schemas, errors, events of the streams and their order.',
  keywords: ['modelgate', 'openai', 'llm', 'contract', 'ts-rest', 'zod'],
  license,
  ...origin,
  type: 'module',
  sideEffects: false,
  engines: { node: '>=20' },
  main: './dist/index.cjs',
  module: './dist/index.js',
  types: './dist/index.d.cts',
  exports: {
    '.': toModuleExports('index'),
    './errors': toModuleExports('errors'),
    './routes': toModuleExports('routes'),
    './openapi.json': './openapi.json',
    './package.json': './package.json',
  },
  typesVersions: { '*': { errors: ['./dist/errors.d.cts'], routes: ['./dist/routes.d.cts'] } },
  files: ['dist', 'openapi.json'],
  peerDependencies: { '@ts-rest/core': '>=3.53.0-rc.1 <4', zod: '^4.0.0' },
  peerDependenciesMeta: { '@ts-rest/core': { optional: true } },
});

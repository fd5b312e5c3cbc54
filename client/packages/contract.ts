/** Builds the package `@modelgate/contract`: router, schemas and tables, for ESM and CommonJS. It needs zod; ts-rest is needed only to make a client of the router. */
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'tsdown';
import { writeDeclarations } from './contract/declarations.ts';
import { contractFolder, exportAll, listParts, type Part } from './contract/parts.ts';
import { markPure } from './contract/pure.ts';
import { routesDeclaration, writeRoutes } from './contract/routes.ts';
import { bothKinds, license, type Manifest, version } from './manifest.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Module {
  readonly source: (parts: readonly Part[]) => string;
  /** `index`: how a declaration imports that of the whole contract. */
  readonly declaration: (parts: readonly Part[], index: string) => string;
}
const errorsOf = (parts: readonly Part[]) => parts.filter(({ file }) => file.endsWith('/errors.ts'));

/** Entry files of the package. */
const modules: Readonly<Record<string, Module>> = {
  index: { source: exportAll, declaration: writeDeclarations },
  errors: { source: (parts) => exportAll(errorsOf(parts)), declaration: (parts) => writeDeclarations(errorsOf(parts)) },
  routes: { source: writeRoutes, declaration: (_, index) => routesDeclaration(index) },
};

const prefix = 'contract:';

/** Plugin of the bundler: supplies the entry files as source text, and replaces ts-rest by a small router function. */
function sourcesOf(parts: readonly Part[]) {
  return {
    name: 'contract',
    resolveId(id: string): string | null {
      if (id === '@ts-rest/core') return join(root, 'client/packages/contract/router.ts');
      return id.startsWith(prefix) ? `\0${id}` : null;
    },
    load(id: string): string | null {
      return modules[id.replace(`\0${prefix}`, '')]?.source(parts) ?? null;
    },
    transform: (code: string, id: string): string | null => (id.startsWith(contractFolder) ? markPure(code, id) : null),
  };
}

/** Writes the package into `folder`. `origin`: fields of the manifest with the address of the repository. */
export async function assembleContract(folder: string, origin: Manifest): Promise<void> {
  const parts = await listParts();
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
    // Bundlers drop modules that an app doesn't use.
    unbundle: true,
    deps: { neverBundle: ['zod'], alwaysBundle: ['@ts-rest/core'], onlyBundle: false },
    logLevel: 'error',
    plugins: [sourcesOf(parts)],
    inputOptions: { checks: { bundlerTimings: false } },
  });
  await mkdir(join(folder, 'dist'), { recursive: true });
  for (const [name, { declaration }] of Object.entries(modules))
    for (const [ending, index] of [
      ['d.ts', './index.js'],
      ['d.cts', './index.cjs'],
    ] as const)
      await writeFile(join(folder, 'dist', `${name}.${ending}`), declaration(parts, index));
  await cp(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  await cp(join(root, 'client/packages/contract/README.md'), join(folder, 'README.md'));
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifestOf(origin), null, 2)}\n`);
}

const manifestOf = (origin: Manifest): Manifest => ({
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
    '.': bothKinds('index'),
    './errors': bothKinds('errors'),
    './routes': bothKinds('routes'),
    './package.json': './package.json',
  },
  typesVersions: { '*': { errors: ['./dist/errors.d.cts'], routes: ['./dist/routes.d.cts'] } },
  files: ['dist'],
  peerDependencies: { '@ts-rest/core': '>=3.53.0-rc.1 <4', zod: '^4.0.0' },
  peerDependenciesMeta: { '@ts-rest/core': { optional: true } },
});

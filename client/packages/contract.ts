/** Builds the package `@modelgate/contract`: router, schemas and tables, for ESM and CommonJS. It needs zod; ts-rest is needed only to make a client of the router. */
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'tsdown';
import { writeDeclarations } from './contract/declarations.ts';
import { contractFolder, exportAll, listParts, type Part } from './contract/parts.ts';
import { markPure } from './contract/pure.ts';
import { bothKinds, license, type Manifest, version } from './manifest.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Entry files of the package, and the parts of the contract that each exports. */
const modules: Readonly<Record<string, (part: Part) => boolean>> = {
  index: () => true,
  // The error table without the router.
  errors: ({ file }) => file.endsWith('/errors.ts'),
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
      const isOurs = modules[id.replace(`\0${prefix}`, '')];
      return isOurs === undefined ? null : exportAll(parts.filter(isOurs));
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
  for (const [name, isOurs] of Object.entries(modules)) {
    const text = writeDeclarations(parts.filter(isOurs));
    for (const ending of ['d.ts', 'd.cts']) await writeFile(join(folder, 'dist', `${name}.${ending}`), text);
  }
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
  exports: { '.': bothKinds('index'), './errors': bothKinds('errors'), './package.json': './package.json' },
  typesVersions: { '*': { errors: ['./dist/errors.d.cts'] } },
  files: ['dist'],
  peerDependencies: { '@ts-rest/core': '>=3.53.0-rc.1 <4', zod: '^4.0.0' },
  peerDependenciesMeta: { '@ts-rest/core': { optional: true } },
});

/** Builds the package `@modelgate/trpc`: the type of the router at `/trpc`, without code. */
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { declareModule } from './declaration.ts';
import { license, type Manifest, toModuleExports, version } from './manifest.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export async function assembleTrpc(folder: string, origin: Manifest): Promise<void> {
  const types = await declareModule('server/api/trpc/router-type.ts');
  await mkdir(join(folder, 'dist'), { recursive: true });
  for (const ending of ['d.ts', 'd.cts']) await writeFile(join(folder, 'dist', `index.${ending}`), types);
  // Imports without `type` get an empty module, instead of an error at run time.
  await writeFile(join(folder, 'dist/index.js'), 'export {};\n');
  await writeFile(join(folder, 'dist/index.cjs'), "'use strict';\n");
  await cp(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  await cp(join(root, 'client/packages/trpc/README.md'), join(folder, 'README.md'));
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(createManifest(origin), null, 2)}\n`);
}

const createManifest = (origin: Manifest): Manifest => ({
  name: '@modelgate/trpc',
  version,
  description: 'The type of the tRPC router of a Modelgate gateway, for createTRPCClient.',
  keywords: ['modelgate', 'openai', 'llm', 'trpc', 'types'],
  license,
  ...origin,
  type: 'module',
  sideEffects: false,
  engines: { node: '>=20' },
  main: './dist/index.cjs',
  module: './dist/index.js',
  types: './dist/index.d.cts',
  exports: { '.': toModuleExports('index'), './package.json': './package.json' },
  files: ['dist'],
  // A peer dependency, like zod: pnpm, Yarn, and Bun look dependencies up in the registry, even if a local tarball is installed.
  peerDependencies: { '@modelgate/contract': version, '@trpc/server': '^11.22.1', zod: '^4.0.0' },
});

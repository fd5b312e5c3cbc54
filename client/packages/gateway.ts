/** Builds the package `modelgate`: the command line and `startGateway`, bundled with all dependencies. */
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TypeWriter } from '../../docs/generate/client/typescript.ts';
import { configSchemaOutput } from '../../docs/generate/config-schema.ts';
import { buildSites } from '../../docs/site/build.ts';
import { buildBundle } from '../pages/build/build.ts';
import { getOutputPath, published } from '../pages/build/bundles.ts';
import { declareModule } from './declaration.ts';
import { bundleGateway } from './gateway/bundle.ts';
import { writeNotices } from './gateway/notices.ts';
import { description, license, type Manifest, version } from './manifest.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Files that the gateway reads at run time. */
const besideCode = [
  'openapi.json',
  'openapi-3.2.json',
  'admin-openapi.json',
  'config.schema.json',
  'public-models.json',
  'field-probes.json',
];

export async function assembleGateway(folder: string, origin: Manifest): Promise<void> {
  const parts = await bundleGateway(join(folder, 'dist'));
  for (const name of besideCode) await cp(join(root, 'docs/generated', name), join(folder, 'docs/generated', name));
  await writeFile(join(folder, 'dist/testing.d.ts'), typeConfig(await declareModule('server/operate/testing.ts')));
  await writeFile(
    join(folder, 'THIRD-PARTY-NOTICES'),
    await writeNotices([...parts, ...(await addPages(folder)), ...(await buildSites({ to: join(folder, 'docs/site/dist') }))]),
  );
  await cp(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  await cp(join(root, 'client/packages/gateway/README.md'), join(folder, 'README.md'));
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(createManifest(origin), null, 2)}\n`);
}

/** Gives `config` of `startGateway` the type of the configuration's schema. In the sources, these types refer to no other file. */
function typeConfig(declarations: string): string {
  const open = 'string | Readonly<Record<string, unknown>>;';
  if (declarations.split(open).length !== 2) throw new Error(`server/operate/testing.ts must have exactly one field with the type ${open}`);
  const schema = JSON.parse(configSchemaOutput().text);
  return `${declarations.replace(open, 'string | GatewayConfig;')}\n${new TypeWriter().writeDeclaration('GatewayConfig', schema)}`;
}

/** Builds the console and the portal from the current sources. Resolves with the paths of all bundled files. */
async function addPages(folder: string): Promise<readonly string[]> {
  const modules: string[] = [];
  for (const bundle of published) {
    modules.push(...(await buildBundle(bundle)));
    await cp(getOutputPath(bundle), join(folder, `client/pages/dist/${bundle}`), { recursive: true });
  }
  return modules;
}

const createManifest = (origin: Manifest): Manifest => ({
  name: 'modelgate',
  version,
  description,
  keywords: ['openai', 'llm', 'gateway', 'proxy', 'mock', 'testing'],
  license,
  ...origin,
  type: 'module',
  engines: { node: '>=22.21' },
  bin: { modelgate: 'dist/launch.js' },
  exports: { './testing': { types: './dist/testing.d.ts', default: './dist/testing.js' }, './package.json': './package.json' },
  typesVersions: { '*': { testing: ['./dist/testing.d.ts'] } },
  files: ['dist', 'docs', 'client', 'THIRD-PARTY-NOTICES'],
});

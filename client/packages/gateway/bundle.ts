/** Bundles the gateway with all that it depends on into chunks of plain JavaScript, beside each other in one folder. */
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'tsdown';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** What is started by its address: the command line, threads, and what a program of others imports. */
const entries = {
  launch: 'server/commands/launch.mjs',
  cli: 'server/cli.ts',
  testing: 'server/commands/testing-entry.mjs',
  'testing-gateway': 'server/testing.ts',
  writer: 'server/stores/writer.ts',
  'outbox-writer': 'server/storage/outbox/outbox-writer.ts',
  'estimator-worker': 'server/ledger/estimator-worker.ts',
  'heartbeat-worker': 'server/ledger/heartbeat-worker.ts',
  'reconcile-worker': 'server/ledger/sqlite/reconcile-worker.ts',
  'reader-worker': 'server/storage/sqlite/reader-worker.ts',
  'painter-worker': 'server/simulator/images/painter-worker.ts',
};

/** Dependencies in CommonJS ask for Node's modules by `require`, which a module has not. */
const banner = "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);\n";

const besideCode = /new URL\((['"`])([^'"`]+)\1,\s*import\.meta\.url\)/g;

/** Chunks lie in one folder, one level below the package: files of `docs/` and the built pages are beside that, and threads beside the chunk. */
export function moveAddresses(code: string): string {
  return code.replaceAll(
    besideCode,
    (_, quote: string, path: string) => `new URL(${quote}${placeInPackage(path)}${quote}, import.meta.url)`,
  );
}

function placeInPackage(path: string): string {
  if (path.endsWith('.ts')) return `./${basename(path, '.ts')}.js`;
  const above = /^(?:\.\.\/)+(docs\/.*|client\/console\/dist\/.*|package\.json)$/.exec(path);
  if (above === null) throw new Error(`Nobody knows where ${path} lies in the package.`);
  return `../${above[1]}`;
}

/** In what is ours; what others wrote about files of their own is cut off where it is bundled, and is looked at by hand. */
const addresses = {
  name: 'addresses',
  transform(code: string, id: string): string | null {
    return id.includes('/node_modules/') || !code.includes('import.meta.url') ? null : moveAddresses(code);
  },
};

/** Fills `folder`, and resolves with every file of others that went in, as absolute paths. */
export async function bundleGateway(folder: string): Promise<readonly string[]> {
  const modules = new Set<string>();
  const census = {
    name: 'census',
    generateBundle(_options: unknown, bundle: Readonly<Record<string, { readonly type: string; readonly moduleIds?: readonly string[] }>>) {
      for (const chunk of Object.values(bundle)) for (const id of chunk.moduleIds ?? []) modules.add(id);
    },
  };
  await build({
    cwd: root,
    entry: entries,
    outDir: folder,
    clean: false,
    format: 'esm',
    target: 'node22.19',
    platform: 'node',
    fixedExtension: false,
    hash: false,
    dts: false,
    deps: { alwaysBundle: [/.*/], onlyBundle: false },
    logLevel: 'error',
    outputOptions: { banner },
    plugins: [addresses, census],
    inputOptions: { checks: { bundlerTimings: false } },
  });
  return [...modules].filter((id) => id.includes('/node_modules/'));
}

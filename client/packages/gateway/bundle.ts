/** Bundles the gateway with all its dependencies into JavaScript chunks in one folder. */
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'tsdown';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Entry points: the command line, the worker threads, and the module that other programs import. */
const entries = {
  launch: 'server/commands/launch.mjs',
  cli: 'server/cli.ts',
  testing: 'server/commands/testing-entry.mjs',
  'testing-gateway': 'server/testing.ts',
  writer: 'server/stores/writer.ts',
  'outbox-writer': 'server/storage/outbox/outbox-writer.ts',
  'estimator-worker': 'server/ledger/estimator-worker.ts',
  'heartbeat-worker': 'server/ledger/heartbeat-worker.ts',
  'reconcile-worker': 'server/ledger/reconcile-worker.ts',
  'reader-worker': 'server/storage/sqlite/reader-worker.ts',
};

/** Defines `require`, which ES modules lack: dependencies in CommonJS load Node's modules with it. */
const banner = "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);\n";

/** A process keeps the text of all that it runs: without white space it is a quarter shorter, and in ASCII each character takes one byte. Names stay, for stack traces. */
const smaller = { compress: false, mangle: false, codegen: { removeWhitespace: true, asciiOnly: true } } as const;

const besideCode = /new URL\((['"`])([^'"`]+)\1,\s*import\.meta\.url\)/g;

/** Rewrites paths for the bundle: chunks lie in one folder, one level below the package; `docs/` and the built pages lie next to that folder, threads next to the chunk. */
export function moveAddresses(code: string): string {
  return code.replaceAll(
    besideCode,
    (_, quote: string, path: string) => `new URL(${quote}${placeInPackage(path)}${quote}, import.meta.url)`,
  );
}

function placeInPackage(path: string): string {
  if (path.endsWith('.ts')) return `./${basename(path, '.ts')}.js`;
  const above = /^(?:\.\.\/)+(docs\/.*|client\/pages\/dist\/.*|package\.json)$/.exec(path);
  if (above === null) throw new Error(`The place of ${path} in the package is unknown.`);
  return `../${above[1]}`;
}

/** Rewrites paths in the gateway's own files only. Paths in dependencies are checked by hand. */
const addresses = {
  name: 'addresses',
  transform(code: string, id: string): string | null {
    return id.includes('/node_modules/') || !code.includes('import.meta.url') ? null : moveAddresses(code);
  },
};

/** Writes the bundle into `folder`. Resolves with the absolute paths of all bundled files of dependencies. */
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
    outputOptions: { banner, minify: smaller },
    plugins: [addresses, census],
    // The main file of jsonc-parser finds its parts by a `require` that bundlers don't see.
    inputOptions: { checks: { bundlerTimings: false }, resolve: { alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' } } },
  });
  return [...modules].filter((id) => id.includes('/node_modules/'));
}

/** Bundles the gateway with all its dependencies into JavaScript chunks in one folder. */
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'tsdown';
import { createChunkNamer, type ModuleGraph, type Programs } from './chunk-namer.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

const threads = {
  writer: 'server/gateway/stores/writer.ts',
  'outbox-writer': 'server/store/outbox/outbox-writer.ts',
  'estimator-worker': 'server/money/estimator-worker.ts',
  'heartbeat-worker': 'server/money/heartbeat-worker.ts',
  'reconcile-worker': 'server/money/reconcile-worker.ts',
  'reader-worker': 'server/store/sqlite/reader-worker.ts',
};

/** Entry points: the command line, the worker threads, and the module that other programs import. */
const entries = {
  launch: 'server/operate/launch.mjs',
  cli: 'server/operate/cli.ts',
  testing: 'server/operate/testing-entry.mjs',
  'testing-gateway': 'server/operate/testing.ts',
  ...threads,
};

const COMMAND_LINE = 'server/operate/commands/command-line.ts';

const SERVE = 'server/operate/commands/serve.ts';

/** The parts that `serve` imports dynamically, except in a supervisor. */
const gatewayModules = [
  'server/gateway/gateway.ts',
  'server/gateway/stores/embedded.ts',
  'server/api/app.ts',
  'server/api/admin/lazy-listener.ts',
];

function listPrograms(graph: ModuleGraph): Programs {
  const serve = join(root, SERVE);
  const commandLine = join(root, COMMAND_LINE);
  const commands = graph.getModuleInfo(commandLine)?.dynamicallyImportedIds ?? [];
  return {
    cli: [commandLine],
    serve: [serve],
    gateway: gatewayModules.map((path) => join(root, path)),
    commands: commands.filter((id) => id !== serve),
    ...Object.fromEntries(Object.entries(threads).map(([name, path]) => [name, [join(root, path)]])),
  };
}

/** Defines `require`, which ES modules lack. CommonJS dependencies load Node's modules with it. */
const banner = "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);\n";

/**
 * Reduces memory, because a process keeps its source text: a quarter less without whitespace, and one byte per character in ASCII.
 * Names stay, for stack traces.
 */
const smaller = { compress: false, mangle: false, codegen: { removeWhitespace: true, asciiOnly: true } } as const;

const besideCode = /new URL\((['"`])([^'"`]+)\1,\s*import\.meta\.url\)/g;

/**
 * Rewrites paths for the bundle. All chunks and worker threads are in one folder, one level below the package root.
 * `docs/` and the built pages are next to that folder.
 */
export function rewriteUrls(code: string): string {
  return code.replaceAll(
    besideCode,
    (_, quote: string, path: string) => `new URL(${quote}${toPackagePath(path)}${quote}, import.meta.url)`,
  );
}

function toPackagePath(path: string): string {
  if (path.endsWith('.ts')) return `./${basename(path, '.ts')}.js`;
  const above = /^(?:\.\.\/)+(docs\/.*|client\/pages\/dist\/.*|package\.json)$/.exec(path);
  if (above === null) throw new Error(`The place of ${path} in the package is unknown.`);
  return `../${above[1]}`;
}

/** Rewrites paths only in the gateway's own files. Check paths in dependencies by hand. */
const addresses = {
  name: 'addresses',
  transform(code: string, id: string): string | null {
    return id.includes('/node_modules/') || !code.includes('import.meta.url') ? null : rewriteUrls(code);
  },
};

/** Escapes legal comments, which `asciiOnly` doesn't. One such character doubles the memory of a file's text. */
const escapeComments = {
  name: 'escape-comments',
  generateBundle(_options: unknown, bundle: Readonly<Record<string, { code?: string }>>) {
    for (const chunk of Object.values(bundle)) if (chunk.code !== undefined) chunk.code = escapeNonAscii(chunk.code);
  },
};

const escapeNonAscii = (code: string): string =>
  code.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

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
    target: 'node22.21',
    platform: 'node',
    fixedExtension: false,
    hash: false,
    dts: false,
    deps: { alwaysBundle: [/.*/], onlyBundle: false },
    logLevel: 'error',
    outputOptions: {
      banner,
      minify: smaller,
      codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: createChunkNamer(listPrograms) }] },
    },
    plugins: [addresses, census, escapeComments],
    // The main file of jsonc-parser loads its parts with a `require` that bundlers can't follow.
    inputOptions: { checks: { bundlerTimings: false }, resolve: { alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' } } },
  });
  return [...modules].filter((id) => id.includes('/node_modules/'));
}

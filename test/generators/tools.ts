/** The generators, each with what it takes to get from the document to a program that runs. */
import { symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generators, generatorsMissing, goGenerator, goGeneratorMissing } from '../harness/tools.ts';
import type { Workshop } from './stage.ts';

export interface Generator {
  readonly name: string;
  /** Files of `callers/`; the first is the program. */
  readonly callers: readonly [string, ...string[]];
  /** Why it cannot be tried here, or null. */
  readonly missing: string | null;
  generate(shop: Workshop): Promise<unknown>;
  /** Compiles all that was generated, whether somebody uses it or not, and the callers with it. */
  build(shop: Workshop): Promise<unknown>;
  /** Runs the program; what it prints. */
  call(shop: Workshop): Promise<string>;
}

const packages = join(import.meta.dirname, '../../node_modules');
const node = (shop: Workshop, file: string, ...args: readonly string[]) => shop.run(process.execPath, [join(packages, file), ...args]);
const python = (shop: Workshop, ...args: readonly string[]) => shop.run(generators.program, args);
/** openapi-generator is a program in Java that a package of Python brings along. */
const startJava = 'import sys, openapi_generator_cli as java; java.run(sys.argv[1:]).check_returncode()';
const java = (shop: Workshop, ...args: readonly string[]) =>
  python(
    shop,
    '-c',
    startJava,
    'generate',
    '-i',
    shop.document,
    '--global-property=apiTests=false,modelTests=false,apiDocs=false,modelDocs=false',
    ...args,
  );

const compilerOptions = {
  strict: true,
  target: 'es2024',
  lib: ['es2024', 'dom', 'dom.iterable'],
  types: ['node'],
  skipLibCheck: true,
  module: 'nodenext',
  rewriteRelativeImportExtensions: true,
  outDir: 'built',
  rootDir: '.',
};

/** A project of somebody who uses the packages that this one has. */
function layProject({ folder }: Workshop): void {
  symlinkSync(packages, join(folder, 'node_modules'), 'dir');
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts', 'generated'] }));
}

function inTypeScript(name: string, caller: string, generate: Generator['generate']): Generator {
  return {
    name,
    callers: [caller, 'surroundings.ts'],
    missing: null,
    generate(shop) {
      layProject(shop);
      return generate(shop);
    },
    build: (shop) => node(shop, 'typescript/bin/tsc', '-p', shop.folder),
    call: (shop) => shop.run(process.execPath, [join(shop.folder, 'built', caller.replace(/ts$/, 'js'))]),
  };
}

const loadAll = [
  'import importlib, pkgutil, generated',
  "for each in pkgutil.walk_packages(getattr(generated, '__path__', []), 'generated.'): importlib.import_module(each.name)",
].join('\n');

function inPython(name: string, caller: string, generate: Generator['generate']): Generator {
  return {
    name,
    callers: [caller],
    missing: generatorsMissing,
    generate,
    build: (shop) => python(shop, '-c', loadAll),
    call: (shop) => python(shop, caller),
  };
}

const goEnv = { GOMODCACHE: join(goGenerator.folder, 'modules'), GOPROXY: 'off', GOTOOLCHAIN: 'local' };

const inGo: Generator = {
  name: 'oapi-codegen',
  callers: ['go/main.go', 'go/go.mod', 'go/go.sum'],
  missing: goGeneratorMissing,
  generate: (shop) =>
    shop.run(goGenerator.program, ['-generate', 'types,client', '-package', 'generated', '-o', 'generated/generated.go', shop.document]),
  build: (shop) => shop.run('go', ['build', './...'], goEnv),
  call: (shop) => shop.run('go', ['run', '.'], goEnv),
};

export const allGenerators: readonly Generator[] = [
  inTypeScript('openapi-typescript and openapi-fetch', 'openapi-fetch.ts', (shop) =>
    node(shop, 'openapi-typescript/bin/cli.js', shop.document, '-o', 'generated/types.ts'),
  ),
  inTypeScript('hey-api', 'hey-api.ts', (shop) =>
    node(shop, '@hey-api/openapi-ts/bin/run.js', '-i', shop.document, '-o', 'generated', '-c', '@hey-api/client-fetch', '--no-log-file'),
  ),
  {
    ...inTypeScript('openapi-generator for TypeScript', 'typescript-fetch.ts', (shop) =>
      java(shop, '-g', 'typescript-fetch', '-o', 'generated', '--additional-properties=importFileExtension=.js'),
    ),
    missing: generatorsMissing,
  },
  inPython('openapi-generator for Python', 'openapi_generator.py', (shop) =>
    java(shop, '-g', 'python', '-o', '.', '--package-name', 'generated'),
  ),
  inPython('openapi-python-client', 'python_client.py', async (shop) => {
    const settings = join(dirname(shop.document), 'settings.json');
    writeFileSync(settings, JSON.stringify({ post_hooks: [] }));
    const order = [
      'generate',
      '--path',
      shop.document,
      '--output-path',
      'generated',
      '--meta',
      'none',
      '--overwrite',
      '--config',
      settings,
    ];
    return await python(shop, '-m', 'openapi_python_client', ...order, '--fail-on-warning');
  }),
  inPython('datamodel-code-generator', 'datamodel.py', (shop) =>
    python(
      shop,
      ...['-m', 'datamodel_code_generator', '--input', shop.document, '--input-file-type', 'openapi', '--output', 'generated.py'],
      // Without this strategy the codes of errors are called by a number, and by another one after each change of the document.
      ...['--output-model-type', 'pydantic_v2.BaseModel', '--naming-strategy', 'parent-prefixed', '--formatters', 'builtin'],
    ),
  ),
  inGo,
];

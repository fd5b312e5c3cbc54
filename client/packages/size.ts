/** Measures what a package adds to an app in a browser: bytes after the app's bundler has minified it, and gzipped. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'tsdown';

export interface Size {
  readonly plain: number;
  readonly gzipped: number;
}

/** `file`: the module that the app imports these names from. `without`: packages that aren't counted. */
export async function sizeOf(file: string, names: readonly string[], without: readonly string[] = []): Promise<Size> {
  const work = mkdtempSync(join(tmpdir(), 'modelgate-app-'));
  const lines = [`import { ${names.join(', ')} } from '${file}';`, ...names.map((name) => `console.log(${name});`)];
  writeFileSync(join(work, 'package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(join(work, 'app.js'), lines.join('\n'));
  await build({
    cwd: work,
    config: false,
    entry: ['app.js'],
    outDir: 'out',
    platform: 'browser',
    minify: true,
    dts: false,
    deps: { neverBundle: [...without] },
    logLevel: 'error',
  });
  const code = readFileSync(join(work, 'out/app.js'));
  rmSync(work, { recursive: true });
  return { plain: code.length, gzipped: gzipSync(code, { level: 9 }).length };
}

/** Of the contract's package: its module, the names, and the most gzipped bytes, without zod. */
const parts: Readonly<Record<string, readonly [module: string, names: readonly string[], budget: number]>> = {
  errorTable: ['errors', ['errorTable'], 5_000],
  'errorTable from the package': ['index', ['errorTable'], 5_000],
  routes: ['routes', ['routes'], 3_000],
  listModels: ['index', ['ModelList'], 12_000],
  // More than half is descriptions, and it has the most fields by far.
  createResponse: ['index', ['ResponseRequest', 'ModelResponse', 'ResponseStreamEvent'], 16_000],
  createChatCompletion: ['index', ['ChatCompletionRequest', 'ChatCompletion', 'ChatCompletionChunk'], 12_000],
  generateImages: ['index', ['ImageGenerationRequest', 'ImageList', 'ImageGenerationEvent'], 12_000],
  editImages: ['index', ['ImageEditRequest', 'ImageEditForm', 'ImageList', 'ImageEditEvent'], 12_000],
};

export interface Measured {
  readonly name: string;
  readonly gzipped: number;
  readonly budget: number;
}

/** The schemas of each operation, and the modules without schemas. `folder`: of the package. */
export async function sizesOfContract(folder: string): Promise<readonly Measured[]> {
  const measured: Measured[] = [];
  for (const [name, [module, names, budget]] of Object.entries(parts)) {
    const { gzipped } = await sizeOf(join(folder, `dist/${module}.js`), names, ['zod']);
    measured.push({ name, gzipped, budget });
  }
  return measured;
}

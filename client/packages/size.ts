/** Measures how much a package adds to a browser app: minified bytes, plain and gzipped. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'tsdown';

/** `file` is the module that the app imports `names` from. `without` lists packages that aren't counted. */
export async function measureSize(
  file: string,
  names: readonly string[],
  without: readonly string[] = [],
): Promise<{ plain: number; gzipped: number }> {
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

/** Measured imports of the contract package. The budget is the maximum of gzipped bytes, without zod. */
const parts: Readonly<Record<string, readonly [module: string, names: readonly string[], budget: number]>> = {
  errorTable: ['errors', ['errorTable'], 5_000],
  'errorTable from the package': ['index', ['errorTable'], 5_000],
  routes: ['routes', ['routes'], 3_000],
  listModels: ['index', ['ModelList'], 12_000],
  // It has the most fields by far, and more than half of its size is descriptions.
  createResponse: ['index', ['ResponseRequest', 'ModelResponse', 'ResponseStreamEvent'], 16_000],
  createChatCompletion: ['index', ['ChatCompletionRequest', 'ChatCompletion', 'ChatCompletionChunk'], 12_000],
  generateImages: ['index', ['ImageGenerationRequest', 'ImageList', 'ImageGenerationEvent'], 12_000],
  editImages: ['index', ['ImageEditRequest', 'ImageEditForm', 'ImageList', 'ImageEditEvent'], 12_000],
};

export interface MeasuredSize {
  readonly name: string;
  readonly gzipped: number;
  readonly budget: number;
}

/** Measures the schemas of each operation, and the modules without schemas. `folder` is the package folder. */
export async function measureContractSizes(folder: string): Promise<readonly MeasuredSize[]> {
  const measured: MeasuredSize[] = [];
  for (const [name, [module, names, budget]] of Object.entries(parts)) {
    const { gzipped } = await measureSize(join(folder, `dist/${module}.js`), names, ['zod']);
    measured.push({ name, gzipped, budget });
  }
  return measured;
}

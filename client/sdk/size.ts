/** Prints the size of the package and whether its users can load it; fails over the budget (`node client/sdk/size.ts`). */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { publint } from 'publint';
import { build } from 'tsdown';
import { packPackage } from '../packages/client.ts';

/** The most bytes that the client may add to an app, minified by the app's bundler and gzipped. */
const BUDGET_BYTES = 4_200;

/** The imports of the readme's first sample. They include every method and error, because a bundler keeps a class whole. */
const app = ['Modelgate', 'outputText'];
/** Single exports whose size is printed too. */
const helpers = ['chatText', 'extraOf', 'withExtra', 'finalCompletion', 'parse', 'jsonSchemaOf', 'runTools'];

const attw = fileURLToPath(new URL('../../node_modules/.bin/attw', import.meta.url));
const print = (what: string, result: string) => console.log(`${what.padEnd(32)}${result}`);

/** Minified and gzipped bytes of an app that imports these names from the package. */
async function weighApp(folder: string, names: readonly string[]): Promise<{ readonly plain: number; readonly gzipped: number }> {
  const work = mkdtempSync(join(folder, 'app-'));
  const lines = [
    `import { ${names.join(', ')} } from '${join(folder, 'package/dist/index.js')}';`,
    ...names.map((name) => `console.log(${name});`),
  ];
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
    logLevel: 'error',
  });
  const code = readFileSync(join(work, 'out/app.js'));
  return { plain: code.length, gzipped: gzipSync(code, { level: 9 }).length };
}

async function weighClient(folder: string): Promise<boolean> {
  const { plain, gzipped } = await weighApp(folder, app);
  print('an app with the client', `${plain} bytes minified, ${gzipped} gzipped`);
  for (const helper of helpers)
    print(`with ${helper}`, `${(await weighApp(folder, [...app, helper])).gzipped - gzipped} bytes more, gzipped`);
  const isWithin = gzipped <= BUDGET_BYTES;
  print('budget, minified and gzipped', `${gzipped} of ${BUDGET_BYTES} bytes${isWithin ? '' : ': TOO MUCH'}`);
  return isWithin;
}

async function checkPackage(folder: string): Promise<boolean> {
  const { messages } = await publint({ pkgDir: folder, strict: true });
  print('publint', messages.length === 0 ? 'clean' : JSON.stringify(messages, null, 2));
  return messages.length === 0;
}

function checkTypes(tarball: string): boolean {
  try {
    execFileSync(attw, [tarball, '--format', 'ascii', '--no-color'], { encoding: 'utf8', stdio: 'pipe' });
    print('attw', 'clean');
    return true;
  } catch (error) {
    // execFileSync throws an error that carries the output of the command.
    print('attw', String((error as { stdout?: unknown }).stdout || error));
    return false;
  }
}

const scratch = mkdtempSync(join(tmpdir(), 'modelgate-client-'));
try {
  const folder = join(scratch, 'package');
  const tarball = await packPackage(folder);
  const checks = [await weighClient(scratch), await checkPackage(folder), checkTypes(tarball)];
  if (checks.includes(false)) process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

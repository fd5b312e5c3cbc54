/** Prints what the package weighs and whether its users can load it; fails over the budget (`node client/size.ts`). */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { publint } from 'publint';
import { buildMinified, packPackage } from './assemble.ts';

/** Most that the minified ESM bundle may weigh, as a user's bundler would ship it. */
const BUDGET_BYTES = 4_096;

const attw = fileURLToPath(new URL('../node_modules/.bin/attw', import.meta.url));
const print = (what: string, result: string) => console.log(`${what.padEnd(32)}${result}`);

function weigh(folder: string, kind: string): number {
  const weights = Object.entries({ ESM: 'index.js', CommonJS: 'index.cjs' }).map(([format, name]) => {
    const code = readFileSync(join(folder, name));
    const gzipped = gzipSync(code, { level: 9 }).length;
    print(`${format}, ${kind}`, `${code.length} bytes, ${gzipped} gzipped`);
    return gzipped;
  });
  return weights[0] ?? Number.NaN;
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
  await buildMinified(join(scratch, 'minified'));
  weigh(join(folder, 'dist'), 'as published');
  const bytes = weigh(join(scratch, 'minified'), 'minified');
  const isWithin = bytes <= BUDGET_BYTES;
  print('budget, minified ESM gzipped', `${bytes} of ${BUDGET_BYTES} bytes${isWithin ? '' : ': TOO MUCH'}`);
  const checks = [isWithin, await checkPackage(folder), checkTypes(tarball)];
  if (checks.includes(false)) process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** Prints the download size of a first visit to the console and the portal. Fails if it exceeds the budgets (`npm run client:size`). */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildBundle } from './build.ts';
import { getOutputPath, published } from './bundles.ts';

/** Maximum gzipped bytes of HTML, scripts, styles, and font. The font alone takes 48,300. */
export const BUDGET_BYTES = { operator: 200_000, portal: 158_300 } as const;

/** Files that `index.html` refers to, which are loaded before any click. */
export function listFirstLoad(folder: string): readonly string[] {
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const named = [...page.matchAll(/(?:src|href)="\/\w+\/(assets\/[^"]+)"/g)].map(([, path = '']) => path);
  return ['index.html', ...named];
}

export const computeSize = (folder: string): number =>
  listFirstLoad(folder).reduce((sum, path) => sum + gzipSync(readFileSync(join(folder, path)), { level: 9 }).length, 0);

if (import.meta.main) {
  for (const bundle of published) {
    const folder = getOutputPath(bundle);
    if (!existsSync(folder)) await buildBundle(bundle);
    const [bytes, budget] = [computeSize(folder), BUDGET_BYTES[bundle]];
    console.log(`${`first load of the ${bundle}`.padEnd(32)}${bytes} of ${budget} bytes${bytes <= budget ? '' : ': TOO MUCH'}`);
    if (bytes > budget) process.exitCode = 1;
  }
}

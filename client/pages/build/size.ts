/** Prints what a first visit of the console and of the portal downloads, and fails over the budgets (`npm run client:size`). */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildBundle } from './build.ts';
import { getOutputPath, published } from './bundles.ts';

/** Most bytes of HTML, script, style and typeface together, gzipped. The typeface has 48,300 of them. */
export const BUDGET_BYTES = { operator: 200_000, portal: 158_300 } as const;

/** Files that `index.html` names: what is loaded before anything was clicked. */
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

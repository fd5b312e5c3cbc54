/** `npm run pages`: builds the pages into client/console/dist. With names of bundles it builds these alone. */
import { build } from 'vite';
import { type Bundle, bundles, configOf, outputOf, published } from './bundles.ts';
import { compressFolder } from './compress.ts';

const isBundle = (name: string): name is Bundle => name in bundles;

export async function buildBundle(bundle: Bundle): Promise<void> {
  // Vite would take another value of the environment, and React its slow and large half.
  process.env.NODE_ENV = 'production';
  await build(configOf(bundle));
  compressFolder(outputOf(bundle));
}

if (import.meta.main) {
  const named = process.argv.slice(2).filter(isBundle);
  for (const bundle of named.length > 0 ? named : published) await buildBundle(bundle);
}

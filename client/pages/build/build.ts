/** `npm run pages`: builds the pages into client/pages/dist. With names of bundles it builds these alone. */
import { build } from 'vite';
import { type Bundle, bundles, createViteConfig, getOutputPath, published } from './bundles.ts';
import { compressFolder } from './compress.ts';

const isBundle = (name: string): name is Bundle => name in bundles;

/** Builds a bundle, and resolves with the paths of all files that went into it, those of libraries too. */
export async function buildBundle(bundle: Bundle): Promise<readonly string[]> {
  const { NODE_ENV } = process.env;
  // Vite would take another value of the environment, and React its slow and large half.
  process.env.NODE_ENV = 'production';
  try {
    const results = [await build(createViteConfig(bundle))].flat();
    compressFolder(getOutputPath(bundle));
    return results.flatMap((result) =>
      'output' in result ? result.output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : [])) : [],
    );
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  }
}

if (import.meta.main) {
  const named = process.argv.slice(2).filter(isBundle);
  for (const bundle of named.length > 0 ? named : published) await buildBundle(bundle);
}

/** `npm run pages`: builds the pages into client/pages/dist. With bundle names, it builds only these. */
import { build } from 'vite';
import { type Bundle, bundles, createViteConfig, getOutputPath, published } from './bundles.ts';
import { compressFolder } from './compress.ts';

const isBundle = (name: string): name is Bundle => name in bundles;

/** Builds a bundle, and resolves with the paths of all bundled files, including those of libraries. */
export async function buildBundle(bundle: Bundle): Promise<readonly string[]> {
  const { NODE_ENV } = process.env;
  // Vite would otherwise use the environment's value, and React its large, slow development build.
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

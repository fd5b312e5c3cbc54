/** How the client's package is built: the client, and the helper for moving from chat to responses, each for ESM and CommonJS with types. */
import { basename } from 'node:path';
import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: { index: 'src/index.ts', migrate: 'src/migrate.ts' },
  format: ['esm', 'cjs'],
  target: 'es2022',
  platform: 'neutral',
  dts: { sourcemap: false, compilerOptions: { stripInternal: true } },
  // Readable as it is, with the sources beside it: a stack leads to a line, and whoever ships it to a browser has a minifier of his own.
  minify: false,
  sourcemap: true,
  // The same bytes wherever it is built.
  outputOptions: { sourcemapPathTransform: (source) => `../src/${basename(source)}` },
  // What the two share is types alone; its file keeps its name from one version to the next.
  hash: false,
  // Which part of the build took long is nobody's concern here.
  inputOptions: { checks: { bundlerTimings: false } },
});

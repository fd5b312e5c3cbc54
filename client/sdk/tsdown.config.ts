/** Builds the client's package: the client, and the helper for moving from chat to responses, each for ESM and CommonJS with types. */
import { basename } from 'node:path';
import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: { index: 'src/index.ts', migrate: 'src/migrate.ts' },
  format: ['esm', 'cjs'],
  target: 'es2022',
  platform: 'neutral',
  dts: { sourcemap: false, compilerOptions: { stripInternal: true } },
  // Not minified, and with source maps, so that stack traces name lines. Apps for browsers minify it themselves.
  minify: false,
  sourcemap: true,
  // Makes the build reproducible: the output has the same bytes on every machine.
  outputOptions: { sourcemapPathTransform: (source) => `../src/${basename(source)}` },
  // The two entries share only types. The shared file has the same name in every version.
  hash: false,
  // Hides the report of build times.
  inputOptions: { checks: { bundlerTimings: false } },
});

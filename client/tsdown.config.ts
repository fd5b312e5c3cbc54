/** How the client's package is built: one file each for ESM and CommonJS, with their types. */
import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: 'src/index.ts',
  format: ['esm', 'cjs'],
  target: 'es2022',
  platform: 'neutral',
  dts: { compilerOptions: { stripInternal: true } },
  // Readers have the types, with their comments, and the sources; what runs is kept under 4 kB gzipped.
  minify: true,
});

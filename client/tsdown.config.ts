/** How the client's package is built: one file each for ESM and CommonJS, with their types. */
import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: 'src/index.ts',
  format: ['esm', 'cjs'],
  target: 'es2022',
  platform: 'neutral',
  dts: { compilerOptions: { stripInternal: true } },
  // Comments are for readers of the types; the code that runs goes without.
  outputOptions: { comments: false },
});

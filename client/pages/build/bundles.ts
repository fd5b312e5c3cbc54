/** Defines the bundles: one source, three bundles, each with its own base URL. The kit page is built only for tests. */
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import type { InlineConfig } from 'vite';
import { createContractModules } from './contract-modules.ts';

export const bundles = {
  operator: { folder: 'operator', base: '/console/' },
  portal: { folder: 'portal', base: '/portal/' },
  kit: { folder: 'kit-page', base: '/kit/' },
} as const;
export type Bundle = keyof typeof bundles;

/** Built by `prepare`, served by the gateway. */
export const published = ['operator', 'portal'] as const satisfies readonly Bundle[];

const resolvePath = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** The folder that a bundle is written to. */
export const getOutputPath = (bundle: Bundle): string => resolvePath(`dist/${bundle}`);

/** Vite settings for a bundle. Nothing is inlined, because the pages' content security policy allows only files of the same origin. */
export function createViteConfig(bundle: Bundle): InlineConfig {
  const { folder, base } = bundles[bundle];
  return {
    configFile: false,
    root: resolvePath(`src/${folder}`),
    base,
    publicDir: false,
    logLevel: 'warn',
    plugins: [react(), createContractModules()],
    build: {
      outDir: getOutputPath(bundle),
      emptyOutDir: true,
      // Browsers with `light-dark()`, popovers, and CSS anchors.
      target: 'baseline-widely-available',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
  };
}

/** `npm run dev -w modelgate-pages`: serves the kit page, or with MODELGATE_PAGES=operator the console, in front of a local gateway. */
import { defineConfig } from 'vite';
import { type Bundle, bundles, createViteConfig } from './build/bundles.ts';

const named = process.env.MODELGATE_PAGES ?? 'kit';
const bundle: Bundle = named in bundles ? (named as Bundle) : 'kit'; // `as`: it was just looked up.
const gateway = process.env.MODELGATE_ORIGIN ?? 'http://127.0.0.1:8081';

export default defineConfig({
  ...createViteConfig(bundle),
  server: { proxy: { '/admin': gateway, '/portal/v1': gateway, '/catalog': gateway } },
});

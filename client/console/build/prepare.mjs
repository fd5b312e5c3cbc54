/** What `npm ci` runs (`prepare`): builds the pages and the documentation where Vite and a recent Node are, and otherwise says so and ends well. */
const missing = await whatIsMissing();
if (missing === undefined) {
  const [{ buildBundle }, { published }] = await Promise.all([import('./build.ts'), import('./bundles.ts')]);
  for (const bundle of published) await buildBundle(bundle);
  const { buildSites } = await import('../../../docs/site/build.ts');
  await buildSites();
} else console.log(`The pages were not built: ${missing}. \`npm run pages\` and \`npm run docs\` build them.`);

async function whatIsMissing() {
  if (!process.features.typescript) return `Node ${process.versions.node} does not run TypeScript`;
  try {
    await Promise.all([import('vite'), import('@vitejs/plugin-react'), import('@11ty/eleventy')]);
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    return 'Vite or Eleventy is not installed';
  }
}

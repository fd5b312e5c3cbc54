/** What `npm ci` runs (`prepare`): builds the pages where Vite and a recent Node are, and otherwise says so and ends well. */
const missing = await whatIsMissing();
if (missing === undefined) {
  const [{ buildBundle }, { published }] = await Promise.all([import('./build.ts'), import('./bundles.ts')]);
  for (const bundle of published) await buildBundle(bundle);
} else console.log(`The pages were not built: ${missing}. \`npm run pages\` builds them.`);

async function whatIsMissing() {
  if (!process.features.typescript) return `Node ${process.versions.node} does not run TypeScript`;
  try {
    await Promise.all([import('vite'), import('@vitejs/plugin-react')]);
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    return 'Vite is not installed';
  }
}

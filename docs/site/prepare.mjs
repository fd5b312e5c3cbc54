/** What `npm ci` runs (`prepare`): builds the documentation where Eleventy and a recent Node are, and otherwise says so and ends well. */
const missing = await whatIsMissing();
if (missing === undefined) {
  const { buildSites } = await import('./build.ts');
  await buildSites();
} else console.log(`The documentation was not built: ${missing}. \`npm run docs\` builds it.`);

async function whatIsMissing() {
  if (!process.features.typescript) return `Node ${process.versions.node} does not run TypeScript`;
  try {
    await import('@11ty/eleventy');
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    return 'Eleventy is not installed';
  }
}

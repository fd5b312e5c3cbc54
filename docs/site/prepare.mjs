/** Builds the documentation after `npm ci` (`prepare` script). Without Eleventy or a recent Node, it prints the reason and succeeds. */
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

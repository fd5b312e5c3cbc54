/**
 * `npm run pack`: packs the published packages into dist/packages.
 * Options: `--repository ADDRESS`, `--to FOLDER`, `--measure`, and package names.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { drawGateway } from './measure.ts';
import { getRecipe, recipes } from './recipes.ts';
import { packRecipe } from './tarball.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { repository: { type: 'string' }, to: { type: 'string' }, measure: { type: 'boolean' } },
});
const to = values.to ?? fileURLToPath(new URL('../../dist/packages', import.meta.url));
const chosen = positionals.length === 0 ? recipes : positionals.map(getRecipe);
const formatKilobytes = (bytes: number): string => `${Math.ceil(bytes / 1_000)} kB`;

for (const recipe of chosen) {
  const { filename, size, unpackedSize } = await packRecipe(recipe, { to, repository: values.repository });
  console.log(
    `${recipe.name.padEnd(22)} ${formatKilobytes(size).padStart(9)} packed, ${formatKilobytes(unpackedSize).padStart(9)} unpacked  ${to}/${filename}`,
  );
}
if (values.repository === undefined) console.log('The manifests name no repository: --repository https://github.com/OWNER/REPO');
if (values.measure) for (const row of await drawGateway(to)) console.log(row);

/** Fields that all published manifests share. The build writes manifests because the root's package.json names workspaces, tools and a Node that users do not need. */
import { readFileSync } from 'node:fs';

export type Manifest = Readonly<Record<string, unknown>>;

interface RootManifest {
  readonly version: string;
  readonly license: string;
  readonly description: string;
}

const root: RootManifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
export const { version, license, description } = root;

/**
 * Fields that name the repository of a package; npm accepts a provenance only for a package that names its repository. Empty without an
 * address. `address`: `https://github.com/OWNER/REPO`.
 */
export function originOf(address: string | undefined, directory?: string): Manifest {
  if (address === undefined) return {};
  const web = address.replace(/^git\+/, '').replace(/\.git$/, '');
  return {
    repository: { type: 'git', url: `git+${web}.git`, ...(directory !== undefined && { directory }) },
    homepage: `${web}#readme`,
    bugs: { url: `${web}/issues` },
  };
}

/** The `exports` entry of one module, for `import` and for `require`, each with its types. */
export const bothKinds = (name: string) => ({
  import: { types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` },
  require: { types: `./dist/${name}.d.cts`, default: `./dist/${name}.cjs` },
});

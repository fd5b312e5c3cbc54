/** What all manifests say alike. The build writes them, for the root's own names workspaces, tools and a Node that no user needs. */
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
 * Where a package comes from: npm takes a provenance only for one that names its repository. Empty where no address is given, as nobody
 * knows from where a copy is published. `address`: `https://github.com/OWNER/REPO`.
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

/** One module of a package for `import` and for `require`, each with its types. */
export const bothKinds = (name: string) => ({
  import: { types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` },
  require: { types: `./dist/${name}.d.cts`, default: `./dist/${name}.cjs` },
});

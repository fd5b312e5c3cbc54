/**
 * Fields that all published manifests share. The root's package.json isn't published: it has workspaces, tools, and a Node version that
 * users don't need.
 */
import { readFileSync } from 'node:fs';

export type Manifest = Readonly<Record<string, unknown>>;

const root: { version: string; license: string; description: string } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);
export const { version, license, description } = root;

/**
 * Returns the manifest fields with the repository URL. npm accepts provenance only for packages that name their repository.
 * `address` is `https://github.com/OWNER/REPO`. Without it, the result is empty.
 */
export function toRepositoryFields(address: string | undefined, directory?: string): Manifest {
  if (address === undefined) return {};
  const web = address.replace(/^git\+/, '').replace(/\.git$/, '');
  return {
    repository: { type: 'git', url: `git+${web}.git`, ...(directory !== undefined && { directory }) },
    homepage: `${web}#readme`,
    bugs: { url: `${web}/issues` },
  };
}

/** Returns the `exports` entry of a module: `import` and `require`, each with its types. */
export const toModuleExports = (name: string) => ({
  import: { types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` },
  require: { types: `./dist/${name}.d.cts`, default: `./dist/${name}.cjs` },
});

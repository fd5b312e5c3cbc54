/** Builds `@modelgate/client` in a separate folder, as it would be published, so that the build doesn't overwrite files in use. */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'tsdown';

const here = fileURLToPath(new URL('../sdk', import.meta.url));
const run = promisify(execFile);

/** Copies and builds the package into `folder`. `origin` has the manifest fields with the repository URL. */
export async function assemblePackage(folder: string, origin: Readonly<Record<string, unknown>> = {}): Promise<void> {
  await mkdir(folder, { recursive: true });
  await build({ cwd: here, outDir: join(folder, 'dist'), logLevel: 'error' });
  await Promise.all(['README.md', 'LICENSE'].map((name) => copyFile(join(here, name), join(folder, name))));
  // Omits the scripts: they would build the package again, and need the tools of this repository.
  const { scripts: _scripts, ...manifest } = JSON.parse(await readFile(join(here, 'package.json'), 'utf8'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ ...manifest, ...origin }, null, 2));
}

/** Builds and packs the package in `folder`. Resolves with the path of the tarball. */
export async function packPackage(folder: string): Promise<string> {
  await assemblePackage(folder);
  await run('npm', ['pack', '--pack-destination', folder], { cwd: folder });
  const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz'));
  if (tarball === undefined) throw new Error('npm pack made no tarball.');
  return join(folder, tarball);
}

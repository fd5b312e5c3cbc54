/** Puts the package together in a folder of its own, as it would be published, so that nothing in use is overwritten (specification part 4). */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'tsdown';

const here = fileURLToPath(new URL('.', import.meta.url));
const run = promisify(execFile);

/**
 * Fills `folder` with the package and packs it there. Resolves with the path of the tarball. npm takes a provenance only
 * for a package that names the repository it comes from, and a copy of this one is published from elsewhere.
 */
export async function packPackage(folder: string, repository?: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await build({ cwd: here, outDir: join(folder, 'dist'), logLevel: 'error' });
  await Promise.all(['README.md', 'LICENSE'].map((name) => copyFile(join(here, name), join(folder, name))));
  // Its scripts build it, which has just been done, and need the tools of this repository.
  const { scripts: _scripts, ...manifest } = JSON.parse(await readFile(join(here, 'package.json'), 'utf8'));
  const origin = repository === undefined ? {} : { repository: { type: 'git', url: repository, directory: 'client' } };
  await writeFile(join(folder, 'package.json'), JSON.stringify({ ...manifest, ...origin }, null, 2));
  await run('npm', ['pack', '--pack-destination', folder], { cwd: folder });
  const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz'));
  if (tarball === undefined) throw new Error('npm pack made no tarball.');
  return join(folder, tarball);
}

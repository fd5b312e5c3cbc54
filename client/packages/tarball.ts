/** Packs a package as a reproducible tarball: its bytes are the same on every machine. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { assembleAt, type Recipe } from './recipes.ts';

const run = promisify(execFile);

/** The report of `npm pack --json` about a tarball. */
export interface PackResult {
  readonly name: string;
  readonly filename: string;
  /** Size of the tarball in bytes. */
  readonly size: number;
  /** Total size of its files in bytes. */
  readonly unpackedSize: number;
}

export interface PackOptions {
  /** Output folder. Created if it doesn't exist. */
  readonly to: string;
  /** Repository URL for the manifests. */
  readonly repository?: string | undefined;
}

export async function packRecipe(recipe: Recipe, { to, repository }: PackOptions): Promise<PackResult> {
  const folder = await mkdtemp(join(tmpdir(), 'modelgate-pack-'));
  try {
    await assembleAt(recipe, folder, repository);
    await mkdir(to, { recursive: true });
    const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', to], {
      cwd: folder,
      maxBuffer: 64 * 1024 * 1024,
    });
    const packed: PackResult = Object.values<PackResult>(JSON.parse(stdout))[0] ?? throwFailed(recipe);
    return packed;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function throwFailed({ name }: Recipe): never {
  throw new Error(`npm pack made no tarball of ${name}.`);
}

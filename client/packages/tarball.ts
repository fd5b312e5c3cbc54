/** Packs a package as a tarball. The bytes are the same on every machine. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { assembleAt, type Recipe } from './recipes.ts';

const run = promisify(execFile);

/** What `npm pack --json` reports about a tarball. */
export interface Packed {
  readonly name: string;
  readonly filename: string;
  /** Bytes of the tarball. */
  readonly size: number;
  /** Bytes of the files in it. */
  readonly unpackedSize: number;
}

export interface PackOrder {
  /** Folder of the tarball; created when it is missing. */
  readonly to: string;
  /** Address of the repository, written into the manifests. */
  readonly repository?: string | undefined;
}

export async function packRecipe(recipe: Recipe, { to, repository }: PackOrder): Promise<Packed> {
  const folder = await mkdtemp(join(tmpdir(), 'modelgate-pack-'));
  try {
    await assembleAt(recipe, folder, repository);
    await mkdir(to, { recursive: true });
    const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', to], {
      cwd: folder,
      maxBuffer: 64 * 1024 * 1024,
    });
    const packed: Packed = Object.values<Packed>(JSON.parse(stdout))[0] ?? failed(recipe);
    return packed;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function failed({ name }: Recipe): never {
  throw new Error(`npm pack made no tarball of ${name}.`);
}

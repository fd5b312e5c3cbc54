/** Lists every published package, in the order in which they must be published: each after the packages that it needs. */
import { assemblePackage } from './client.ts';
import { assembleContract } from './contract.ts';
import { assembleGateway } from './gateway.ts';
import { type Manifest, originOf } from './manifest.ts';
import { assembleTrpc } from './trpc.ts';

export interface Recipe {
  readonly name: string;
  /** Folder of the package in the repository. Absent: the whole repository. */
  readonly directory?: string;
  /** Writes all files of the package, with its manifest, into a folder. `origin`: fields of the manifest with the address of the repository. */
  readonly assemble: (folder: string, origin: Manifest) => Promise<void>;
}

export const recipes: readonly Recipe[] = [
  { name: '@modelgate/contract', directory: 'contract', assemble: assembleContract },
  { name: '@modelgate/trpc', directory: 'server/trpc', assemble: assembleTrpc },
  { name: '@modelgate/client', directory: 'client/sdk', assemble: assemblePackage },
  { name: 'modelgate', assemble: assembleGateway },
];

/** The recipe of a package. Throws when no package has that name. */
export function recipeOf(name: string): Recipe {
  const found = recipes.find((recipe) => recipe.name === name);
  if (found === undefined) throw new RangeError(`Package ${name} not found. Packages: ${recipes.map((recipe) => recipe.name).join(', ')}.`);
  return found;
}

export const assembleAt = ({ assemble, directory }: Recipe, folder: string, repository: string | undefined): Promise<void> =>
  assemble(folder, originOf(repository, directory));

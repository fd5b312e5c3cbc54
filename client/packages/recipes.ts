/** Lists every published package in publishing order: each one after the packages it needs. */
import { assemblePackage } from './client.ts';
import { assembleContract } from './contract.ts';
import { assembleGateway } from './gateway.ts';
import { type Manifest, toRepositoryFields } from './manifest.ts';
import { assembleTrpc } from './trpc.ts';

export interface Recipe {
  readonly name: string;
  /** Folder of the package in the repository. Omitted if the package is the whole repository. */
  readonly directory?: string;
  /** Writes the package with its manifest into a folder. `origin` has the manifest fields with the repository URL. */
  readonly assemble: (folder: string, origin: Manifest) => Promise<void>;
}

export const recipes: readonly Recipe[] = [
  { name: '@modelgate/contract', directory: 'contract', assemble: assembleContract },
  { name: '@modelgate/trpc', directory: 'server/api/trpc', assemble: assembleTrpc },
  { name: '@modelgate/client', directory: 'client/sdk', assemble: assemblePackage },
  { name: 'modelgate', assemble: assembleGateway },
];

/** Throws an error if no package has that name. */
export function getRecipe(name: string): Recipe {
  const found = recipes.find((recipe) => recipe.name === name);
  if (found === undefined) throw new RangeError(`Package ${name} not found. Packages: ${recipes.map((recipe) => recipe.name).join(', ')}.`);
  return found;
}

export const assembleAt = ({ assemble, directory }: Recipe, folder: string, repository: string | undefined): Promise<void> =>
  assemble(folder, toRepositoryFields(repository, directory));

/** Every package that is published, in the order in which they have to go out: each after those that it needs. One line for each. */
import { assemblePackage } from '../assemble.ts';
import { assembleContract } from './contract.ts';
import { assembleGateway } from './gateway.ts';
import { type Manifest, originOf } from './manifest.ts';
import { assembleTrpc } from './trpc.ts';

export interface Recipe {
  readonly name: string;
  /** Its folder in the repository; left out where it is the whole of it. */
  readonly directory?: string;
  /** Fills a folder with all that the package is, its manifest included. `origin`: fields of the manifest that say where it comes from. */
  readonly assemble: (folder: string, origin: Manifest) => Promise<void>;
}

export const recipes: readonly Recipe[] = [
  { name: '@modelgate/contract', directory: 'contract', assemble: assembleContract },
  { name: '@modelgate/trpc', directory: 'server/trpc', assemble: assembleTrpc },
  { name: '@modelgate/client', directory: 'client', assemble: assemblePackage },
  { name: 'modelgate', assemble: assembleGateway },
];

/** Throws where no package has that name. */
export function recipeOf(name: string): Recipe {
  const found = recipes.find((recipe) => recipe.name === name);
  if (found === undefined)
    throw new RangeError(`There is no package ${name}; there are ${recipes.map((recipe) => recipe.name).join(', ')}.`);
  return found;
}

export const assembleAt = ({ assemble, directory }: Recipe, folder: string, repository: string | undefined): Promise<void> =>
  assemble(folder, originOf(repository, directory));

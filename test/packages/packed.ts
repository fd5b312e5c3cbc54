/** Packs all packages once for a run of the lane, as a release does it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { recipes } from '../../client/packages/recipes.ts';
import { packRecipe } from '../../client/packages/tarball.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Tarballs by the name of their package. */
    readonly tarballs: Readonly<Record<string, string>>;
  }
}

export const repository = 'https://example.org/owner/gateway';

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const to = await mkdtemp(join(tmpdir(), 'modelgate-packed-'));
  const tarballs: Record<string, string> = {};
  for (const recipe of recipes) tarballs[recipe.name] = join(to, (await packRecipe(recipe, { to, repository })).filename);
  project.provide('tarballs', tarballs);
  return () => rm(to, { recursive: true, force: true });
}

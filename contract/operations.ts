/** Operations by method and path. */
import { contract, type RouteMetadata } from './index.ts';
import { playgroundContract } from './portal-playground.ts';

type Routes = Readonly<Record<string, { readonly method: string; readonly path: string }>>;

const placesOf = (routes: Routes) =>
  // `as`: the keys of both objects are names of operations; those of the playground are some of the contract's.
  Object.entries(routes).map(([name, { method, path }]) => [`${method} ${path}`, name as keyof typeof contract] as const);

/** Whether a route reads the bill of its own account. `route`: as the contract writes it. */
export function isOwnRead(method: string, route: string): boolean {
  const name = operationAt.get(`${method} ${route}`);
  const metadata: RouteMetadata | undefined = name && contract[name].metadata;
  return metadata?.isOwnRead === true;
}

/** By method and path, as the contract writes it: `POST /v1/responses`. An operation of the playground is the one that it stands for. */
export const operationAt: ReadonlyMap<string, keyof typeof contract> = new Map([...placesOf(contract), ...placesOf(playgroundContract)]);

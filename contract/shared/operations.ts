/** Operations by method and path. */
import { contract, type RouteMetadata } from '../index.ts';
import { playgroundContract } from '../portal/playground.ts';

type Name = keyof typeof contract;
type Routes = Readonly<Record<string, { readonly method: string; readonly path: string }>>;

/** By method, then by path, so that a call doesn't build a string of both. */
const byMethod = new Map<string, Map<string, Name>>();
for (const routes of [contract, playgroundContract] satisfies Routes[])
  for (const [name, { method, path }] of Object.entries(routes)) {
    const byPath = byMethod.get(method) ?? new Map<string, Name>();
    // `as`: the keys of both objects are names of operations; those of the playground are some of the contract's.
    byMethod.set(method, byPath.set(path, name as Name));
  }

/** The operation of a route as the contract writes it, such as `POST` and `/v1/responses`. One of the playground is the operation that it stands for. */
export const operationAt = (method: string, path: string): Name | undefined => byMethod.get(method)?.get(path);

const metadataOf = (name: Name): RouteMetadata | undefined => contract[name].metadata;

/** Paths that read the caller's own account; all of them are read with GET. */
const ownReads: ReadonlySet<string> = new Set(
  [...(byMethod.get('GET') ?? [])].filter(([, name]) => metadataOf(name)?.isOwnRead === true).map(([path]) => path),
);

/** Whether a route reads the caller's own account. `route`: as the contract writes it. */
export const isOwnRead = (method: string, route: string): boolean => method === 'GET' && ownReads.has(route);

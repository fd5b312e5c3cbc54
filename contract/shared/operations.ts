/** Finds operations by method and path. */
import { contract, type RouteMetadata } from '../index.ts';
import { playgroundContract } from '../portal/playground.ts';

type Name = keyof typeof contract;
type Routes = Readonly<Record<string, { readonly method: string; readonly path: string }>>;

/** Nested by method and path, so that a lookup doesn't concatenate strings. */
const operationsByMethod = new Map<string, Map<string, Name>>();
for (const routes of [contract, playgroundContract] satisfies Routes[])
  for (const [name, { method, path }] of Object.entries(routes)) {
    const operationsByPath = operationsByMethod.get(method) ?? new Map<string, Name>();
    // `as`: all keys are operation names, because the playground uses names of the contract.
    operationsByMethod.set(method, operationsByPath.set(path, name as Name));
  }

/** Finds the operation of a route, such as `POST` and `/v1/responses`. Playground routes return the operation that they stand for. */
export const findOperation = (method: string, path: string): Name | undefined => operationsByMethod.get(method)?.get(path);

const getMetadata = (name: Name): RouteMetadata | undefined => contract[name].metadata;

/** Paths of the operations that read the caller's own account. All of them use GET. */
const ownReadPaths: ReadonlySet<string> = new Set(
  [...(operationsByMethod.get('GET') ?? [])].filter(([, name]) => getMetadata(name)?.isOwnRead === true).map(([path]) => path),
);

/** Whether a route reads the caller's own account. `route` is a path of the contract, with placeholders. */
export const isOwnRead = (method: string, route: string): boolean => method === 'GET' && ownReadPaths.has(route);

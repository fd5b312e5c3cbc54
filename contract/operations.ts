/** Operations by method and path. */
import { contract } from './index.ts';

/** By method and path, as the contract writes it: `POST /v1/responses`. */
export const operationAt: ReadonlyMap<string, keyof typeof contract> = new Map(
  // `as`: the keys of the object are exactly those of its type.
  Object.entries(contract).map(([name, { method, path }]) => [`${method} ${path}`, name as keyof typeof contract]),
);

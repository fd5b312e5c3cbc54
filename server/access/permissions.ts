/** Which models a key may call; the one place where that is decided (specification part 1). */
import type { Catalog, Model } from '../catalog.ts';
import type { Principal } from './principal.ts';

/** Every key may call every model of the catalog. */
export function mayCall(_principal: Principal, _model: Model): boolean {
  return true;
}

/** What `GET /v1/models` lists: exactly what the key may call. */
export function callableModels(principal: Principal, catalog: Catalog): readonly Model[] {
  return catalog.list().filter((model) => mayCall(principal, model));
}

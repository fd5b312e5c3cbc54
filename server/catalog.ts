/** The models that the gateway knows, found by the id that callers use (specification part 2.1). */
import type { Config } from './config.ts';

/** One entry of the catalog; `upstream` is the name of the place that serves it, `upstreamModel` its name there. */
export type Model = Config['models'][number];

export interface Catalog {
  find(id: string): Model | undefined;
  /** In the order of the configuration, equal at each call. */
  list(): readonly Model[];
}

export function openCatalog(config: Pick<Config, 'models'>): Catalog {
  const byId = new Map(config.models.map((model) => [model.id, model]));
  return { find: (id) => byId.get(id), list: () => config.models };
}

/** The models that the gateway knows, found by the id that callers use. */
import type { Config } from './config.ts';

/** One entry of the catalog. `upstream` is the upstream of its first candidate, `upstreamModel` its name there. */
export type Model = Config['models'][number];

/** A model at one of its candidates. */
export type Candidate = Model & Pick<Model['candidates'][number], 'priority' | 'weight' | 'cost'>;

export interface Catalog {
  find(id: string): Model | undefined;
  /** In the order of the configuration, the same at each call. */
  list(): readonly Model[];
  /** The candidates of a model, in the order of their priority; at least one. */
  candidates(model: Model): readonly Candidate[];
}

export function openCatalog(config: Pick<Config, 'models'>): Catalog {
  const byId = new Map(config.models.map((model) => [model.id, model]));
  const candidates = new Map(config.models.map((model) => [model, candidatesOf(model)]));
  return { find: (id) => byId.get(id), list: () => config.models, candidates: (model) => candidates.get(model) ?? [] };
}

function candidatesOf(model: Model): readonly Candidate[] {
  const { quirks: _ofTheFirst, fields: _too, ...rest } = model;
  return model.candidates.map((candidate) => ({ ...rest, ...candidate }));
}

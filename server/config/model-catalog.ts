/** Opens the model catalog: models by ID, each with its candidates in order. */
import type { Config, Model } from './config.ts';

/** A model with the settings of one candidate. */
export type Candidate = Model & Pick<Model['candidates'][number], 'priority' | 'weight' | 'cost'>;

export interface ModelCatalog {
  find(id: string): Model | undefined;
  /** Returns the models in the order of the configuration. */
  list(): readonly Model[];
  /** Returns the candidates of a model by priority. There's at least one. */
  candidates(model: Model): readonly Candidate[];
}

export function openModelCatalog(config: Pick<Config, 'models'>): ModelCatalog {
  const byId = new Map(config.models.map((model) => [model.id, model]));
  const candidates = new Map(config.models.map((model) => [model, toCandidates(model)]));
  return { find: (id) => byId.get(id), list: () => config.models, candidates: (model) => candidates.get(model) ?? [] };
}

function toCandidates(model: Model): readonly Candidate[] {
  const { quirks: _ofTheFirst, fields: _too, ...rest } = model;
  return model.candidates.map((candidate) => ({ ...rest, ...candidate }));
}

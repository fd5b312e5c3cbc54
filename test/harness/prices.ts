/** Adds models and prices to the settings of tests that are not about prices: without a price a call is rejected. */

import { standardModels } from '../../server/config/standard-models.ts';

const texts = { input: '1', cachedInput: '0.1', cacheWrite: '1.25', output: '4', tools: { web_search_call: '0.01' } };
const pictures = { images: { default: '0.04' } };

/** Settings as in modelgate.yaml, with prices for each model that has none. Other providers than OpenAI serve the standard models only if the file says so. */
export function withPrices(settings: Record<string, unknown>): Record<string, unknown> {
  if (settings.models === undefined && isOfOthers(settings))
    return { ...settings, models: standardModels.filter(({ kind }) => kind === 'text') };
  if (!Array.isArray(settings.models) || settings.billing === 'off') return settings;
  const models = settings.models.map((model) => ({ prices: model.kind === 'image' ? pictures : texts, ...model }));
  return { ...settings, models };
}

function isOfOthers({ upstreams }: Record<string, unknown>): boolean {
  const [first] = Object.values(Object(upstreams)).map((upstream) => Object(upstream).kind);
  return first !== undefined && first !== 'openai' && first !== 'simulator';
}

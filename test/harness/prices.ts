/** Adds prices to the models of tests that are not about prices: without a price a call is rejected. */
const texts = { input: '1', cachedInput: '0.1', cacheWrite: '1.25', output: '4', tools: { web_search_call: '0.01' } };
const pictures = { images: { default: '0.04' } };

/** Settings as in modelgate.yaml, with prices for each model that has none. */
export function withPrices(settings: Record<string, unknown>): Record<string, unknown> {
  if (!Array.isArray(settings.models) || settings.billing === 'off') return settings;
  const models = settings.models.map((model) => ({ prices: model.kind === 'image' ? pictures : texts, ...model }));
  return { ...settings, models };
}

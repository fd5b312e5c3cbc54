/** Examples of the public catalog. */
import type { Abilities, CatalogList, CatalogModel } from '../../../contract/catalog.ts';
import type { OperationExamples } from './example.ts';

const groups = [
  { name: 'default', multiplier: '1.000000' },
  { name: 'vip', multiplier: '0.800000' },
];

const rates = {
  input: '2.500000',
  cached_input: '0.250000',
  cache_write: '2.500000',
  cache_write_1h: '2.500000',
  cache_write_12h: '2.500000',
  image_input: '2.500000',
  audio_input: '2.500000',
  output: '15.000000',
  image_output: '15.000000',
  audio_output: '15.000000',
};

const ratesWithTiers = {
  ...rates,
  service_tiers: { flex: '0.500000', priority: '2.000000' },
  tools: { web_search_call: '0.010000' },
};

export const tokenPrices = {
  ...ratesWithTiers,
  long_context: { 272000: { ...rates, input: '5.000000', cached_input: '0.500000', output: '22.500000' } },
};

export const textAbilities: Abilities = {
  tools: true,
  hosted_tools: true,
  parallel_tool_calls: true,
  image_input: true,
  structured_output: 'schema',
  reasoning_effort: true,
};

export const imageAbilities: Abilities = {
  tools: false,
  hosted_tools: false,
  parallel_tool_calls: false,
  image_input: true,
  structured_output: 'none',
  reasoning_effort: false,
};

const text: CatalogModel = {
  id: 'gpt-5.4',
  object: 'model',
  owned_by: 'openai',
  kind: 'text',
  groups,
  prices: tokenPrices,
  context_window: 400000,
  max_output_tokens: 128000,
  protocols: ['chat', 'responses'],
  abilities: textAbilities,
};

const image: CatalogModel = {
  ...text,
  id: 'gpt-image-2',
  kind: 'image',
  prices: { images: { '*/low': '0.016000', default: '0.250000' } },
  context_window: null,
  max_output_tokens: null,
  protocols: ['images'],
  abilities: imageAbilities,
};

const large: CatalogModel = {
  ...text,
  id: 'gpt-5.5',
  groups: groups.slice(1),
  prices: { ...ratesWithTiers, output: '20.000000', image_output: '20.000000', audio_output: '20.000000' },
};

const all: CatalogList = { object: 'list', data: [text, image] };
const ofVip: CatalogList = { object: 'list', data: [text, large] };

export const catalogExamples: OperationExamples = {
  answers: {
    all: { summary: 'A text model and an image model', value: all },
    vip: { summary: 'With `group=vip`: only the models of that group', value: ofVip },
  },
};

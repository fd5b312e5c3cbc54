/** The configured models for operators: their upstreams, their current prices in each price list, and all price versions. */
import { z } from 'zod';
import { createTypeField } from '../shared/descriptions.ts';
import { Dollars } from '../shared/dollars.ts';
import { ProviderSums } from './activity.ts';
import { createListSchema, ModelName, pageFields, Time } from './fields.ts';
import type { AdminMetadata } from './metadata.ts';
import { Prices, PriceVersion } from './rules.ts';

const ServedBy = z
  .object({
    upstream: z.string().describe('The name of the upstream in the configuration.'),
    upstream_model: z.string().describe('The name of the model at the upstream.'),
    protocols: z.array(z.string()).describe('The APIs with which the upstream is called for the model.'),
    priority: z.int().describe('Candidates with a lower number are tried first.'),
    weight: z.number().describe("The candidate's share of the calls among candidates with the same priority."),
    cost: Prices.nullable().describe("The provider cost there, as configured. Null if it's unknown."),
  })
  .meta({ id: 'ModelCandidate', description: 'An upstream that serves a model.' });

export const ConfiguredModel = z
  .object({
    id: z.string().describe('The ID of the model, as used by callers.'),
    object: createTypeField('configured_model'),
    kind: z.enum(['text', 'image']).describe('`text`: chat completions and responses. `image`: image generations and edits.'),
    groups: z.array(z.string()).describe('The groups whose accounts can call the model.'),
    candidates: z.array(ServedBy).describe('The upstreams that serve the model, in the order in which they are tried.'),
    prices: z.array(PriceVersion).describe('The current price of the model, by price list. Empty if it has none, or when billing is off.'),
    requests_30d: z.int().min(0).describe('Number of calls to the model that ended in the last 30 days, including rejected ones.'),
    charged_30d: Dollars.describe('The amount charged for these calls.'),
    provider_30d: ProviderSums.describe('The provider cost of these calls.'),
    last_used_at: Time.nullable().describe(
      'The start of the hour in which a call to the model last ended, in UTC. Null if none ended in the last 30 days.',
    ),
  })
  .meta({ id: 'ConfiguredModel', description: 'A configured model, with its upstreams and prices.' });
export type ConfiguredModel = z.infer<typeof ConfiguredModel>;
export const ConfiguredModelList = createListSchema('ConfiguredModelList', 'A list of the configured models.', ConfiguredModel);

export const PriceVersionList = createListSchema('PriceVersionList', 'A list of price versions, newest first.', PriceVersion);
const PriceVersionQuery = z.strictObject({
  ...pageFields,
  model: ModelName.optional().describe('Only prices of this model. Omit to get all models.'),
  price_list: z.string().min(1).max(64).optional().describe('Only prices of this price list. Omit to get all price lists.'),
});

const metadata = { tag: 'Rules' } as const satisfies AdminMetadata;

export const modelRoutes = {
  listModels: {
    method: 'GET',
    path: '/models',
    responses: { 200: ConfiguredModelList },
    summary: 'List models',
    description:
      'Lists the configured models in the order of the configuration, with their upstreams, their prices in each list, and their usage.',
    metadata,
  },
  listPriceVersions: {
    method: 'GET',
    path: '/prices/versions',
    query: PriceVersionQuery,
    responses: { 200: PriceVersionList },
    summary: 'List price versions',
    description: 'Lists all price versions, newest first. A receipt refers to the version that its request was charged by.',
    metadata,
  },
} as const;

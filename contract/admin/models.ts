/** The models of the configuration as an operator sees them: who serves them, what they cost in each price list, and all versions of those prices. */
import { z } from 'zod';
import { kind } from '../shared/descriptions.ts';
import { Dollars } from '../shared/dollars.ts';
import { ProviderSums } from './activity.ts';
import { listOf, ModelName, page, Time } from './fields.ts';
import type { AdminMetadata } from './metadata.ts';
import { Prices, PriceVersion } from './rules.ts';

const ServedBy = z
  .object({
    upstream: z.string().describe('Name of the upstream in the configuration.'),
    upstream_model: z.string().describe('Name of the model at the upstream.'),
    protocols: z.array(z.string()).describe('Protocols by which the upstream is asked for it.'),
    priority: z.int().describe('Candidates with a lower number are tried first.'),
    weight: z.number().describe('Share of the calls among candidates of the same priority.'),
    cost: Prices.nullable().describe('What the vendor bills there, as the configuration says. Null: that is not known.'),
  })
  .meta({ id: 'ModelCandidate', description: 'An upstream that serves a model.' });

export const ConfiguredModel = z
  .object({
    id: z.string().describe('Id of the model, as callers use it.'),
    object: kind('configured_model'),
    kind: z.enum(['text', 'image']).describe('`text` answers chat and responses, `image` generates images.'),
    groups: z.array(z.string()).describe('Groups whose accounts may call it.'),
    candidates: z.array(ServedBy).describe('The upstreams that serve it, in the order in which they are tried.'),
    prices: z.array(PriceVersion).describe('Its price now, by price list. Empty: it has none, or billing is off.'),
    requests_30d: z.int().min(0).describe('Calls of it that ended in the last 30 days, rejected ones included.'),
    charged_30d: Dollars.describe('What was charged for these calls.'),
    provider_30d: ProviderSums.describe('What the vendors bill for these calls.'),
    last_used_at: Time.nullable().describe(
      'Begin of the hour in which a call of it last ended, by UTC. Null: none ended in the last 30 days.',
    ),
  })
  .meta({ id: 'ConfiguredModel', description: 'A model of the configuration, with its upstreams and prices.' });
export type ConfiguredModel = z.infer<typeof ConfiguredModel>;
export const ConfiguredModelList = listOf('ConfiguredModelList', 'Models of the configuration.', ConfiguredModel);

export const PriceVersionList = listOf('PriceVersionList', 'Versions of prices, newest first.', PriceVersion);
const PriceVersionQuery = z.strictObject({
  ...page,
  model: ModelName.optional().describe('Only prices of this model. Omit for all.'),
  price_list: z.string().min(1).max(64).optional().describe('Only prices of this price list. Omit for all.'),
});

const metadata = { tag: 'Rules' } as const satisfies AdminMetadata;

export const modelRoutes = {
  listModels: {
    method: 'GET',
    path: '/models',
    responses: { 200: ConfiguredModelList },
    summary: 'List models',
    description: 'Models of the configuration, in its order: their upstreams, their prices in each list, and how much they were used.',
    metadata,
  },
  listPriceVersions: {
    method: 'GET',
    path: '/prices/versions',
    query: PriceVersionQuery,
    responses: { 200: PriceVersionList },
    summary: 'List versions of prices',
    description: 'What models cost since when, newest first. A receipt names the version that its request was charged by.',
    metadata,
  },
} as const;

/** One search for all objects that operators look up by ID or name. */
import { z } from 'zod';
import { createTypeField } from '../shared/descriptions.ts';
import type { AdminMetadata } from './metadata.ts';

export const hitKinds = ['request', 'key', 'account', 'model'] as const;

const SearchHit = z
  .object({
    object: createTypeField('search_hit'),
    kind: z.enum(hitKinds).describe('The type of the object.'),
    id: z.string().describe('The ID of the object. For a model, its ID in the catalog.'),
    label: z.string().describe('The display name: a name, the account and the name of a key, or the ID of a request.'),
    description: z
      .string()
      .nullable()
      .describe(
        'Details that identify the result: the model and status of a request, or the last four characters of a key. Otherwise null.',
      ),
  })
  .meta({ id: 'SearchHit', description: 'A search result.' });
export type SearchHit = z.infer<typeof SearchHit>;

const SearchHitList = z
  .object({
    object: createTypeField('list'),
    data: z.array(SearchHit).describe('At most 10 results per type: exact IDs and names first, then requests, accounts, models, and keys.'),
  })
  .meta({
    id: 'SearchHitList',
    description: 'A list of search results.',
    examples: [
      {
        object: 'list',
        data: [{ object: 'search_hit', kind: 'account', id: 'acct_0aB3dE5gH7jK9mN1p', label: 'research', description: null }],
      },
    ],
  });

const MAX_QUERY_LENGTH = 100;
const SearchQuery = z.strictObject({
  q: z
    .string()
    .min(1)
    .max(MAX_QUERY_LENGTH)
    .regex(/^[^\0]{3,}$/, 'must have at least 3 characters, and must not contain the zero character')
    .describe(
      'The ID of a request; a part of the name of a key, an account, or a model; the ID of a key or an account, or its start; the last four characters of a key.',
    ),
});

export const searchRoutes = {
  search: {
    method: 'GET',
    path: '/search',
    query: SearchQuery,
    responses: { 200: SearchHitList },
    summary: 'Search',
    description:
      'Finds requests, accounts, models, and keys by ID or name. The name of an account also finds its keys. Names are case-insensitive.',
    metadata: { tag: 'Usage' } as const satisfies AdminMetadata,
  },
} as const;

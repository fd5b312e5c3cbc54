/** One search over everything that an operator looks for by its id or name. */
import { z } from 'zod';
import { kind } from '../shared/descriptions.ts';
import type { AdminMetadata } from './metadata.ts';

export const hitKinds = ['request', 'key', 'account', 'model'] as const;

const SearchHit = z
  .object({
    object: kind('search_hit'),
    kind: z.enum(hitKinds).describe('What was found.'),
    id: z.string().describe('Its id; of a model, the id in the catalog.'),
    label: z
      .string()
      .describe(
        'What people call it: the name of an account; of a key, its name and last four characters; of a request, its model and status.',
      ),
  })
  .meta({ id: 'SearchHit', description: 'Something that was found.' });
export type SearchHit = z.infer<typeof SearchHit>;

const SearchHitList = z
  .object({ object: kind('list'), data: z.array(SearchHit).describe('At most 10: exact ids first, then by what they are.') })
  .meta({
    id: 'SearchHitList',
    description: 'What was found.',
    examples: [{ object: 'list', data: [{ object: 'search_hit', kind: 'account', id: 'acct_0aB3dE5gH7jK9mN1p', label: 'research' }] }],
  });

const MOST = 100;
const SearchQuery = z.strictObject({
  q: z
    .string()
    .min(1)
    .max(MOST)
    .regex(/^[^\0]{3,}$/, 'must have at least 3 characters, and not the zero character')
    .describe(
      'The id of a request; the id of a key, its beginning, or the last four characters of the key; the id or name of an account, or its beginning; a part of the id of a model.',
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
      'Finds requests, keys, accounts and models by id or name. Names and ids are looked up by their beginnings, capital letters as they are.',
    metadata: { tag: 'Usage' } as const satisfies AdminMetadata,
  },
} as const;

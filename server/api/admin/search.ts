/** Admin API handler for GET /search: finds requests, keys, accounts, and models by ID or name. */

import type { AdminContract } from '../../../contract/admin/index.ts';
import type { SearchHit, searchRoutes } from '../../../contract/admin/search.ts';
import { findAccounts, findKeys } from '../../access/search.ts';
import type { ContractHandlers } from '../http/ts-rest.ts';
import type { Operations } from './operations.ts';

const MAX_HITS = 10;

type Hit = Pick<SearchHit, 'kind' | 'id' | 'label'>;

export function createSearchHandlers(operations: Operations): ContractHandlers<AdminContract, keyof typeof searchRoutes> {
  return {
    async search({ query: { q }, ok }) {
      const hits = [
        await searchRequests(operations, q),
        await searchKeys(operations, q),
        await searchAccounts(operations, q),
        searchModels(operations, q),
      ].flat();
      const exactHits = hits.filter(({ id, label }) => id === q || label === q);
      const sortedHits = [...exactHits, ...hits.filter((hit) => !exactHits.includes(hit))].slice(0, MAX_HITS);
      return ok({ object: 'list', data: sortedHits.map((hit) => ({ object: 'search_hit' as const, ...hit })) });
    },
  };
}

/** Finds a request only by its complete ID, because people copy request IDs and don't type them. */
async function searchRequests({ activity }: Operations, q: string): Promise<readonly Hit[]> {
  const row = q.startsWith('req_') ? await activity.find(q) : undefined;
  return row ? [{ kind: 'request', id: row.request_id, label: `${row.model ?? '–'} ${row.status}` }] : [];
}

async function searchKeys({ activity }: Operations, q: string): Promise<readonly Hit[]> {
  const keys = await findKeys(activity.ask, q, MAX_HITS);
  return keys.map(({ id, name, lastFour, account }) => ({ kind: 'key', id, label: `${name} …${lastFour}, ${account.name}` }));
}

async function searchAccounts({ activity }: Operations, q: string): Promise<readonly Hit[]> {
  return (await findAccounts(activity.ask, q, MAX_HITS)).map(({ id, name }) => ({ kind: 'account', id, label: name }));
}

function searchModels({ config }: Operations, q: string): readonly Hit[] {
  const lowercaseQuery = q.toLowerCase();
  return config.models.filter(({ id }) => id.toLowerCase().includes(lowercaseQuery)).map(({ id }) => ({ kind: 'model', id, label: id }));
}

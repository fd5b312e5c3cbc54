/** Admin API handler for GET /search: finds requests, accounts, models, and keys by ID or name. */

import type { AdminContract } from '../../../contract/admin/index.ts';
import type { SearchHit, searchRoutes } from '../../../contract/admin/search.ts';
import { listAccountPage, listKeyPage } from '../../access/pages.ts';
import { formatKeyName } from '../../access/read-names.ts';
import type { ContractHandlers } from '../http/ts-rest.ts';
import type { Operations } from './operations.ts';

/** Per type. */
const MAX_HITS = 10;

type Hit = Omit<SearchHit, 'object'>;

export function createSearchHandlers(operations: Operations): ContractHandlers<AdminContract, keyof typeof searchRoutes> {
  return {
    async search({ query: { q }, ok }) {
      const hits = [
        await searchRequests(operations, q),
        await searchAccounts(operations, q),
        searchModels(operations, q),
        await searchKeys(operations, q),
      ].flat();
      const exactHits = hits.filter(({ id, label }) => id === q || label === q);
      const sortedHits = [...exactHits, ...hits.filter((hit) => !exactHits.includes(hit))];
      return ok({ object: 'list', data: sortedHits.map((hit) => ({ object: 'search_hit' as const, ...hit })) });
    },
  };
}

/** Finds a request only by its complete ID, because people copy request IDs and don't type them. */
async function searchRequests({ activity }: Operations, q: string): Promise<readonly Hit[]> {
  const row = q.startsWith('req_') ? await activity.find(q) : undefined;
  return row ? [{ kind: 'request', id: q, label: q, description: `${row.model ?? '–'}, ${row.status}` }] : [];
}

async function searchAccounts({ activity, now }: Operations, q: string): Promise<readonly Hit[]> {
  const accounts = await listAccountPage(activity.ask, { q, at: now() }, { limit: MAX_HITS, sort: 'name' });
  return (accounts ?? []).map(({ id, name }) => ({ kind: 'account', id, label: name, description: null }));
}

function searchModels({ config }: Operations, q: string): readonly Hit[] {
  const lowercaseQuery = q.toLowerCase();
  return config.models
    .filter(({ id }) => id.toLowerCase().includes(lowercaseQuery))
    .slice(0, MAX_HITS)
    .map(({ id }) => ({ kind: 'model', id, label: id, description: null }));
}

/** Also finds keys by the name of their account. */
async function searchKeys({ activity, now }: Operations, q: string): Promise<readonly Hit[]> {
  const keys = await listKeyPage(activity.ask, { q, at: now() }, { limit: MAX_HITS, sort: 'last_used', order: 'desc' });
  return (keys ?? []).map(({ id, name, lastFour, account }) => ({
    kind: 'key',
    id,
    label: formatKeyName(account.name, name),
    description: `…${lastFour}`,
  }));
}

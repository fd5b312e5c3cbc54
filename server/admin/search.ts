/** The search of the operators' API: a few look-ups by index, and the ids of the catalog. */
import type { SearchHit, searchRoutes } from '../../contract/admin/search.ts';
import type { AdminContract } from '../../contract/admin.ts';
import { findAccounts, findKeys } from '../access/search.ts';
import type { HandlersOf } from '../http/ts-rest.ts';
import type { Operations } from './operations.ts';

const MOST = 10;
type Hit = Pick<SearchHit, 'kind' | 'id' | 'label'>;

export function searchHandlers(operations: Operations): HandlersOf<AdminContract, keyof typeof searchRoutes> {
  return {
    async search({ query: { q }, ok }) {
      const found = [
        await requestsOf(operations, q),
        await keysOf(operations, q),
        await accountsOf(operations, q),
        modelsOf(operations, q),
      ].flat();
      const exact = found.filter(({ id, label }) => id === q || label === q);
      const ordered = [...exact, ...found.filter((hit) => !exact.includes(hit))].slice(0, MOST);
      return ok({ object: 'list', data: ordered.map((hit) => ({ object: 'search_hit' as const, ...hit })) });
    },
  };
}

/** A request by its whole id: nobody knows the beginning of one. */
async function requestsOf({ activity }: Operations, q: string): Promise<readonly Hit[]> {
  const row = q.startsWith('req_') ? await activity.find(q) : undefined;
  return row ? [{ kind: 'request', id: row.request_id, label: `${row.model ?? '–'} ${row.status}` }] : [];
}

async function keysOf({ activity }: Operations, q: string): Promise<readonly Hit[]> {
  const keys = await findKeys(activity.ask, q, MOST);
  return keys.map(({ id, name, lastFour, account }) => ({ kind: 'key', id, label: `${name} …${lastFour}, ${account.name}` }));
}

async function accountsOf({ activity }: Operations, q: string): Promise<readonly Hit[]> {
  return (await findAccounts(activity.ask, q, MOST)).map(({ id, name }) => ({ kind: 'account', id, label: name }));
}

function modelsOf({ config }: Operations, q: string): readonly Hit[] {
  const wanted = q.toLowerCase();
  return config.models.filter(({ id }) => id.toLowerCase().includes(wanted)).map(({ id }) => ({ kind: 'model', id, label: id }));
}

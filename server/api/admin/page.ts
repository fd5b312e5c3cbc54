/** Writes lists of the admin API, whole or one page at a time. */
import { PAGE_LENGTH } from '../../../contract/admin/fields.ts';
import { createEntryNotFoundError } from './errors.ts';

/** Writes a page, from a list with up to one more entry than requested. */
export function writePage<T>(entries: readonly T[], limit: number, getId: (entry: T) => string) {
  const data = entries.slice(0, limit);
  const last = data.at(-1);
  return { object: 'list' as const, data, has_more: entries.length > limit, last_id: last === undefined ? null : getId(last) };
}

/** Writes one page of a list that is completely in memory. */
export function paginate<T extends { readonly id: string }>(
  entries: readonly T[],
  { limit = PAGE_LENGTH, after }: { limit?: number | undefined; after?: string | undefined },
) {
  const start = after === undefined ? 0 : entries.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && start === 0) throw createEntryNotFoundError();
  return writePage(entries.slice(start, start + limit + 1), limit, ({ id }) => id);
}

/** Writes a list without pages. */
export function writeAll<T>(data: T[], getId: (entry: T) => string) {
  return writePage(data, data.length, getId);
}

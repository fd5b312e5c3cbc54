/** URLs of the requests behind a figure, with the same filters. */
import type { RequestsState } from '../pages/requests/request-filters.ts';

/** `account`: its ID or name. */
export const accountPath = (account: string): string => `/accounts/${encodeURIComponent(account)}`;
export const keyPath = (id: string): string => `/keys?open=${encodeURIComponent(id)}`;
export const upstreamPath = (name: string): string => `/upstreams/${encodeURIComponent(name)}`;

/** Decodes a URL parameter: some characters of a name are still written as `%2F`. */
export const decodeName = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

/** Only fields that the page of requests reads. */
export type RequestFilter = Readonly<Partial<Record<keyof RequestsState, string>>>;

/** Omits empty filters. */
export function requestsPath(filter: RequestFilter): string {
  const search = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''));
  return search.size === 0 ? '/requests' : `/requests?${search}`;
}

/** The URL of a table's CSV, without the origin. */
export function csvPath(
  name: 'accounts' | 'activity' | 'audit' | 'keys' | 'requests',
  query: Readonly<Record<string, string | number | undefined>>,
): string {
  const given = Object.entries(query).flatMap(([field, value]) => (value === undefined ? [] : [[field, String(value)]]));
  return `/admin/v1/${name}.csv?${new URLSearchParams(given)}`;
}

/** Addresses of the requests behind a figure: the same filters, as that page reads them. */

/** `account`: its ID or its name. */
export const accountPath = (account: string): string => `/accounts/${encodeURIComponent(account)}`;
export const upstreamPath = (name: string): string => `/upstreams/${encodeURIComponent(name)}`;

/** What a page finds in its address: some characters of a name are still written as `%2F`. */
export const decodeName = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

export type RequestFilter = Readonly<Record<string, string>>;

/** Without the filters that are empty. */
export function requestsPath(filter: RequestFilter): string {
  const search = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''));
  return search.size === 0 ? '/requests' : `/requests?${search}`;
}

/** The address of the CSV of a table, below the origin of the page. */
export function csvPath(
  name: 'accounts' | 'activity' | 'audit' | 'keys' | 'requests',
  query: Readonly<Record<string, string | number | undefined>>,
): string {
  const given = Object.entries(query).flatMap(([field, value]) => (value === undefined ? [] : [[field, String(value)]]));
  return `/admin/v1/${name}.csv?${new URLSearchParams(given)}`;
}

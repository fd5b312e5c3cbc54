/** Paged lists: the first page, or every entry of all pages in one loop. */
import type { Call } from './call.ts';

/** A page of a list, as the gateway sends it. */
export interface Page<Entry = unknown> {
  readonly data: readonly Entry[];
  readonly last_id: string | null;
  readonly has_more: boolean;
}

/** With `await`, you get one page. A `for await` loop gets every entry from that page on, and requests further pages as needed. */
export interface PagedCall<List extends Page> extends Call<List>, AsyncIterable<ListEntry<List>> {}
type ListEntry<List extends Page> = List['data'][number];

/** @internal */
export function openPages<List extends Page<ListEntry<List>>, Query extends object>(
  ask: (query: Query & { after?: string }) => Call<List>,
  query: Query,
): PagedCall<List> {
  const firstPage = ask(query);
  return Object.assign(firstPage, {
    async *[Symbol.asyncIterator](): AsyncGenerator<ListEntry<List>, void, undefined> {
      let page = await firstPage;
      for (;;) {
        yield* page.data;
        if (!page.has_more || !page.last_id) return;
        page = await ask({ ...query, after: page.last_id });
      }
    },
  });
}

/** Builds the search index from all pages, sections, and fields. */
import MiniSearch from 'minisearch';
import { options } from '../browser/search-options.mjs';
import type { Page } from '../page.ts';

export function searchIndex(pages: readonly Page[]): string {
  const index = new MiniSearch<Record<string, unknown>>(options);
  const entries = pages.flatMap(({ path, entries: own }) =>
    own.map(({ anchor, title, text, kind, seen = [] }) => ({
      to: `${path.replace(/(^|\/)index$/, '$1')}${anchor === undefined ? '' : `#${anchor}`}`,
      title,
      kind,
      text: text.slice(0, 12_000),
      seen: seen.join(' \n '),
    })),
  );
  index.addAll(entries.map((entry, id) => ({ id, ...entry })));
  return JSON.stringify(index);
}

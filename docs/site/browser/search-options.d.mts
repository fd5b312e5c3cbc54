import type MiniSearch from 'minisearch';
import type { Options, SearchResult } from 'minisearch';

export function tokenize(text: string): string[];
export const options: Options<Record<string, unknown>>;
export function searchIn(
  index: MiniSearch<Record<string, unknown>>,
  query: string,
): readonly (SearchResult & { readonly to: string; readonly title: string })[];

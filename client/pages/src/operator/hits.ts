/** Finds results for the search box, and the page of each result. */
import type { SearchHit } from '../../../../contract/admin/search.ts';
import type { Suggestion } from '../kit/combobox.tsx';
import { consoleTexts } from '../texts/console.ts';
import { accountPath, keyPath } from './reads/links.ts';

interface Hit extends Suggestion {
  readonly path: string;
}

export interface SearchQuery {
  readonly q: string;
  /** Whether `q` is the last four characters of a key. */
  readonly isLastFour: boolean;
}

/** The prefix of a caller's or operator's key. Far shorter than a complete key, so that a partly typed key isn't sent either. */
const KEY = /^mga?-[0-9A-Za-z]{20,}$/;

/** Never contains a complete key, because it becomes part of a URL, and URLs are logged. */
export function toSearchQuery(typed: string): SearchQuery {
  const isLastFour = KEY.test(typed);
  return { q: isLastFour ? typed.slice(-4) : typed.replace(/^…/, ''), isLastFour };
}

const { hits: words } = consoleTexts;
const hitPaths: Readonly<Record<SearchHit['kind'], (id: string) => string>> = {
  request: (id) => `/requests/${encodeURIComponent(id)}`,
  account: accountPath,
  model: (id) => `/prices?q=${encodeURIComponent(id)}`,
  key: keyPath,
};

/** Only the keys that end in the last four characters, if the search was for a complete key. */
export const toHits = (found: readonly SearchHit[], { q, isLastFour }: SearchQuery): readonly Hit[] =>
  found
    .filter(({ kind, description }) => !isLastFour || (kind === 'key' && description === `…${q}`))
    .map(({ kind, id, label, description }) => ({
      value: id,
      label,
      hint: [words[kind], description ?? (id === label ? [] : id)].flat().join(' · '),
      path: hitPaths[kind](id),
    }));

/** Finds results for the search box, and the page of each result. */
import type { AdminContract } from '../../../../contract/admin/index.ts';
import type { SearchHit } from '../../../../contract/admin/search.ts';
import type { Success } from '../data/contract-types.ts';
import type { Suggestion } from '../kit/combobox.tsx';
import { consoleTexts } from '../texts/console.ts';
import { accountPath } from './reads/links.ts';
import { formatKeyName } from './reads/names.ts';

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
type FoundKey = Success<AdminContract['listKeys']>['data'][number];
type NamedHit = SearchHit & { readonly kind: Exclude<SearchHit['kind'], 'key'> };
const hitPaths: Readonly<Record<NamedHit['kind'], (id: string) => string>> = {
  request: (id) => `/requests/${id}`,
  account: accountPath,
  model: (id) => `/prices?q=${id}`,
};

/** Names come before IDs. A request has only its ID, followed by its description. */
function toLabels({ kind, id, label }: NamedHit): Pick<Hit, 'label' | 'hint'> {
  if (kind === 'request') return { label: id, hint: `${words.request} · ${label}` };
  return { label, hint: id === label ? words[kind] : `${words[kind]} · ${id}` };
}

const toKeyHit = (key: FoundKey): Hit => ({
  value: key.id,
  label: formatKeyName(key),
  hint: `${words.key} · …${key.last_four}`,
  path: `/keys?open=${encodeURIComponent(key.id)}`,
});

/** Keys come last, after the account whose name found them. Only keys, if the search was for a key's last four characters. */
export function toHits(found: readonly SearchHit[], keys: readonly FoundKey[], { q, isLastFour }: SearchQuery): readonly Hit[] {
  if (isLastFour) return keys.filter(({ last_four }) => last_four === q).map(toKeyHit);
  const named = found.filter((hit): hit is NamedHit => hit.kind !== 'key');
  return [
    ...named.map((hit) => ({ value: hit.id, ...toLabels(hit), path: hitPaths[hit.kind](encodeURIComponent(hit.id)) })),
    ...keys.map(toKeyHit),
  ];
}

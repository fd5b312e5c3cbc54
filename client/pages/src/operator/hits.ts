/** Where a hit of the search leads. */
import type { SearchHit } from '../../../../contract/admin/search.ts';
import type { Suggestion } from '../kit/combobox.tsx';
import { consoleTexts } from '../texts/console.ts';
import { accountPath } from './reads/links.ts';

interface Hit extends Suggestion {
  readonly path: string;
}

const { hits: words } = consoleTexts;
const pathOf: Readonly<Record<SearchHit['kind'], (id: string) => string>> = {
  request: (id) => `/requests/${id}`,
  key: (id) => `/keys?open=${id}`,
  account: accountPath,
  model: (id) => `/prices?open=${id}`,
};

/** The label says more than an id, except where they are the same. */
export const hitsOf = (found: readonly SearchHit[]): readonly Hit[] =>
  found.map(({ kind, id, label }) => ({
    value: id,
    hint: id === label ? words[kind] : `${words[kind]} ${label}`,
    path: pathOf[kind](encodeURIComponent(id)),
  }));

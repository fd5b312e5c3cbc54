/** Where a search leads when what is typed is an id: ids say by their first letters what they are of. */
import type { Suggestion } from '../kit/combobox.tsx';
import { consoleTexts } from '../texts/console.ts';

interface Hit extends Suggestion {
  readonly path: string;
}

const { hits } = consoleTexts;
const kinds: readonly (readonly [prefix: string, hint: string, pathOf: (id: string) => string])[] = [
  ['req_', hits.request, (id) => `/requests/${id}`],
  ['key_', hits.key, (id) => `/keys?open=${id}`],
  ['acct_', hits.account, (id) => `/accounts?open=${id}`],
];

export function hitsOf(typed: string): readonly Hit[] {
  const [, hint, pathOf] = kinds.find(([prefix]) => typed.startsWith(prefix)) ?? [];
  return hint === undefined || pathOf === undefined ? [] : [{ value: typed, hint, path: pathOf(encodeURIComponent(typed)) }];
}

/** Suggestions of list filters: account and key names, configured models and upstreams, and codes of ended calls. */
import type { Filter } from '../../kit/filter-editor.tsx';
import { requests } from '../../texts/requests.ts';
import { useRead } from '../api.ts';
import { type Names, useNames } from './names.ts';

export type FilterName = 'model' | 'account_id' | 'key_id' | 'upstream' | 'code' | 'operation' | 'session' | 'end_user' | 'tag';
type SuggestionsByFilter = Readonly<Partial<Record<FilterName, NonNullable<Filter['suggestions']>>>>;

export interface Suggestions {
  readonly names: Names;
  readonly of: SuggestionsByFilter;
}

const operations = ['createChatCompletion', 'createResponse', 'generateImages', 'editImages', 'listModels'];
const toSuggestions = (values: readonly string[]) => values.map((value) => ({ value }));
/** Maximum number of series in an activity query. */
const MAX_CODES = 12;

/** `isEnabled`: an editor is open. `hasIds`: the page shows an ID of an account or key whose name it doesn't have. */
export function useSuggestions(isEnabled: boolean, hasIds: boolean): Suggestions {
  const names = useNames(isEnabled || hasIds);
  const models = useRead('listModels', {}, { isEnabled });
  const upstreams = useRead('listUpstreams', {}, { isEnabled });
  const codes = useRead('getActivity', { query: { group_by: 'code', top: MAX_CODES } }, { isEnabled });
  return {
    names,
    of: {
      model: toSuggestions(models.data?.data.map(({ id }) => id) ?? []),
      account_id: names.accounts,
      key_id: names.keys,
      upstream: toSuggestions(upstreams.data?.data.map(({ name }) => name) ?? []),
      code: toSuggestions(codes.data?.series.flatMap(({ key }) => key || []) ?? []),
      operation: toSuggestions(operations),
    },
  };
}

export const hasOwner = ({ account_id: account, key_id: key }: Readonly<Record<'account_id' | 'key_id', string>>): boolean =>
  account !== '' || key !== '';

/** Creates the active filter of a field, with its suggestions. */
export function createFilter(name: FilterName, value: string, { names, of }: Suggestions): Filter {
  const filter = { name, label: requests.filters[name], value, suggestions: of[name] ?? [] };
  if (name === 'account_id') return { ...filter, shown: names.getAccountName(value) };
  return name === 'key_id' ? { ...filter, shown: names.getKeyName(value) } : filter;
}

/** Filters of the list of requests: their fields of the address, and the question that they make. */
import type { AdminContract } from '../../../../../../contract/admin/index.ts';
import type { Input } from '../../../data/contract-types.ts';
import { type Field, flag, oneOf, range, type StateOf, text } from '../../../data/url-state.ts';
import type { Filter } from '../../../kit/filters.tsx';
import { requests as words } from '../../../texts/requests.ts';
import type { Names } from '../../reads/names.ts';
import { type Span, spanTextsOf } from '../../reads/span.ts';
import { outcomes } from './outcomes.ts';

const matching = (pattern: RegExp): Field<string> => ({ initial: '', accepts: (given): given is string => pattern.test(given) });
const time = matching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/);

export const filterFields = {
  outcome: oneOf(['', ...outcomes], ''),
  model: text,
  account_id: text,
  key_id: text,
  upstream: text,
  code: text,
  operation: text,
  session: text,
  status: matching(/^[1-5]\d\d$/),
  slower_than: matching(/^\d{1,8}$/),
  costs_over: matching(/^\d{1,9}(?:\.\d{1,6})?$/),
} as const;
/** `since` and `until`: a span that a chart or another request led to; it counts instead of the range. */
export const fields = { range, since: time, until: time, live: flag, ...filterFields } as const;
export type RequestsState = StateOf<typeof fields>;

export type RequestsQuery = NonNullable<Input<AdminContract['listRequests']>['query']>;

const MAX_MS = 31 * 86_400_000;

/** The span that is asked for, no longer than a list may be. */
export function listSpanOf({ range, since, until }: RequestsState, now: Date): Span & { readonly isBounded: boolean } {
  const { from, to } = since !== '' && until !== '' ? { from: since, to: until } : spanTextsOf(range, now);
  const first = Date.parse(to) - MAX_MS;
  return Date.parse(from) < first ? { from: new Date(first).toISOString(), to, isBounded: true } : { from, to, isBounded: false };
}

export function queryOf(state: RequestsState, now: Date): RequestsQuery {
  const { from, to } = listSpanOf(state, now);
  const { outcome, status, slower_than } = state;
  return {
    from,
    to,
    ...(outcome !== '' && { outcome }),
    ...(status !== '' && { status: Number(status) }),
    ...(slower_than !== '' && { slower_than: Number(slower_than) }),
    ...Object.fromEntries(textNames.flatMap((name) => (state[name] === '' ? [] : [[name, state[name]]]))),
  };
}
const textNames = ['model', 'account_id', 'key_id', 'upstream', 'code', 'operation', 'session', 'costs_over'] as const;
const names = Object.keys(filterFields) as readonly (keyof typeof filterFields)[];

export const isFiltered = (state: RequestsState): boolean => state.since !== '' || names.some((name) => state[name] !== '');
export const noFilters = { since: '', until: '', ...Object.fromEntries(names.map((name) => [name, ''])) };

const operations = ['createChatCompletion', 'createResponse', 'generateImages', 'editImages', 'listModels'];

export function filtersOf(state: RequestsState, known: Names): readonly Filter[] {
  const of = (name: keyof typeof filterFields): Filter => ({ name, label: words.filters[name], value: state[name] });
  return [
    { ...of('outcome'), options: outcomes.map((value) => ({ value, label: words.outcomes[value] })) },
    of('model'),
    { ...of('account_id'), shown: known.accountOf(state.account_id), suggestions: known.accounts },
    { ...of('key_id'), shown: known.keyOf(state.key_id), suggestions: known.keys },
    of('upstream'),
    of('code'),
    { ...of('operation'), suggestions: operations.map((value) => ({ value })) },
    of('session'),
    of('status'),
    of('slower_than'),
    of('costs_over'),
  ];
}

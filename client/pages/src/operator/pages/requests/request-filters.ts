/** Filters of the request list: their URL parameters, and the resulting query. */
import type { AdminContract } from '../../../../../../contract/admin/index.ts';
import type { Input } from '../../../data/contract-types.ts';
import { formatTime } from '../../../data/times.ts';
import { createEnumField, type Field, flag, range, text, type UrlState } from '../../../data/url-state.ts';
import type { Filter } from '../../../kit/filter-editor.tsx';
import { requests as words } from '../../../texts/requests.ts';
import { createFilter, type Suggestions } from '../../reads/filter-suggestions.ts';
import { type Span, toIsoSpan } from '../../reads/span.ts';
import { outcomes } from './outcomes.ts';

const createPatternField = (pattern: RegExp): Field<string> => ({ initial: '', accepts: (given): given is string => pattern.test(given) });
const time = createPatternField(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/);

export const filterFields = {
  outcome: createEnumField(['', ...outcomes], ''),
  model: text,
  account_id: text,
  key_id: text,
  upstream: text,
  code: text,
  operation: text,
  session: text,
  end_user: text,
  tag: text,
  status: createPatternField(/^[1-5]\d\d$/),
  slower_than: createPatternField(/^\d{1,8}$/),
  costs_over: createPatternField(/^\d{1,9}(?:\.\d{1,6})?$/),
} as const;
/** `since` and `until`: a period that a chart or another request linked to, which overrides the range. */
export const fields = {
  range,
  since: time,
  until: time,
  live: flag,
  sort: createEnumField(['time', 'charged', 'duration'], 'time'),
  order: createEnumField(['desc', 'asc'], 'desc'),
  ...filterFields,
} as const;
export type RequestsState = UrlState<typeof fields>;

export type RequestsQuery = NonNullable<Input<AdminContract['listRequests']>['query']>;

const DAY_MS = 86_400_000;
const MAX_DAYS = 31;
/** Maximum period of lists of all accounts that aren't sorted by time. */
const MAX_SORTED_DAYS = 7;

/** Maximum period of a list. */
export const getMaxDays = ({ sort, account_id, key_id }: RequestsState): number =>
  sort === 'time' || account_id !== '' || key_id !== '' ? MAX_DAYS : MAX_SORTED_DAYS;

/** The requested period, shortened to the maximum of a list. */
export function getListSpan(state: RequestsState, now: Date): Span & { readonly isBounded: boolean } {
  const { range, since, until } = state;
  const { from, to } = since !== '' && until !== '' ? { from: since, to: until } : toIsoSpan(range, now);
  const first = Date.parse(to) - getMaxDays(state) * DAY_MS;
  return Date.parse(from) < first ? { from: new Date(first).toISOString(), to, isBounded: true } : { from, to, isBounded: false };
}

export function toQuery(state: RequestsState, now: Date): Omit<RequestsQuery, 'sort' | 'order'> {
  const { from, to } = getListSpan(state, now);
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

/** The CSV supports only the order by time. */
export function toListQuery(state: RequestsState, now: Date): RequestsQuery {
  const { sort, order } = state;
  return { ...toQuery(state, now), ...(sort !== fields.sort.initial && { sort }), ...(order !== fields.order.initial && { order }) };
}

const suggestedNames = ['model', 'account_id', 'key_id', 'upstream', 'code', 'operation', 'session', 'end_user', 'tag'] as const;
const textNames = [...suggestedNames, 'costs_over'] as const;
const names = Object.keys(filterFields) as readonly (keyof typeof filterFields)[];

export const isFiltered = (state: RequestsState): boolean => state.since !== '' || names.some((name) => state[name] !== '');
export const noFilters = { since: '', until: '', ...Object.fromEntries(names.map((name) => [name, ''])) };

/** Filters in the menu. The outcome has its own control above the list. */
export function listFilters(state: RequestsState, suggestions: Suggestions): readonly Filter[] {
  const { since, until } = state;
  const span = since === '' || until === '' ? '' : `${formatTime(new Date(since))} – ${formatTime(new Date(until))}`;
  const suggested = suggestedNames.map((name) => createFilter(name, state[name], suggestions));
  const ruled = (['status', 'slower_than', 'costs_over'] as const).map((name) => ({
    name,
    label: words.filters[name],
    value: state[name],
    rule: { text: words.filterRules[name], accepts: filterFields[name].accepts },
  }));
  return [{ name: 'since', label: words.timeSpan, value: span, isFixed: true }, ...suggested, ...ruled];
}

/** The URL of the activity page, its query, and the requests behind its numbers. */
import type { AdminContract } from '../../../../../../contract/admin/index.ts';
import type { Input } from '../../../data/contract-types.ts';
import { createEnumField, flag, range, text, type UrlState } from '../../../data/url-state.ts';
import type { Filter } from '../../../kit/filter-editor.tsx';
import { activity as words } from '../../../texts/activity.ts';
import type { Activity, ActivitySeries } from '../../reads/buckets.ts';
import { type Suggestions, createFilter as setFilter } from '../../reads/filter-suggestions.ts';
import { type RequestFilter, requestsPath } from '../../reads/links.ts';
import type { Names } from '../../reads/names.ts';
import { toIsoSpan } from '../../reads/span.ts';
import { type Dimension, dimensions, type Metric, metricNames } from './offered.ts';

export const filterNames = ['model', 'account_id', 'key_id', 'upstream', 'operation', 'code', 'session', 'end_user', 'tag'] as const;
export const fields = {
  range,
  metric: createEnumField(metricNames, 'spend'),
  by: createEnumField(dimensions, 'model'),
  /** A second dimension. */
  second: createEnumField(['', ...dimensions], ''),
  /** Whether the previous period is read too. */
  compare: flag,
  /** Whether the table has a row for each value that the chart combines as "other". */
  more: flag,
  model: text,
  account_id: text,
  key_id: text,
  upstream: text,
  operation: text,
  code: text,
  session: text,
  end_user: text,
  tag: text,
} as const;
export type ActivityState = UrlState<typeof fields>;

/** The URL parameter of the requests page, and of the query, that filters by a dimension. */
export const filterFields = {
  model: 'model',
  key: 'key_id',
  account: 'account_id',
  upstream: 'upstream',
  operation: 'operation',
  code: 'code',
  session: 'session',
  end_user: 'end_user',
  tag: 'tag',
} as const satisfies Record<Dimension, (typeof filterNames)[number]>;

export type ActivityQuery = NonNullable<Input<AdminContract['getActivity']>['query']>;

const setFilters = (state: ActivityState): RequestFilter =>
  Object.fromEntries(filterNames.flatMap((name) => (state[name] === '' ? [] : [[name, state[name]]])));

export function toQuery(state: ActivityState, now: Date): ActivityQuery {
  const { by, second } = state;
  return { ...toIsoSpan(state.range, now), group_by: by, ...(second !== '' && { then_by: second }), ...setFilters(state) };
}

/** The same query for the previous period: both ends earlier by whole hours, or by whole days for a range of days, like the stored totals. */
export function toPreviousQuery(query: ActivityQuery, { from, to }: Pick<Activity, 'from' | 'to'>, now: number): ActivityQuery {
  const [begin, end] = [Date.parse(from), Date.parse(to)];
  const isDays = end - begin > MAX_HOURS * HOUR_MS;
  const unit = isDays ? DAY_MS : HOUR_MS;
  const shift = Math.ceil((end - begin) / unit) * unit;
  // Hourly totals per key aren't kept longer.
  const floorTime = (at: number): number => at - (at % (isDays && now - at > HOURS_KEPT_MS ? DAY_MS : HOUR_MS));
  return {
    ...query,
    from: new Date(floorTime(begin - shift)).toISOString(),
    to: new Date(floorTime(end - shift)).toISOString(),
    top: MAX_ROWS,
  };
}
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Longer ranges have daily buckets. */
const MAX_HOURS = 48;
const HOURS_KEPT_MS = 92 * DAY_MS;
/** Maximum number of series in a response. */
export const MAX_ROWS = 100;

/** The requests behind a series, a bucket, or both. If errors are shown, only failed calls. */
export function getRequestsPath(state: ActivityState, more: RequestFilter): string {
  const failed: RequestFilter = state.metric === ('errors' satisfies Metric) ? { outcome: 'failed' } : {};
  return requestsPath({ range: state.range === range.initial ? '' : state.range, ...setFilters(state), ...failed, ...more });
}

export const isFiltered = (state: ActivityState): boolean => filterNames.some((name) => state[name] !== '');
export const noFilters = Object.fromEntries(filterNames.map((name) => [name, '']));

export const listFilters = (state: ActivityState, suggestions: Suggestions): readonly Filter[] =>
  filterNames.map((name) => setFilter(name, state[name], suggestions));

type Series = Pick<ActivitySeries, 'key' | 'then_key' | 'is_other' | 'label'>;

export const getSeriesId = ({ key, then_key: thenKey, is_other }: Omit<Series, 'label'>): string =>
  is_other ? 'other' : JSON.stringify([key, thenKey]);

/** The filters of a series. Null for "other", and for requests without a value, which can't be filtered. */
export function toSeriesFilters(
  { key, then_key: thenKey, is_other }: Omit<Series, 'label'>,
  { by, second }: ActivityState,
): RequestFilter | null {
  if (is_other || key === null || key === '' || thenKey === '') return null;
  return { [filterFields[by]]: key, ...(second !== '' && thenKey !== null && { [filterFields[second]]: thenKey }) };
}

export function nameSeries({ key, then_key: thenKey, is_other, label }: Series, { by, second }: ActivityState, known: Names): string {
  // The API has the names of accounts and keys if they're the only dimension.
  if (second === '' && (by === 'account' || by === 'key') && key !== null && key !== '') return label;
  const first = getLabel({ key, isOther: is_other }, by, known);
  return is_other || second === '' ? first : `${first} · ${getLabel({ key: thenKey, isOther: false }, second, known)}`;
}

/** The label of a series: the name of an account or key, the value itself, or a text for none. */
function getLabel({ key, isOther }: { readonly key: string | null; readonly isOther: boolean }, by: Dimension, known: Names): string {
  if (isOther || key === null) return words.other;
  if (key === '') return words.withoutValue[by];
  if (by === 'account') return known.getAccountName(key);
  return by === 'key' ? known.getKeyName(key) : key;
}

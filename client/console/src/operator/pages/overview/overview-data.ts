/** What the overview shows, whatever calls it comes from: only this file knows them. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { Failure } from '../../../data/failure.ts';
import { useUrlState } from '../../../data/url-state.ts';
import { rangeFields } from '../../../kit/range-picker.tsx';
import { useRead } from '../../api.ts';
import type { Activity, Sums } from '../../reads/buckets.ts';
import { spanBefore, useSpan } from '../../reads/span.ts';
import { type Attention, accountsIn, callsIn, keysIn, worstFirst } from './attention.ts';

export interface OverviewData {
  readonly activity: UseQueryResult<Activity, Failure>;
  /** Of the range before; undefined while it is awaited. */
  readonly before: Sums | undefined;
  /** Undefined while it is awaited. */
  readonly attention: readonly Attention[] | undefined;
  /** How many keys work; undefined while it is awaited. */
  readonly keys: number | undefined;
}

const POLL_MS = 10_000;
const MOST = 1_000;

export function useOverview(): OverviewData {
  const [{ range }] = useUrlState(rangeFields);
  const span = useSpan();
  const activity = useRead('getActivity', { query: span }, { everyMs: POLL_MS });
  const before = useRead('getActivity', { query: spanBefore(span) });
  const accounts = useRead('listAccounts', { query: { limit: MOST } });
  const keys = useRead('listKeys', { query: { limit: MOST } });
  const isRead = activity.data !== undefined && accounts.data !== undefined && keys.data !== undefined;
  return {
    activity,
    before: before.data?.total,
    attention: isRead
      ? worstFirst([...callsIn(activity.data, range), ...accountsIn(accounts.data.data), ...keysIn(keys.data.data, new Date())])
      : undefined,
    keys: keys.data?.data.filter(({ state }) => state === 'active').length,
  };
}

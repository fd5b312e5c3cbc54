/** Data of the overview, in one response. Other data is read only before the first call. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { AdminContract } from '../../../../../../contract/admin/index.ts';
import type { Success } from '../../../data/contract-types.ts';
import type { Failure } from '../../../data/failure.ts';
import { useRead } from '../../api.ts';
import { toIsoSpan, useSpan } from '../../reads/span.ts';

export type OverviewBody = Success<AdminContract['getOverview']>;

const POLL_MS = 10_000;
const MOST = 1_000;

export function useOverview(): UseQueryResult<OverviewBody, Failure> {
  return useRead('getOverview', { query: useSpan() }, { everyMs: POLL_MS });
}

/** Number of active keys. Undefined while loading. */
export function useWorkingKeys(isEnabled: boolean): number | undefined {
  const keys = useRead('listKeys', { query: { limit: MOST } }, { isEnabled });
  return keys.data?.data.filter(({ state }) => state === 'active').length;
}

/** Whether any call ended in the last 30 days. Undefined while loading. */
export function useWasCalled(isEnabled: boolean): boolean | undefined {
  const month = useRead('getActivity', { query: toIsoSpan('30d', new Date()) }, { isEnabled });
  return month.data && month.data.total.requests > 0;
}

export const hasCalls = ({ activity, before }: OverviewBody): boolean => activity.total.requests > 0 || before.requests > 0;

/** The rows of the list, page by page. In the live view, pages are read every two seconds while the tab is visible. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { AdminContract } from '../../../../../../contract/admin/index.ts';
import type { Success } from '../../../data/contract-types.ts';
import type { Failure } from '../../../data/failure.ts';
import { call } from '../../api.ts';
import type { RequestsQuery } from './request-filters.ts';

type Page = Success<AdminContract['listRequests']>;
export type RequestRow = Page['data'][number];

const PAGE_LENGTH = 50;
const LIVE_MS = 2_000;

export function useRequestList(query: RequestsQuery, isLive: boolean) {
  return useInfiniteQuery<Page, Failure, readonly RequestRow[], readonly unknown[], string | undefined>({
    queryKey: ['listRequests', query],
    queryFn: async ({ pageParam, signal }) => {
      const after = pageParam === undefined ? {} : { after: pageParam };
      const result = await call('listRequests', { query: { ...query, limit: PAGE_LENGTH, ...after } }, signal);
      if (result.ok) return result.body;
      throw result.failure;
    },
    initialPageParam: undefined,
    getNextPageParam: ({ has_more, last_id }) => (has_more && last_id !== null ? last_id : undefined),
    select: ({ pages }) => pages.flatMap(({ data }) => data),
    placeholderData: keepPreviousData,
    refetchInterval: isLive && LIVE_MS,
  });
}

/**
 * Groups consecutive calls with the same outcome in one expandable row: rejections of one caller with the same code, and failures of all callers with the
 * same code at the same upstream.
 */
import { useEffect, useState } from 'react';
import type { RequestRow } from './request-list.ts';

export interface Group {
  /** ID of its oldest call, because newer ones may join while the list is live. */
  readonly id: string;
  readonly code: string;
  readonly outcome: 'rejected' | 'failed';
  /** Newest first, at least two. */
  readonly calls: readonly RequestRow[];
  readonly isExpanded: boolean;
  /** Whether older calls, which aren't loaded, may belong to it. */
  readonly isOpenEnded: boolean;
}
/** A single call, a call below its group, or a group. */
export type ListedRow = { readonly call: RequestRow; readonly isInGroup: boolean } | { readonly group: Group };

export const getRowId = (row: ListedRow): string => ('group' in row ? row.group.id : row.call.request_id);

export interface GroupOptions {
  /** Whether the group of a call was expanded or collapsed, by the call's ID. */
  readonly expanded: ReadonlyMap<string, boolean>;
  /** Whether the list has older calls. */
  readonly hasMore: boolean;
}
export function groupCalls(rows: readonly RequestRow[], { expanded, hasMore }: GroupOptions): readonly ListedRow[] {
  return groupRuns(rows).flatMap((calls, index, runs): readonly ListedRow[] => {
    const [first, second] = calls;
    const outcome = first && getGroupedOutcome(first);
    if (!outcome || first.code === null || second === undefined) return calls.map((call) => ({ call, isInGroup: false }));
    const choices = calls.map(({ request_id: id }) => expanded.get(id));
    // If the list has only one group, it starts expanded, because collapsed it would hide all calls.
    const isExpanded = choices.includes(true) || (runs.length === 1 && !choices.includes(false));
    const isOpenEnded = hasMore && index === runs.length - 1;
    const group = { id: `group ${calls.at(-1)?.request_id}`, code: first.code, outcome, calls, isExpanded, isOpenEnded };
    return [{ group }, ...(isExpanded ? calls.map((call) => ({ call, isInGroup: true })) : [])];
  });
}

/** Null if calls with this outcome aren't grouped. */
const getGroupedOutcome = ({ outcome }: RequestRow): Group['outcome'] | null =>
  outcome === 'rejected' || outcome === 'failed' ? outcome : null;

/** The key that all calls of a group share. Null if the call isn't grouped. */
function getCause(row: RequestRow): string | null {
  if (row.code === null || getGroupedOutcome(row) === null) return null;
  return JSON.stringify(
    row.outcome === 'failed' ? [row.outcome, row.code, row.upstream] : [row.outcome, row.code, row.account_id, row.key_id],
  );
}

function groupRuns(rows: readonly RequestRow[]): readonly (readonly RequestRow[])[] {
  const runs: RequestRow[][] = [];
  for (const row of rows) {
    const last = runs.at(-1);
    const cause = getCause(row);
    if (last?.[0] !== undefined && cause !== null && cause === getCause(last[0])) last.push(row);
    else runs.push([row]);
  }
  return runs;
}

/** The number of calls in a group, including those that a row of the log combines. */
export const countCalls = ({ calls }: Pick<Group, 'calls'>): number => calls.reduce((sum, { repeats }) => sum + 1 + repeats, 0);

/** The groups that were expanded or collapsed, initially that of the open call. */
export function useExpanded(openId: string) {
  const [expanded, setExpanded] = useState<ReadonlyMap<string, boolean>>(new Map());
  useEffect(() => {
    if (openId !== '') setExpanded((now) => new Map([...now, [openId, true]]));
  }, [openId]);
  const toggle = ({ calls, isExpanded }: Group) =>
    setExpanded((now) => new Map([...now, ...calls.map(({ request_id: id }) => [id, !isExpanded] as const)]));
  return { expanded, toggle };
}

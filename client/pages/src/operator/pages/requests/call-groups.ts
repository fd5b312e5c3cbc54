/**
 * Calls that follow each other and ended alike stand in one row, which shows them when it is opened: rejections of one caller with the same code, and failures
 * of all callers with the same code at the same upstream.
 */
import { useEffect, useState } from 'react';
import type { RequestRow } from './request-list.ts';

export interface Group {
  /** Of its oldest call: newer ones may join while the list is live. */
  readonly id: string;
  readonly code: string;
  readonly outcome: 'rejected' | 'failed';
  /** Newest first, at least two. */
  readonly calls: readonly RequestRow[];
  readonly isExpanded: boolean;
}
/** A call that stands alone, one of the calls below their group, or a group. */
export type ListedRow = { readonly call: RequestRow; readonly isInGroup: boolean } | { readonly group: Group };

export const getRowId = (row: ListedRow): string => ('group' in row ? row.group.id : row.call.request_id);

/** `expanded`: ids of calls whose group is open. */
export function groupCalls(rows: readonly RequestRow[], expanded: ReadonlySet<string>): readonly ListedRow[] {
  return groupRuns(rows).flatMap((calls): readonly ListedRow[] => {
    const [first, second] = calls;
    const outcome = first && getGroupedOutcome(first);
    if (!outcome || first.code === null || second === undefined) return calls.map((call) => ({ call, isInGroup: false }));
    const isExpanded = calls.some(({ request_id: id }) => expanded.has(id));
    const group = { id: `group ${calls.at(-1)?.request_id}`, code: first.code, outcome, calls, isExpanded };
    return [{ group }, ...(isExpanded ? calls.map((call) => ({ call, isInGroup: true })) : [])];
  });
}

/** Null: calls with this outcome are not grouped. */
const getGroupedOutcome = ({ outcome }: RequestRow): Group['outcome'] | null =>
  outcome === 'rejected' || outcome === 'failed' ? outcome : null;

/** What calls of one group have in common; null: the call stands alone. */
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

/** All calls of a group, with those that a row of the log stands for. */
export const countCalls = ({ calls }: Pick<Group, 'calls'>): number => calls.reduce((sum, { repeats }) => sum + 1 + repeats, 0);

/** The expanded groups. At first that's the group of the open call. */
export function useExpanded(openId: string) {
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    if (openId !== '') setExpanded((now) => new Set([...now, openId]));
  }, [openId]);
  const toggle = ({ calls, isExpanded }: Group) =>
    setExpanded((now) => {
      const ids = calls.map(({ request_id: id }) => id);
      return isExpanded ? new Set([...now].filter((id) => !ids.includes(id))) : new Set([...now, ...ids]);
    });
  return { expanded, toggle };
}

/** Rejections that follow each other with the same code and the same caller stand in one row, which shows them when it is opened. */
import { useEffect, useState } from 'react';
import type { RequestRow } from './request-list.ts';

export interface Group {
  /** Of its oldest call: newer ones may join while the list is live. */
  readonly id: string;
  readonly code: string;
  /** Newest first, at least two. */
  readonly calls: readonly RequestRow[];
  readonly isExpanded: boolean;
}
/** A call that stands alone, one of the calls below their group, or a group. */
export type ListedRow = { readonly call: RequestRow; readonly isInGroup: boolean } | { readonly group: Group };

export const getRowId = (row: ListedRow): string => ('group' in row ? row.group.id : row.call.request_id);

/** `expanded`: ids of calls whose group is open. */
export function groupRejections(rows: readonly RequestRow[], expanded: ReadonlySet<string>): readonly ListedRow[] {
  return groupRuns(rows).flatMap(({ code, calls }): readonly ListedRow[] => {
    const [first, second] = calls;
    if (code === null || first === undefined || second === undefined) return calls.map((call) => ({ call, isInGroup: false }));
    const isExpanded = calls.some(({ request_id: id }) => expanded.has(id));
    const group = { id: `group ${calls.at(-1)?.request_id}`, code, calls, isExpanded };
    return [{ group }, ...(isExpanded ? calls.map((call) => ({ call, isInGroup: true })) : [])];
  });
}

interface Run {
  /** Null: it is no rejection. */
  readonly code: string | null;
  readonly calls: RequestRow[];
}
function groupRuns(rows: readonly RequestRow[]): readonly Run[] {
  const runs: Run[] = [];
  for (const row of rows) {
    const code = row.outcome === 'rejected' ? row.code : null;
    const last = runs.at(-1);
    const before = last?.calls.at(-1);
    const isAlike = code !== null && last?.code === code && before?.key_id === row.key_id && before.account_id === row.account_id;
    if (isAlike) last?.calls.push(row);
    else runs.push({ code, calls: [row] });
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

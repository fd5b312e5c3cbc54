/** The period of a page, from the frame's range. */
import { type Range, resolveSpan } from '../../data/ranges.ts';
import { useUrlState } from '../../data/url-state.ts';
import { rangeFields } from '../../kit/range-picker.tsx';

export interface Span {
  /** ISO 8601. */
  readonly from: string;
  readonly to: string;
}

export function toIsoSpan(range: Range, now: Date): Span {
  const { from, to } = resolveSpan(range, now);
  return { from: from.toISOString(), to: to.toISOString() };
}

/** Advances each minute, whenever the page renders. */
export function useSpan(): Span {
  const [{ range }] = useUrlState(rangeFields);
  return toIsoSpan(range, new Date());
}

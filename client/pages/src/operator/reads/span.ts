/** The span of time of a page, from the range of the frame. */
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

/** Moves with the minute, whenever the page is drawn again. */
export function useSpan(): Span {
  const [{ range }] = useUrlState(rangeFields);
  return toIsoSpan(range, new Date());
}

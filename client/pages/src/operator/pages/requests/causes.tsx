/** The causes of listed failures and rejections: one row per cause, most frequent first. A click filters the list. */
import { formatShare } from '../../../data/money.ts';
import { type Column, Table } from '../../../kit/table.tsx';
import { Count } from '../../../kit/values.tsx';
import { kit } from '../../../texts/kit.ts';
import { requests as words } from '../../../texts/requests.ts';
import { useRead } from '../../api.ts';
import { getListSpan, type RequestsState } from './request-filters.ts';

interface Cause {
  readonly code: string;
  /** Empty if no upstream was reached. */
  readonly upstream: string;
  readonly calls: number;
  readonly total: number;
}

const { causes: titles } = words;
const columns: readonly Column<Cause>[] = [
  { id: 'code', title: titles.code, isMain: true, cell: ({ code }) => code },
  {
    id: 'upstream',
    title: titles.upstream,
    isMain: true,
    cell: ({ upstream }) => upstream || <span className="soft">{kit.none}</span>,
  },
  { id: 'calls', title: titles.calls, isNumber: true, isMain: true, card: 'end', cell: ({ calls }) => <Count of={calls} /> },
  { id: 'share', title: titles.share, isNumber: true, isMain: true, cell: ({ calls, total }) => formatShare(calls, total) },
];

const DAY_MS = 86_400_000;
/** Maximum range, in days, for totals by cause for one account, key, or session. */
const MAX_DAYS = 7;
const MAX_CAUSES = 100;

/** Null if totals don't support these filters. */
function toQuery(state: RequestsState, now: Date) {
  const { outcome, status, slower_than, costs_over, model, account_id, key_id, upstream, operation, session, end_user, tag } = state;
  const { from, to } = getListSpan(state, now);
  const isOwned = account_id !== '' || key_id !== '' || session !== '';
  if (outcome !== 'failed' && outcome !== 'rejected') return null;
  if (status !== '' || slower_than !== '' || costs_over !== '') return null;
  if ((end_user !== '' || tag !== '') && account_id === '' && key_id === '') return null;
  if (isOwned && Date.parse(to) - Date.parse(from) > MAX_DAYS * DAY_MS) return null;
  const filters = Object.entries({ model, account_id, key_id, upstream, operation, session, end_user, tag }).filter(
    ([, value]) => value !== '',
  );
  return { from, to, group_by: 'code', then_by: 'upstream', top: MAX_CAUSES, ...Object.fromEntries(filters) } as const;
}

export interface CausesProps {
  readonly state: RequestsState;
  readonly onChoose: (cause: Pick<Cause, 'code' | 'upstream'>) => void;
}
export function Causes({ state, onChoose }: CausesProps) {
  const query = state.code === '' ? toQuery(state, new Date()) : null;
  const { data, isPlaceholderData } = useRead('getActivity', { query: query ?? {} }, { isEnabled: query !== null });
  if (query === null || data === undefined || isPlaceholderData) return null;
  const causes = data.series.flatMap(({ key, then_key: upstream, total: sums }): readonly Cause[] => {
    const [calls, total] = state.outcome === 'failed' ? [sums.errors, data.total.errors] : [sums.rejected, data.total.rejected];
    return key && calls > 0 ? [{ code: key, upstream: upstream ?? '', calls, total }] : [];
  });
  if (causes.length === 0) return null;
  return (
    <section className="stack" aria-label={titles.title}>
      <h2>{titles.title}</h2>
      <Table
        caption={titles.title}
        columns={columns}
        rows={causes.toSorted((one, other) => other.calls - one.calls)}
        getRowId={({ code, upstream }) => `${code} ${upstream}`}
        onOpen={onChoose}
      />
    </section>
  );
}

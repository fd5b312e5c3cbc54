/** Requests: ended calls, newest first, and one of them beside the list. */
import { useState } from 'react';
import { useLocation, useParams, useSearchParams } from 'wouter';
import { useUrlState } from '../../../data/url-state.ts';
import { Button } from '../../../kit/button.tsx';
import { Filters, QuickFilter } from '../../../kit/filters.tsx';
import { Empty, Failed, Waiting } from '../../../kit/states.tsx';
import { Table } from '../../../kit/table.tsx';
import { requests as words } from '../../../texts/requests.ts';
import { CsvLink } from '../../parts/csv-link.tsx';
import { hasOwner, useSuggestions } from '../../reads/filter-suggestions.ts';
import { getRowId, groupCalls, useExpanded } from './call-groups.ts';
import { Causes } from './causes.tsx';
import { columns } from './columns.tsx';
import { outcomes } from './outcomes.ts';
import {
  fields,
  getListSpan,
  getMaxDays,
  isFiltered,
  listFilters,
  noFilters,
  type RequestsState,
  toListQuery,
  toQuery,
} from './request-filters.ts';
import { type RequestRow, useRequestList } from './request-list.ts';
import { RequestPanel } from './request-panel.tsx';

export function Requests() {
  const [state, set] = useUrlState(fields);
  const { id = '' } = useParams<{ id?: string }>();
  const [search] = useSearchParams();
  const [, navigate] = useLocation();
  const [isEdited, setEdited] = useState(false);
  const suggestions = useSuggestions(isEdited, hasOwner(state));
  const open = (to: string) => navigate(`/requests${to === '' ? '' : `/${encodeURIComponent(to)}`}${search.size > 0 ? `?${search}` : ''}`);
  return (
    <section className="stack wide">
      <Head state={state} onLive={(isLive) => set({ live: isLive ? '1' : '' })} />
      <search className="request-filters">
        <QuickFilter
          label={words.filters.outcome}
          value={state.outcome}
          choices={[{ value: '', label: words.allOutcomes }, ...outcomes.map((value) => ({ value, label: words.outcomes[value] }))]}
          onChange={(outcome) => set({ outcome })}
        />
        <Filters
          filters={listFilters(state, suggestions)}
          // A period has two parameters, and both are removed.
          onChange={(changes) => set('since' in changes ? { since: '', until: '' } : changes)}
          onEdit={() => setEdited(true)}
        />
      </search>
      {id === '' && <Causes state={state} onChoose={({ code, upstream }) => set({ code, ...(upstream !== '' && { upstream }) })} />}
      <div className="split">
        <List state={state} openId={id} onOpen={open} onChange={set} />
        {id !== '' && <RequestPanel key={id} id={id} onClose={() => open('')} />}
      </div>
    </section>
  );
}

const isNewestFirst = ({ sort, order }: RequestsState): boolean => sort === fields.sort.initial && order === fields.order.initial;

function Head({ state, onLive }: { readonly state: RequestsState; readonly onLive: (isLive: boolean) => void }) {
  const isLive = state.live === '1';
  return (
    <div className="page-head">
      <h1>{words.title}</h1>
      <div className="row">
        <Button
          aria-pressed={isLive}
          icon={isLive ? 'check' : 'start'}
          refusal={isNewestFirst(state) ? undefined : words.liveNeedsTime}
          onClick={() => onLive(!isLive)}
        >
          {words.live}
        </Button>
        <CsvLink of="requests" query={toQuery({ ...state, sort: 'time' }, new Date())} />
      </div>
    </div>
  );
}

interface ListProps {
  readonly state: RequestsState;
  readonly openId: string;
  readonly onOpen: (id: string) => void;
  readonly onChange: (changes: Partial<RequestsState>) => void;
}
function List({ state, openId, onOpen, onChange }: ListProps) {
  const now = new Date();
  const list = useRequestList(toListQuery(state, now), state.live === '1' && isNewestFirst(state));
  if (list.data === undefined && list.error === null) return <Waiting on={list} rows={10} />;
  const rows = list.data ?? [];
  return (
    <div className="stack" aria-busy={list.isFetching || undefined}>
      {list.error && <Failed failure={list.error} onRetry={() => void list.refetch()} />}
      {list.data !== undefined && rows.length === 0 && <NoRequests state={state} onChange={onChange} />}
      {rows.length > 0 && <Rows rows={rows} list={list} state={state} openId={openId} onOpen={onOpen} onChange={onChange} />}
      {getListSpan(state, now).isBounded && <p className="soft small">{words.bounded(getMaxDays(state))}</p>}
    </div>
  );
}

interface RowsProps extends ListProps {
  readonly rows: readonly RequestRow[];
  readonly list: Pick<ReturnType<typeof useRequestList>, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>;
}
function Rows({ rows, list, state, openId, onOpen, onChange }: RowsProps) {
  const { sort, order } = state;
  const { expanded, toggle } = useExpanded(openId);
  // Only in this order are the calls of a group consecutive, newest first.
  const shown = isNewestFirst(state)
    ? groupCalls(rows, { expanded, hasMore: list.hasNextPage })
    : rows.map((call) => ({ call, isInGroup: false }));
  return (
    <Table
      caption={isNewestFirst(state) ? words.caption : words.sortedCaption(words.columns[sort])}
      columns={openId === '' ? columns : columns.filter(({ isMain }) => isMain)}
      rows={shown}
      getRowId={getRowId}
      onOpen={(row) => ('group' in row ? toggle(row.group) : onOpen(row.call.request_id))}
      isExpanded={(row) => ('group' in row ? row.group.isExpanded : undefined)}
      openId={openId}
      sorting={{ by: sort, order, onSort: (by, next) => onChange({ sort: fields.sort.accepts(by) ? by : 'time', order: next }) }}
      onMore={list.hasNextPage ? () => void list.fetchNextPage() : undefined}
      isReadingMore={list.isFetchingNextPage}
    />
  );
}

function NoRequests({ state, onChange }: Pick<ListProps, 'state' | 'onChange'>) {
  if (isFiltered(state))
    return (
      <Empty title={words.emptyFiltered}>
        <Button onClick={() => onChange(noFilters)}>{words.clearFilters}</Button>
      </Empty>
    );
  const widen = () => onChange({ range: '30d' });
  return <Empty title={words.empty}>{state.range !== '30d' && <Button onClick={widen}>{words.widen}</Button>}</Empty>;
}

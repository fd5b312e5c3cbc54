/** Requests: calls that ended, newest first, and one of them beside the list. */
import { useLocation, useParams, useSearchParams } from 'wouter';
import { formatTime } from '../../../data/times.ts';
import { useUrlState } from '../../../data/url-state.ts';
import { Button } from '../../../kit/button.tsx';
import { Filters } from '../../../kit/filters.tsx';
import { Empty, Failed, Waiting } from '../../../kit/states.tsx';
import { Table } from '../../../kit/table.tsx';
import { requests as words } from '../../../texts/requests.ts';
import { CsvLink } from '../../parts/csv-link.tsx';
import { useNames } from '../../reads/names.ts';
import { columnsOf } from './columns.tsx';
import { fields, filtersOf, isFiltered, listSpanOf, noFilters, queryOf, type RequestsState } from './request-filters.ts';
import { useRequestList } from './request-list.ts';
import { RequestPanel } from './request-panel.tsx';

export function Requests() {
  const [state, set] = useUrlState(fields);
  const { id = '' } = useParams<{ id?: string }>();
  const [search] = useSearchParams();
  const [, navigate] = useLocation();
  const names = useNames();
  const open = (to: string) => navigate(`/requests${to === '' ? '' : `/${encodeURIComponent(to)}`}${search.size > 0 ? `?${search}` : ''}`);
  return (
    <section className="stack wide">
      <Head state={state} onLive={(isLive) => set({ live: isLive ? '1' : '' })} />
      <div className="row">
        {state.since !== '' && state.until !== '' && <SpanChip state={state} onClear={() => set({ since: '', until: '' })} />}
        <Filters filters={filtersOf(state, names)} onChange={(changes) => set(changes)} />
      </div>
      <div className="split">
        <List state={state} openId={id} onOpen={open} onClear={() => set(noFilters)} onWiden={() => set({ range: '30d' })} />
        {id !== '' && <RequestPanel key={id} id={id} names={names} onClose={() => open('')} />}
      </div>
    </section>
  );
}

function Head({ state, onLive }: { readonly state: RequestsState; readonly onLive: (isLive: boolean) => void }) {
  const isLive = state.live === '1';
  return (
    <div className="page-head">
      <h1>{words.title}</h1>
      <div className="row">
        <Button aria-pressed={isLive} icon={isLive ? 'check' : 'start'} onClick={() => onLive(!isLive)}>
          {words.live}
        </Button>
        <CsvLink of="requests" query={queryOf(state, new Date())} />
      </div>
    </div>
  );
}

function SpanChip({ state: { since, until }, onClear }: { readonly state: RequestsState; readonly onClear: () => void }) {
  return (
    <Button onClick={onClear} icon="close">
      {words.timeSpan}: {formatTime(new Date(since))} – {formatTime(new Date(until))}
    </Button>
  );
}

interface ListProps {
  readonly state: RequestsState;
  readonly openId: string;
  readonly onOpen: (id: string) => void;
  readonly onClear: () => void;
  readonly onWiden: () => void;
}
function List({ state, openId, onOpen, onClear, onWiden }: ListProps) {
  const now = new Date();
  const list = useRequestList(queryOf(state, now), state.live === '1');
  const names = useNames();
  const columns = columnsOf(names);
  if (list.data === undefined && list.error === null) return <Waiting on={list} rows={10} />;
  const rows = list.data ?? [];
  return (
    <div className="stack" aria-busy={list.isFetching || undefined}>
      {list.error && <Failed failure={list.error} onRetry={() => void list.refetch()} />}
      {list.data !== undefined && rows.length === 0 && <NoRequests state={state} onClear={onClear} onWiden={onWiden} />}
      {rows.length > 0 && (
        <Table
          caption={words.caption}
          columns={openId === '' ? columns : columns.filter(({ isMain }) => isMain)}
          rows={rows}
          idOf={({ request_id }) => request_id}
          onOpen={({ request_id }) => onOpen(request_id)}
          openId={openId}
          onMore={list.hasNextPage ? () => void list.fetchNextPage() : undefined}
          isReadingMore={list.isFetchingNextPage}
        />
      )}
      {listSpanOf(state, now).isBounded && <p className="soft small">{words.bounded}</p>}
    </div>
  );
}

function NoRequests({ state, onClear, onWiden }: Pick<ListProps, 'state' | 'onClear' | 'onWiden'>) {
  if (isFiltered(state))
    return (
      <Empty title={words.emptyFiltered}>
        <Button onClick={onClear}>{words.clearFilters}</Button>
      </Empty>
    );
  return <Empty title={words.empty}>{state.range !== '30d' && <Button onClick={onWiden}>{words.widen}</Button>}</Empty>;
}

/** Alerts: what is wrong now or was, with ways to it, and who is told. */
import { useState } from 'react';
import { Link } from 'wouter';
import type { Alert } from '../../../../../../contract/admin/alerts.ts';
import { oneOf, useUrlState } from '../../../data/url-state.ts';
import { Button } from '../../../kit/button.tsx';
import { Segments } from '../../../kit/segments.tsx';
import { Empty, Loaded } from '../../../kit/states.tsx';
import { type Column, Table } from '../../../kit/table.tsx';
import { State, Time } from '../../../kit/values.tsx';
import { alerts as words } from '../../../texts/alerts.ts';
import { useRead } from '../../api.ts';
import { requestsPath } from '../../reads/links.ts';
import { Webhooks } from './webhooks.tsx';

const states = ['open', 'resolved', 'all'] as const;
type Shown = (typeof states)[number];
const fields = { state: oneOf(states, 'open') } as const;

/** Where the thing that is wrong can be seen. */
function pathOf({ kind, subject }: Alert): string {
  const id = encodeURIComponent(subject ?? '');
  if (kind === 'balance_low') return `/accounts/${id}`;
  if (kind === 'cap_used') return `/keys?open=${id}`;
  return kind === 'upstream_unavailable' ? requestsPath({ upstream: subject ?? '' }) : '/activity';
}

const { columns: titles } = words;
const columns: readonly Column<Alert>[] = [
  {
    id: 'kind',
    title: titles.kind,
    isMain: true,
    cell: ({ kind, resolved_at }) => <State tone={resolved_at === null ? 'bad' : 'neutral'}>{words.kinds[kind]}</State>,
  },
  {
    id: 'what',
    title: titles.message,
    isMain: true,
    cell: (alert) => (
      <Link className="wrapped" href={pathOf(alert)}>
        {alert.message}
      </Link>
    ),
  },
  { id: 'opened', title: titles.opened, isMain: true, cell: ({ opened_at }) => <Time at={opened_at} /> },
  {
    id: 'resolved',
    title: titles.resolved,
    isMain: true,
    cell: ({ resolved_at }) => (resolved_at === null ? words.open : <Time at={resolved_at} />),
  },
];

const PAGE_LENGTH = 100;
/** The most that the list gives at once. */
const MOST = 1_000;

export function Alerts() {
  const [{ state }, set] = useUrlState(fields);
  return (
    <section className="stack wide">
      <div className="page-head">
        <h1>{words.title}</h1>
        <Segments
          label={words.stateFilter}
          value={state}
          choices={states.map((value) => ({ value, label: words.stateOptions[value] }))}
          onChange={(chosen) => set({ state: chosen })}
        />
      </div>
      <p className="soft">{words.lead}</p>
      <List key={state} state={state} onAll={() => set({ state: 'all' })} />
      <Webhooks />
    </section>
  );
}

function List({ state, onAll }: { readonly state: Shown; readonly onAll: () => void }) {
  const [length, setLength] = useState(PAGE_LENGTH);
  const query = { limit: length, ...(state !== 'all' && { state }) };
  const list = useRead('listAlerts', { query }, { everyMs: 10_000 });
  return (
    <Loaded of={list} rows={3}>
      {({ data, has_more }) =>
        data.length === 0 ? (
          <Empty title={words.empty[state]}>{state !== 'all' && <Button onClick={onAll}>{words.showAll}</Button>}</Empty>
        ) : (
          <Table
            caption={words.caption}
            columns={columns}
            rows={data}
            idOf={({ id }) => id}
            onMore={has_more && length < MOST ? () => setLength(Math.min(length * 3, MOST)) : undefined}
            isReadingMore={list.isFetching}
          />
        )
      }
    </Loaded>
  );
}

/** The audit log: who changed what, newest first, with details of one change beside the list. */
import { useState } from 'react';
import type { AuditEntry } from '../../../../../../contract/admin/operators.ts';
import { text, useUrlState } from '../../../data/url-state.ts';
import { Button } from '../../../kit/button.tsx';
import { SelectField, TextField } from '../../../kit/form.tsx';
import { Empty, Loaded } from '../../../kit/states.tsx';
import { type Column, Table } from '../../../kit/table.tsx';
import { Time } from '../../../kit/values.tsx';
import { audit as words } from '../../../texts/audit.ts';
import { kit } from '../../../texts/kit.ts';
import { useRead } from '../../api.ts';
import { CsvLink } from '../../parts/csv-link.tsx';
import { getActorName, matchesFilter } from './entry.ts';
import { EntryPanel, Sentence } from './entry-panel.tsx';

/** `open`: ID of the entry with open details. */
const fields = { q: text, action: text, actor: text, open: text } as const;

const { columns: titles } = words;
const columns: readonly Column<AuditEntry>[] = [
  { id: 'at', title: titles.at, cell: ({ at }) => <Time at={at} format="second" />, isMain: true },
  { id: 'change', title: titles.change, cell: (entry) => <Sentence entry={entry} />, isMain: true, card: 'second' },
  {
    id: 'actor',
    title: titles.actor,
    cell: ({ actor, names }) => <span className="soft">{getActorName(actor, names[actor])}</span>,
    isMain: true,
    card: 'end',
  },
];

const PAGE_LENGTH = 100;
/** Maximum page size of the log. */
const MOST = 1_000;

export function Audit() {
  const [state, set] = useUrlState(fields);
  const [length, setLength] = useState(PAGE_LENGTH);
  const filter = { ...(state.action !== '' && { action: state.action }), ...(state.actor !== '' && { actor: state.actor }) };
  const log = useRead('listAudit', { query: { limit: length, ...filter } }, { everyMs: 10_000 });
  const newest = useRead('listAudit', { query: { limit: PAGE_LENGTH } });
  const names: AuditEntry['names'] = Object.assign(
    {},
    ...[...(newest.data?.data ?? []), ...(log.data?.data ?? [])].map((entry) => entry.names),
  );
  const isFiltered = state.q !== '' || state.action !== '' || state.actor !== '';
  return (
    <section className="stack wide">
      <div className="page-head">
        <h1>{words.title}</h1>
        <CsvLink of="audit" query={filter} />
      </div>
      <Filters
        actions={listValues(newest.data?.data ?? [], 'action', state.action)}
        actors={listValues(newest.data?.data ?? [], 'actor', state.actor)}
        names={names}
      />
      <Loaded of={log} rows={10}>
        {({ data, has_more }) => {
          const shown = data.filter((entry) => matchesFilter(entry, state));
          const opened = data.find(({ id }) => id === state.open);
          const onMore = has_more && length < MOST ? () => setLength(Math.min(length * 3, MOST)) : undefined;
          return (
            <>
              {state.q !== '' && has_more && <p className="soft">{words.searchBound(data.length)}</p>}
              <div className="split">
                {shown.length === 0 ? (
                  <NoEntries isFiltered={isFiltered} onClear={() => set({ q: '', action: '', actor: '' })} onMore={onMore} />
                ) : (
                  <Table
                    caption={words.caption}
                    columns={columns}
                    rows={shown}
                    getRowId={({ id }) => id}
                    onOpen={({ id }) => set({ open: id })}
                    openId={state.open}
                    onMore={onMore}
                    isReadingMore={log.isFetching}
                  />
                )}
                {opened && <EntryPanel entry={opened} onClose={() => set({ open: '' })} />}
              </div>
            </>
          );
        }}
      </Loaded>
    </section>
  );
}

/** The values in the newest changes, and the selected one, which may be older. */
const listValues = (entries: readonly AuditEntry[], field: 'action' | 'actor', chosen: string): string[] =>
  [...new Set([...entries.map((entry) => entry[field]), ...(chosen === '' ? [] : [chosen])])].sort();

interface FiltersProps {
  readonly actions: readonly string[];
  readonly actors: readonly string[];
  readonly names: AuditEntry['names'];
}
function Filters({ actions, actors, names }: FiltersProps) {
  const [{ q, action, actor }, set] = useUrlState(fields);
  return (
    <search className="filters">
      <TextField label={words.search} name="q" value={q} onChange={(typed) => set({ q: typed }, { replace: true })} />
      <SelectField
        label={words.action}
        name="action"
        value={action}
        onChange={(chosen) => set({ action: chosen })}
        options={[{ value: '', label: words.allActions }, ...actions.map((value) => ({ value, label: value }))]}
      />
      <SelectField
        label={words.actor}
        name="actor"
        value={actor}
        onChange={(chosen) => set({ actor: chosen })}
        options={[{ value: '', label: words.allActors }, ...actors.map((value) => ({ value, label: getActorName(value, names[value]) }))]}
      />
    </search>
  );
}

interface NoEntriesProps {
  readonly isFiltered: boolean;
  readonly onClear: () => void;
  readonly onMore: (() => void) | undefined;
}
const NoEntries = ({ isFiltered, onClear, onMore }: NoEntriesProps) => (
  <Empty title={isFiltered ? words.emptyFiltered : words.empty}>
    {isFiltered && (
      <span className="row">
        <Button onClick={onClear}>{words.clearFilters}</Button>
        {onMore && <Button onClick={onMore}>{kit.loadMore}</Button>}
      </span>
    )}
  </Empty>
);

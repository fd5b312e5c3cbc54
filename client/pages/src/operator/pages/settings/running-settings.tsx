/** The active configuration: each key with its value and source. The filters are in the URL. */
import { useState } from 'react';
import type { ConfigSettings } from '../../../../../../contract/admin/configuration.ts';
import { createEnumField, text, useUrlState } from '../../../data/url-state.ts';
import { Button } from '../../../kit/button.tsx';
import { TextField } from '../../../kit/form.tsx';
import { Segments } from '../../../kit/segments.tsx';
import { Empty, Loaded } from '../../../kit/states.tsx';
import { type Column, Table } from '../../../kit/table.tsx';
import { settings } from '../../../texts/settings.ts';
import { useRead } from '../../api.ts';

const words = settings.running;
/** The first option hides defaults, because most keys have theirs. */
const sources = ['', 'file', 'environment', 'flag', 'default', 'all'] as const;
const fields = { key: text, from: createEnumField(sources, '') } as const;
type Entry = ConfigSettings['entries'][number];
/** Rows shown at first, and added by each "Show more". */
const ROWS = 20;

const columns: readonly Column<Entry>[] = [
  { id: 'key', title: words.key, isMain: true, cell: ({ key }) => <code className="whole">{key}</code> },
  {
    id: 'value',
    title: words.value,
    isMain: true,
    card: 'second',
    cell: ({ value }) => (value === null ? <span className="soft">{words.secret}</span> : <code>{spaceOut(value)}</code>),
  },
  { id: 'from', title: words.source, isMain: true, card: 'second-end', cell: ({ source }) => <SettingSource source={source} /> },
];

/** Spaces let the lines of a list or an object break between its values. */
const spaceOut = (value: string): string => (/^[[{]/.test(value) ? value.replace(/,(?=["{[\d])/g, ', ') : value);

function SettingSource({ source: { kind, file, line, name } }: Pick<Entry, 'source'>) {
  if (kind === 'default') return <span className="soft">{words.sources.default}</span>;
  return (
    <span className="whole" title={file ?? undefined}>
      {file !== null && settings.check.line(line ?? 1)}
      {file !== null && name !== null && words.from}
      {name !== null && <code>{name}</code>}
    </span>
  );
}

export function RunningSettings() {
  const [filter, set] = useUrlState(fields);
  const [most, setMost] = useState(ROWS);
  const read = useRead('getConfig', { query: filter.from === '' || filter.from === 'all' ? {} : { source: filter.from } });
  const updateFilter = (change: Partial<typeof filter>, replace = false) => {
    setMost(ROWS);
    set(change, { replace });
  };
  return (
    <section className="stack" aria-label={words.title}>
      <h2>{words.title}</h2>
      <p className="soft">{words.lead}</p>
      <search className="filters">
        <TextField label={words.search} name="key" value={filter.key} onChange={(key) => updateFilter({ key }, true)} />
        <Segments
          label={words.source}
          value={filter.from}
          choices={sources.map((value) => ({ value, label: words.sources[value] }))}
          onChange={(from) => updateFilter({ from })}
        />
      </search>
      <Loaded of={read} rows={8}>
        {(config) => {
          const word = filter.key.trim().toLowerCase();
          const isShown = ({ key, source: { kind } }: Entry): boolean =>
            (filter.from !== '' || kind !== 'default') && key.toLowerCase().includes(word);
          const rows = config.entries.filter(isShown);
          if (rows.length === 0)
            return (
              <Empty title={words.empty}>
                <Button onClick={() => updateFilter({ key: '', from: '' })}>{words.clearFilters}</Button>
              </Empty>
            );
          return (
            <>
              <p className="soft small">
                {config.file ?? words.noFile} · {words.count(rows.length)}
                {config.has_more && ` ${words.truncated}`}
              </p>
              <Table
                caption={words.caption}
                columns={columns}
                rows={rows.slice(0, most)}
                getRowId={({ key }) => key}
                onMore={rows.length > most ? () => setMost(most + 10 * ROWS) : undefined}
              />
            </>
          );
        }}
      </Loaded>
    </section>
  );
}

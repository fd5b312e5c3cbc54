/** Tables on the kit page: sorted, expanded, and with more rows. */
import { useState } from 'react';
import { createEnumField, text, useUrlState } from '../data/url-state.ts';
import { Panel } from '../kit/panel.tsx';
import { type Column, Table } from '../kit/table.tsx';
import { CopiedId, Count, LastFour, Money, State, Time, type Tone } from '../kit/values.tsx';

interface Row {
  readonly id: string;
  readonly name: string;
  readonly tone: Tone;
  readonly tokens: number;
  readonly charged: string | null;
  readonly at: string;
}
const tones: readonly Tone[] = ['good', 'warn', 'bad', 'neutral'];
const words = { good: 'Active', warn: 'Cooling down', bad: 'Revoked', neutral: 'Expired' } as const;
const rows: readonly Row[] = Array.from({ length: 8 }, (_, index) => ({
  id: `key_${index}`,
  name: ['ci', 'build server', 'notebook', 'support desk', 'alice', 'batch', 'old', 'trial'][index] ?? '',
  tone: tones[index % tones.length] ?? 'good',
  tokens: 812 * (index * index * 311 + 1),
  charged: index === 3 ? null : `${index * 3}.00${index}300`,
  at: new Date(Date.UTC(2026, 10, 22, 12, 3, 40) - index * 7_777_000).toISOString(),
}));
const columns: readonly Column<Row>[] = [
  { id: 'name', title: 'Name', cell: ({ name }) => name, isMain: true, canSort: true },
  { id: 'key', title: 'Key', cell: ({ id }) => <LastFour of={`w${id}`} /> },
  { id: 'tokens', title: 'Tokens', cell: ({ tokens }) => <Count of={tokens} isShort />, isNumber: true },
  { id: 'charged', title: 'Charged', cell: ({ charged }) => <Money amount={charged} />, isNumber: true, isMain: true, canSort: true },
  { id: 'at', title: 'Last used', cell: ({ at }) => <Time at={at} />, canSort: true },
  { id: 'state', title: 'State', cell: ({ tone }) => <State tone={tone}>{words[tone]}</State>, isMain: true },
];

const fields = {
  sort: createEnumField(['name', 'charged', 'at'], 'at'),
  order: createEnumField(['asc', 'desc'], 'desc'),
  open: text,
} as const;

export function Tables() {
  const [{ sort, order, open }, set] = useUrlState(fields);
  const [isReading, setReading] = useState(false);
  const opened = rows.find(({ id }) => id === open);
  return (
    <section className="stack" aria-label="Tables">
      <div className="split">
        <Table
          caption="Keys"
          columns={columns}
          rows={rows}
          getRowId={({ id }) => id}
          onOpen={({ id }) => set({ open: id })}
          openId={open}
          sorting={{ by: sort, order, onSort: (by, next) => set({ sort: fields.sort.accepts(by) ? by : 'at', order: next }) }}
          onMore={() => setReading(true)}
          isReadingMore={isReading}
        />
        {opened && (
          <Panel label={opened.name} title={opened.name} onClose={() => set({ open: '' })}>
            <dl className="facts">
              <dt>ID</dt>
              <dd>
                <CopiedId id={opened.id} what="ID" />
              </dd>
              <dt>Last used</dt>
              <dd>
                <Time at={opened.at} format="ago" />
              </dd>
            </dl>
          </Panel>
        )}
      </div>
    </section>
  );
}

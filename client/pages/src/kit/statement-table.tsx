/** An account's ledger entries: amounts, the balance after each, and a receipt for each charge. */
import type { ReactNode } from 'react';
import { statement as words } from '../texts/statement.ts';
import { SelectField } from './form.tsx';
import { Empty } from './states.tsx';
import { type Column, createMoneyColumn, Table } from './table.tsx';
import { Time } from './values.tsx';

export const statementKinds = ['', 'charge', 'subscription', 'top_up', 'refund', 'correction'] as const;
export type StatementKind = (typeof statementKinds)[number];

/** An entry in the format of both APIs. */
export interface StatementEntry {
  readonly id: string;
  readonly at: string;
  readonly kind: Exclude<StatementKind, ''>;
  readonly amount: string;
  readonly balance_after: string;
  readonly note: string | null;
  readonly transfer_id: string | null;
  readonly request_id: string | null;
}

const OPENING = 'opening:';
const getTitle = ({ kind, transfer_id: transfer }: StatementEntry): string =>
  transfer?.startsWith(OPENING) ? words.opening : words.kinds[kind];

/** The operator's note, and the transfer ID. */
const formatDetails = ({ note, transfer_id: transfer }: StatementEntry): string =>
  [note ?? '', transfer?.startsWith(OPENING) ? '' : (transfer ?? '')].filter(Boolean).join(' · ');

function createColumns(renderLink: (requestId: string) => ReactNode): readonly Column<StatementEntry>[] {
  const { columns: titles } = words;
  return [
    { id: 'at', title: titles.at, cell: ({ at }) => <Time at={at} format="second" />, isMain: true },
    { id: 'what', title: titles.what, cell: getTitle, isMain: true, card: 'second' },
    createMoneyColumn({ id: 'amount', title: titles.amount, isMain: true, card: 'end', isExact: true, of: ({ amount }) => amount }),
    createMoneyColumn({
      id: 'balance',
      title: titles.balance,
      isMain: true,
      card: 'second-end',
      isExact: true,
      of: ({ balance_after: balance }) => balance,
    }),
    {
      id: 'details',
      title: titles.details,
      isMain: true,
      card: 'third',
      cell: (entry) =>
        entry.request_id === null ? (
          <span className="wrapped">{formatDetails(entry) || '–'}</span>
        ) : (
          <code className="reference">{renderLink(entry.request_id)}</code>
        ),
    },
  ];
}

export interface StatementTableProps {
  readonly entries: readonly StatementEntry[];
  readonly isFiltered: boolean;
  readonly renderLink: (requestId: string) => ReactNode;
  readonly onMore: (() => void) | undefined;
  readonly isReadingMore: boolean;
}
export function StatementTable({ entries, isFiltered, renderLink, onMore, isReadingMore }: StatementTableProps) {
  if (entries.length === 0) return <Empty title={isFiltered ? words.emptyFiltered : words.empty} />;
  return (
    <Table
      caption={words.title}
      columns={createColumns(renderLink)}
      rows={entries}
      getRowId={({ id }) => id}
      onMore={onMore}
      isReadingMore={isReadingMore}
    />
  );
}

export interface StatementBarProps {
  readonly kind: StatementKind;
  readonly onKind: (kind: StatementKind) => void;
  /** URL of the CSV, without the query. */
  readonly csv: string;
}
export function StatementBar({ kind, onKind, csv }: StatementBarProps) {
  return (
    <div className="row apart">
      <SelectField
        label={words.kind}
        name="kind"
        value={kind}
        // `as`: the options are the kinds.
        onChange={(value) => onKind(value as StatementKind)}
        options={statementKinds.map((value) => ({ value, label: value === '' ? words.all : words.kinds[value] }))}
      />
      <a className="button plain" href={kind === '' ? csv : `${csv}?kind=${kind}`} download>
        {words.csv}
      </a>
    </div>
  );
}

/** The account's calls as a table, newest first. */
import type { PortalContract } from '../../../../contract/portal/index.ts';
import type { Success } from '../data/contract-types.ts';
import { formatDuration } from '../data/times.ts';
import { ErrorCode } from '../kit/error-code.tsx';
import { type Column, createMoneyColumn, Table, type TableProps } from '../kit/table.tsx';
import { Count, State, Time, type Tone } from '../kit/values.tsx';
import { usage as words } from '../texts/portal-usage.ts';

export type CallRow = Success<PortalContract['listRequests']>['data'][number];

export const tonesByState = {
  completed: 'good',
  incomplete: 'warn',
  rejected: 'warn',
  failed: 'bad',
  client_disconnected: 'neutral',
} as const satisfies Record<CallRow['outcome'], Tone>;

export const sumTokens = ({ tokens: { input, cached_input, cache_write, output } }: Pick<CallRow, 'tokens'>): number =>
  input + cached_input + cache_write + output;

export const Outcome = ({ row: { outcome, code } }: { readonly row: Pick<CallRow, 'outcome' | 'code'> }) => (
  <State tone={tonesByState[outcome]}>
    {words.outcomes[outcome]}
    {code !== null && (
      <>
        {' '}
        <ErrorCode code={code} />
      </>
    )}
  </State>
);

const { columns: titles } = words;
const columns: readonly Column<CallRow>[] = [
  { id: 'at', title: titles.at, cell: ({ at }) => <Time at={at} format="second" />, isMain: true },
  { id: 'model', title: titles.model, cell: ({ model }) => model ?? '–', isMain: true, card: 'second-end' },
  { id: 'outcome', title: titles.outcome, cell: (row) => <Outcome row={row} />, isMain: true, card: 'second' },
  { id: 'tokens', title: titles.tokens, isNumber: true, cell: (row) => <Count of={sumTokens(row)} /> },
  { id: 'time', title: titles.time, isNumber: true, cell: ({ total_ms }) => formatDuration(total_ms) },
  createMoneyColumn({ id: 'charged', title: titles.charged, isMain: true, card: 'end', isExact: true, of: ({ charged }) => charged }),
];

type CallsTableProps = Omit<TableProps<CallRow>, 'columns' | 'getRowId' | 'caption'>;
/** The columns that remain beside the panel of an open call. */
export const CallsTable = (props: CallsTableProps & { readonly caption: string }) => (
  <Table {...props} columns={props.openId ? columns.filter(({ isMain }) => isMain) : columns} getRowId={({ request_id }) => request_id} />
);

/** The account's calls as a table, newest first. On a narrow screen, every call has the same lines. */
import type { PortalContract } from '../../../../contract/portal/index.ts';
import type { Success } from '../data/contract-types.ts';
import { formatDuration } from '../data/times.ts';
import { formatTokens } from '../kit/call-figures.tsx';
import { ErrorCode } from '../kit/error-code.tsx';
import { type Column, createMoneyColumn, Table, type TableProps } from '../kit/table.tsx';
import { State, Time, type Tone } from '../kit/values.tsx';
import { kit } from '../texts/kit.ts';
import { usage as words } from '../texts/portal-usage.ts';

export type CallRow = Success<PortalContract['listRequests']>['data'][number];

export const tonesByState = {
  completed: 'good',
  incomplete: 'warn',
  rejected: 'warn',
  failed: 'bad',
  client_disconnected: 'neutral',
} as const satisfies Record<CallRow['outcome'], Tone>;

export const Outcome = ({ row: { outcome, code } }: { readonly row: Pick<CallRow, 'outcome' | 'code'> }) => (
  <>
    <State tone={tonesByState[outcome]}>{words.outcomes[outcome]}</State> {code !== null && <ErrorCode code={code} />}
  </>
);

const { columns: titles } = words;
const Soft = () => <span className="soft">{kit.none}</span>;

const createColumns = (hasKeys: boolean): readonly Column<CallRow>[] => [
  { id: 'at', title: titles.at, width: 10, cell: ({ at }) => <Time at={at} format="second" />, isMain: true },
  {
    id: 'model',
    title: titles.model,
    width: 9.5,
    cell: ({ model }) => (model === null ? <Soft /> : <span title={model}>{model}</span>),
    isMain: true,
    card: 'second-end',
  },
  { id: 'outcome', title: titles.outcome, width: 10.5, cell: (row) => <Outcome row={row} />, isMain: true, card: 'second' },
  ...(hasKeys ? [{ id: 'key', title: titles.key, width: 6.5, cell: ({ key_name }: CallRow) => key_name ?? <Soft />, isMain: true }] : []),
  { id: 'tokens', title: titles.tokens, width: 7, isNumber: true, cell: (row) => formatTokens(row) ?? <Soft />, isMain: true },
  { id: 'time', title: titles.time, width: 5.5, isNumber: true, cell: ({ total_ms }) => formatDuration(total_ms), isMain: true },
  createMoneyColumn({
    id: 'charged',
    title: titles.charged,
    width: 7,
    isMain: true,
    card: 'end',
    isExact: true,
    of: ({ charged }) => charged ?? '0',
  }),
];

/** Columns that leave the list while a call is open beside it, which shows them. */
const inPanel: ReadonlySet<string> = new Set(['key', 'tokens', 'time']);

interface CallsTableProps extends Omit<TableProps<CallRow>, 'columns' | 'getRowId'> {
  /** Whether the list is of several keys, and has a column with the call's key. */
  readonly hasKeys?: boolean;
}
export function CallsTable({ hasKeys = false, ...props }: CallsTableProps) {
  const columns = createColumns(hasKeys);
  return (
    <div className="calls">
      <Table
        {...props}
        columns={props.openId ? columns.filter(({ id }) => !inPanel.has(id)) : columns}
        getRowId={({ request_id }) => request_id}
      />
    </div>
  );
}

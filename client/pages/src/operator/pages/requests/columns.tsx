/** Columns of the request list, for single calls and for groups of calls with the same outcome. */
import { formatDuration } from '../../../data/times.ts';
import { formatTokens } from '../../../kit/call-figures.tsx';
import { type Column, createMoneyColumn } from '../../../kit/table.tsx';
import { Count, State, Time } from '../../../kit/values.tsx';
import { kit } from '../../../texts/kit.ts';
import { requests as words } from '../../../texts/requests.ts';
import { formatKeyName } from '../../reads/names.ts';
import { countCalls, type Group, type ListedRow } from './call-groups.ts';
import { outcomeTones } from './outcomes.ts';
import type { RequestRow } from './request-list.ts';

const { columns: titles } = words;

type Cell<CellSubject> = (of: CellSubject) => ReturnType<Column<ListedRow>['cell']>;
/** Most columns of a group are empty, because nothing was charged. */
const createCallCell =
  (call: Cell<RequestRow>, group: Cell<Group> = () => <Soft of={null} />): Column<ListedRow>['cell'] =>
  (row) =>
    'group' in row ? group(row.group) : call(row.call);

const Soft = ({ of }: { readonly of: string | null }) => <span className="soft">{of ?? kit.none}</span>;

const renderUpstream = ({ upstream }: RequestRow) => upstream ?? <Soft of={null} />;

export const columns: readonly Column<ListedRow>[] = [
  { id: 'time', title: titles.time, width: 11, isMain: true, canSort: true, cell: (row) => <When row={row} /> },
  {
    id: 'status',
    title: titles.status,
    width: 10.5,
    isMain: true,
    card: 'second',
    cell: createCallCell(
      (row) => <Status row={row} />,
      (group) => <GroupStatus group={group} />,
    ),
  },
  {
    id: 'model',
    title: titles.model,
    width: 9.5,
    isMain: true,
    card: 'second-end',
    cell: createCallCell(
      (row) => <Model row={row} />,
      (group) => <GroupModel group={group} />,
    ),
  },
  {
    id: 'caller',
    title: titles.caller,
    width: 9.5,
    isMain: true,
    card: 'third',
    cell: createCallCell(
      (row) => <Caller row={row} />,
      (group) => <GroupCaller group={group} />,
    ),
  },
  {
    id: 'upstream',
    title: titles.upstream,
    width: 7,
    isWide: true,
    cell: createCallCell(renderUpstream, ({ calls: [first] }) => first && renderUpstream(first)),
  },
  {
    id: 'attempts',
    title: titles.attempts,
    width: 5,
    isNumber: true,
    isWide: true,
    cell: createCallCell(({ attempts }) => <Count of={attempts} />),
  },
  {
    id: 'duration',
    title: titles.duration,
    width: 6.5,
    isNumber: true,
    canSort: true,
    cell: createCallCell((row) => <Durations row={row} />),
  },
  {
    id: 'tokens',
    title: titles.tokens,
    width: 8,
    isNumber: true,
    isWide: true,
    cell: createCallCell((row) => formatTokens(row) ?? <Soft of={null} />),
  },
  createMoneyColumn({
    id: 'charged',
    title: titles.charged,
    width: 6.5,
    isMain: true,
    card: 'end',
    canSort: true,
    isExact: true,
    of: (row) => ('call' in row ? row.call.charged : null) ?? '0',
  }),
];

function When({ row }: { readonly row: ListedRow }) {
  if ('call' in row)
    return (
      <span className={row.isInGroup ? 'in-group' : undefined}>
        <Time at={row.call.at} format="second" />
      </span>
    );
  const { calls } = row.group;
  return (
    <span>
      <Time at={calls[0]?.at ?? null} format="second" />
      <span className="cell-detail">
        {words.group.since} <Time at={calls.at(-1)?.at ?? null} format="second" />
      </span>
    </span>
  );
}

interface Row {
  readonly row: RequestRow;
}
const Status = ({ row: { status, outcome, code, repeats }, times = repeats > 0 ? words.times(repeats + 1) : null }: StatusProps) => (
  <span>
    <State tone={outcomeTones[outcome]}>
      {status} {words.outcomes[outcome]}
    </State>
    {times !== null && (
      <>
        {' '}
        <strong className="short-name">{times}</strong>
      </>
    )}
    {code !== null && (
      <span className="cell-detail" title={code}>
        {code}
      </span>
    )}
  </span>
);
interface StatusProps extends Row {
  /** How often it happened. */
  readonly times?: string | null;
}

function GroupStatus({ group }: { readonly group: Group }) {
  const [first] = group.calls;
  return first && <Status row={first} times={(group.isOpenEnded ? words.timesLoaded : words.times)(countCalls(group))} />;
}

const Model = ({ row: { model } }: Row) => (model === null ? <Soft of={null} /> : <span title={model}>{model}</span>);

function GroupModel({ group: { calls } }: { readonly group: Group }) {
  const [first] = calls;
  const models = new Set(calls.map(({ model }) => model));
  if (models.size === 1 && first) return <Model row={first} />;
  return <Soft of={words.group.models(models.size)} />;
}

function GroupCaller({ group: { calls } }: { readonly group: Group }) {
  const [first] = calls;
  const accounts = new Set(calls.map(({ account_id: id }) => id));
  const keys = new Set(calls.map(({ key_id: id }) => id));
  if (first !== undefined && keys.size === 1) return <Caller row={first} />;
  if (accounts.size > 1) return <Soft of={words.group.accounts(accounts.size)} />;
  return (
    <span>
      {first?.account_name ?? words.unknownCaller}
      <span className="cell-detail">{words.group.keys(keys.size)}</span>
    </span>
  );
}

function Caller({ row: { account_name, key_name } }: Row) {
  if (account_name === null) return <span className="soft">{words.unknownCaller}</span>;
  return (
    <span className="caller" title={key_name === null ? account_name : formatKeyName({ account: { name: account_name }, name: key_name })}>
      {account_name}
      {key_name !== null && (
        <>
          <span className="slash"> / </span>
          <span className="cell-detail">{key_name}</span>
        </>
      )}
    </span>
  );
}

const Durations = ({ row: { first_ms, total_ms } }: Row) => (
  <span className="number">
    {formatDuration(total_ms)}
    {first_ms !== null && (
      <span className="cell-detail" title={words.firstEvent}>
        {words.first(formatDuration(first_ms))}
      </span>
    )}
  </span>
);

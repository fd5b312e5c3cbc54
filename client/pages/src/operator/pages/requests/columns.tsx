/** Columns of the list of requests: of a call, and of a group of calls that ended alike. */
import { formatDuration } from '../../../data/times.ts';
import { type Column, createMoneyColumn } from '../../../kit/table.tsx';
import { Count, ShortName, State, Time } from '../../../kit/values.tsx';
import { kit } from '../../../texts/kit.ts';
import { requests as words } from '../../../texts/requests.ts';
import { formatKeyName } from '../../reads/names.ts';
import { countCalls, type Group, type ListedRow } from './call-groups.ts';
import { outcomeTones } from './outcomes.ts';
import type { RequestRow } from './request-list.ts';

const { columns: titles } = words;

export function createColumns(): readonly Column<ListedRow>[] {
  return [
    { id: 'time', title: titles.time, isMain: true, canSort: true, cell: (row) => <When row={row} /> },
    {
      id: 'status',
      title: titles.status,
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
      isWide: true,
      cell: createCallCell(renderUpstream, ({ calls: [first] }) => first && renderUpstream(first)),
    },
    {
      id: 'attempts',
      title: titles.attempts,
      isNumber: true,
      isWide: true,
      cell: createCallCell(({ attempts }) => <Count of={attempts} />),
    },
    { id: 'duration', title: titles.duration, isNumber: true, canSort: true, cell: createCallCell((row) => <Durations row={row} />) },
    { id: 'tokens', title: titles.tokens, isNumber: true, isWide: true, cell: createCallCell((row) => <Tokens row={row} />) },
    createMoneyColumn({
      id: 'charged',
      title: titles.charged,
      isMain: true,
      card: 'end',
      canSort: true,
      isExact: true,
      of: (row) => ('call' in row ? row.call.charged : null),
    }),
  ];
}

type Cell<CellSubject> = (of: CellSubject) => ReturnType<Column<ListedRow>['cell']>;
/** Most columns of a group are empty, because nothing was charged. */
const createCallCell =
  (call: Cell<RequestRow>, group: Cell<Group> = () => <Soft of={null} />): Column<ListedRow>['cell'] =>
  (row) =>
    'group' in row ? group(row.group) : call(row.call);

const Soft = ({ of }: { readonly of: string | null }) => <span className="soft">{of ?? kit.none}</span>;

function When({ row }: { readonly row: ListedRow }) {
  if ('call' in row)
    return (
      <span className={row.isInGroup ? 'in-group' : undefined}>
        <Time at={row.call.at} format="second" />
      </span>
    );
  const { calls, isOpenEnded } = row.group;
  return (
    <span>
      <Time at={calls[0]?.at ?? null} format="second" />
      <span className="cell-detail">
        {isOpenEnded ? words.group.backTo : words.group.since} <Time at={calls.at(-1)?.at ?? null} format="second" />
      </span>
    </span>
  );
}

interface Row {
  readonly row: RequestRow;
}
const Status = ({ row: { status, outcome, code, repeats } }: Row) => (
  <span>
    <State tone={outcomeTones[outcome]}>
      {status} {words.outcomes[outcome]}
    </State>
    {repeats > 0 && <strong> {words.repeats(repeats)}</strong>}
    {code !== null && <span className="cell-detail">{code}</span>}
  </span>
);

const GroupStatus = ({ group }: { readonly group: Group }) => (
  <span>
    <State tone={outcomeTones[group.outcome]}>
      <strong>{(group.isOpenEnded ? words.group.countLoaded : words.group.count)(countCalls(group), group.code)}</strong>
    </State>
    <span className="cell-detail">
      {group.calls[0]?.status} {words.outcomes[group.outcome]}
    </span>
  </span>
);

const Model = ({ row: { model } }: Row) => (model === null ? <Soft of={null} /> : <ShortName of={model} />);

function GroupModel({ group: { calls } }: { readonly group: Group }) {
  const [first] = calls;
  const models = new Set(calls.map(({ model }) => model));
  if (models.size === 1 && first) return <Model row={first} />;
  return <Soft of={words.group.models(models.size)} />;
}

const renderUpstream = ({ upstream }: RequestRow) => upstream ?? <Soft of={null} />;

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
  return <ShortName of={key_name === null ? account_name : formatKeyName({ account: { name: account_name }, name: key_name })} />;
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

function Tokens({ row: { tokens, images } }: Row) {
  if (images > 0) return <span className="number">{words.detail.images(images)}</span>;
  const input = tokens.input + tokens.cached_input + tokens.cache_write;
  if (input + tokens.output === 0) return <Soft of={null} />;
  return (
    <span className="number">
      {input.toLocaleString()} / {tokens.output.toLocaleString()}
    </span>
  );
}

/** Columns of the list of requests. */
import { formatDuration } from '../../../data/times.ts';
import type { Column } from '../../../kit/table.tsx';
import { Count, Money, State, Time } from '../../../kit/values.tsx';
import { kit } from '../../../texts/kit.ts';
import { requests as words } from '../../../texts/requests.ts';
import type { Names } from '../../reads/names.ts';
import { toneOf } from './outcomes.ts';
import type { RequestRow } from './request-list.ts';

const { columns: titles } = words;

export function columnsOf(names: Names): readonly Column<RequestRow>[] {
  return [
    { id: 'time', title: titles.time, isMain: true, cell: ({ at }) => <Time at={at} /> },
    { id: 'status', title: titles.status, isMain: true, cell: (row) => <Status row={row} /> },
    { id: 'model', title: titles.model, isMain: true, cell: ({ model, operation }) => model ?? <Soft of={operation} /> },
    { id: 'caller', title: titles.caller, cell: (row) => <Caller row={row} names={names} /> },
    { id: 'upstream', title: titles.upstream, cell: ({ upstream }) => upstream ?? <Soft of={null} /> },
    { id: 'attempts', title: titles.attempts, isNumber: true, cell: ({ attempts }) => <Count of={attempts} /> },
    { id: 'duration', title: titles.duration, isNumber: true, cell: (row) => <Durations row={row} /> },
    { id: 'tokens', title: titles.tokens, isNumber: true, cell: (row) => <Tokens row={row} /> },
    { id: 'charged', title: titles.charged, isNumber: true, isMain: true, cell: ({ charged }) => <Money amount={charged} /> },
  ];
}

const Soft = ({ of }: { readonly of: string | null }) => <span className="soft">{of ?? kit.none}</span>;

interface Row {
  readonly row: RequestRow;
}
const Status = ({ row: { status, outcome, code, repeats } }: Row) => (
  <span>
    <State tone={toneOf[outcome]}>
      {status} {words.outcomes[outcome]}
    </State>
    {repeats > 0 && <strong> {words.repeats(repeats)}</strong>}
    {code !== null && <span className="cell-detail">{code}</span>}
  </span>
);

function Caller({ row: { account_id, key_id }, names }: Row & { readonly names: Names }) {
  if (account_id === null) return <span className="soft">{words.unknownCaller}</span>;
  return (
    <span>
      {names.accountOf(account_id)}
      {key_id !== null && <span className="cell-detail">{names.keyOf(key_id)}</span>}
    </span>
  );
}

const Durations = ({ row: { first_ms, total_ms } }: Row) => (
  <span className="number">
    {first_ms === null ? '' : `${formatDuration(first_ms)} / `}
    {formatDuration(total_ms)}
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

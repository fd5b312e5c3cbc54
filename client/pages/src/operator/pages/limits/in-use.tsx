/** Limits that are nearly reached or rejected calls, highest usage first. Read again every ten seconds. */
import { Link } from 'wouter';
import type { LimitInUse } from '../../../../../../contract/admin/limits.ts';
import { formatCountdown } from '../../../data/times.ts';
import { createEnumField, useUrlState } from '../../../data/url-state.ts';
import { Segments } from '../../../kit/segments.tsx';
import { Empty, Loaded } from '../../../kit/states.tsx';
import { type Column, Table } from '../../../kit/table.tsx';
import { Count, Meter } from '../../../kit/values.tsx';
import { limits } from '../../../texts/limits.ts';
import { useRead } from '../../api.ts';
import { accountPath, keyPath } from '../../reads/links.ts';

const words = limits.inUse;
const scopes = ['', 'key', 'account', 'group', 'model'] as const;
const fields = { scope: createEnumField(scopes, '') } as const;
export const EVERY_MS = 10_000;

export const getName = ({ name, subject }: LimitInUse): string => name ?? subject;

const columns: readonly Column<LimitInUse>[] = [
  { id: 'of', title: words.limit, isMain: true, cell: (row) => <Subject of={row} /> },
  { id: 'counts', title: words.metric, isMain: true, card: 'second', cell: ({ quantity }) => words.quantities[quantity] },
  {
    id: 'used',
    title: words.used,
    isMain: true,
    cell: (row) => <UseBar of={row} />,
  },
  {
    id: 'left',
    title: words.remaining,
    isNumber: true,
    cell: ({ remaining, limit }) => <span className="number">{words.remainingOf(remaining.toLocaleString(), limit.toLocaleString())}</span>,
  },
  {
    id: 'resets',
    title: words.resetsIn,
    isNumber: true,
    cell: ({ reset_ms: ms }) => (ms === null ? <span className="soft">–</span> : <span className="number">{formatCountdown(ms)}</span>),
  },
  { id: 'mode', title: words.mode, cell: ({ mode }) => limits.modes[mode] },
  { id: 'rejected', title: words.rejected, isMain: true, cell: (row) => <Rejected of={row} /> },
];

interface UseBarProps {
  readonly of: LimitInUse;
  /** The subject of the usage. */
  readonly note?: string | undefined;
}
export const UseBar = ({ of, note }: UseBarProps) => (
  <span className="row">
    <Meter label={words.usageFor(getName(of))} perMille={Math.round(of.used * 1_000)} />
    <span className="number">{Math.round(of.used * 100)}%</span>
    {note !== undefined && <span className="soft">{words.busiest(note)}</span>}
  </span>
);

function Subject({ of }: { readonly of: LimitInUse }) {
  const { scope, subject } = of;
  const id = encodeURIComponent(subject);
  const paths = { key: keyPath(subject), account: accountPath(subject), group: `/accounts?group=${id}`, model: `/prices?q=${id}` };
  return (
    <span>
      <span className="soft">{words.scopeOf[scope]}</span> <Link href={paths[scope]}>{getName(of)}</Link>
    </span>
  );
}

/** Shows rejected calls. If many accounts share the limit, also shows whose calls they were. */
function Rejected({ of: { rejected_1h: calls, mode, rejected_accounts: accounts } }: { readonly of: LimitInUse }) {
  if (calls === 0) return <span className="soft">–</span>;
  return (
    <span>
      <Count of={calls} /> {mode === 'observe' && <span className="soft">{words.wouldBeRejected}</span>}
      {accounts.map(({ account_id: id, name, calls: own }) => (
        <span key={id}>
          {' '}
          · <Link href={`/accounts/${id}`}>{words.callsOf(name ?? id, own)}</Link>
        </span>
      ))}
    </span>
  );
}

export function LimitsInUse() {
  const [{ scope }, set] = useUrlState(fields);
  const read = useRead('listLimitsInUse', { query: { ...(scope !== '' && { scope }) } }, { everyMs: EVERY_MS });
  const isFilter = scope !== '' || (read.data?.data ?? []).length > 0;
  return (
    <section className="stack" aria-label={words.title}>
      <div className="row apart">
        <h2>{words.title}</h2>
        {isFilter && (
          <Segments
            label={words.scopeFilter}
            value={scope}
            choices={scopes.map((value) => ({ value, label: words.scopes[value] }))}
            onChange={(next) => set({ scope: next })}
          />
        )}
      </div>
      {isFilter && <p className="soft">{words.lead}</p>}
      <Loaded of={read} rows={3}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title={words.empty} />
          ) : (
            <Table
              caption={words.caption}
              columns={columns}
              rows={data}
              getRowId={({ scope: of, subject, quantity }) => `${of} ${subject} ${quantity}`}
            />
          )
        }
      </Loaded>
    </section>
  );
}

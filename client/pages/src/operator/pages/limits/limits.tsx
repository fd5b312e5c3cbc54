/** Limits with their usage: configured for all, and set by operators for single accounts and keys. */
import { Link } from 'wouter';
import type { LimitInUse } from '../../../../../../contract/admin/limits.ts';
import { Empty, Loaded } from '../../../kit/states.tsx';
import { type Column, Table } from '../../../kit/table.tsx';
import { limits as words } from '../../../texts/limits.ts';
import { useRead } from '../../api.ts';
import { EVERY_MS, getName, LimitsInUse, UseBar } from './in-use.tsx';
import { type LimitRow, listConfiguredRows, listOwnRows } from './limit-row.ts';

const columns: readonly Column<LimitRow>[] = [
  {
    id: 'subject',
    title: words.scope,
    isMain: true,
    cell: ({ scope, subject, path }) => (
      <>
        {subject !== '' && <span className="soft">{words.scopes[scope]} </span>}
        <Link href={path}>{subject || words.scopes[scope]}</Link>
      </>
    ),
  },
  { id: 'quantity', title: words.inUse.metric, isMain: true, card: 'second', cell: ({ quantity }) => words.names[quantity] },
  { id: 'limit', title: words.value, isNumber: true, isMain: true, card: 'second-end', cell: ({ limit }) => limit.limit.toLocaleString() },
  { id: 'mode', title: words.inUse.mode, cell: ({ limit }) => words.modes[limit.mode] },
  { id: 'use', title: words.inUse.used, isMain: true, cell: (row) => <Use row={row} /> },
];

/** If many keys or accounts share a default limit, its row shows the busiest one. */
function Use({ row: { use, scope } }: { readonly row: LimitRow }) {
  if (use === undefined) return <span className="number">0%</span>;
  return <UseBar of={use} note={scope === 'per_key' || scope === 'per_account' ? getName(use) : undefined} />;
}

/** Maximum page size of the lists. */
const MOST = 1_000;

export function LimitsPage() {
  const configured = useRead('getLimits');
  // Without a response, limits are shown without usage.
  const inUse = useRead('listLimitsInUse', { query: { over: 0 } }, { everyMs: EVERY_MS }).data?.data ?? [];
  return (
    <section className="stack wide">
      <div className="page-head">
        <h1>{words.title}</h1>
      </div>
      <p className="soft">{words.lead}</p>
      <LimitsInUse />
      <section className="stack" aria-label={words.configured}>
        <h2>{words.configured}</h2>
        <Loaded of={configured} rows={6}>
          {(overview) => (
            <LimitTable caption={words.configuredCaption} rows={listConfiguredRows(overview, inUse)} empty={words.noConfigured} />
          )}
        </Loaded>
        <p className="soft small">
          {words.fileHint} <Link href="/settings">{words.settings}</Link>.
        </p>
      </section>
      <section className="stack" aria-label={words.overrides}>
        <h2>{words.overrides}</h2>
        <OwnLimits inUse={inUse} />
      </section>
    </section>
  );
}

interface LimitTableProps {
  readonly caption: string;
  readonly rows: readonly LimitRow[];
  readonly empty: string;
}
const LimitTable = ({ caption, rows, empty }: LimitTableProps) =>
  rows.length === 0 ? <Empty title={empty} /> : <Table caption={caption} columns={columns} rows={rows} getRowId={({ id }) => id} />;

function OwnLimits({ inUse }: { readonly inUse: readonly LimitInUse[] }) {
  const accounts = useRead('listAccounts', { query: { limit: MOST } });
  const keys = useRead('listKeys', { query: { limit: MOST } });
  return (
    <Loaded of={accounts} rows={3}>
      {(accountList) => (
        <Loaded of={keys} rows={3}>
          {(keyList) => {
            const rows = listOwnRows(accountList.data, keyList.data, inUse);
            const isPart = accountList.has_more || keyList.has_more;
            return (
              <>
                {isPart && <p className="soft small">{words.overridesBound(MOST)}</p>}
                <LimitTable caption={words.overridesCaption} rows={rows} empty={words.noOverrides} />
              </>
            );
          }}
        </Loaded>
      )}
    </Loaded>
  );
}

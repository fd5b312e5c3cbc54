/** Limits: what the configuration says for all, and what operators set for single accounts and keys. */
import { Link } from 'wouter';
import { Empty, Loaded } from '../../../kit/states.tsx';
import { type Column, Table } from '../../../kit/table.tsx';
import { limits as words } from '../../../texts/limits.ts';
import { useRead } from '../../api.ts';
import { formatLimit, quantities } from '../../parts/limits.ts';
import { LimitsInUse } from './in-use.tsx';
import { type LimitRow, listConfiguredRows, listOwnRows } from './limit-row.ts';

const columns: readonly Column<LimitRow>[] = [
  { id: 'subject', title: words.subject, isMain: true, cell: ({ subject, path }) => <Link href={path}>{subject}</Link> },
  { id: 'scope', title: words.scope, isMain: true, cell: ({ scope }) => words.scopes[scope] },
  ...quantities.map((name): Column<LimitRow> => {
    return {
      id: name,
      title: words.names[name],
      isNumber: true,
      isMain: true,
      cell: ({ limits }) => <LimitCell text={formatLimit(limits, name)} />,
    };
  }),
];
const LimitCell = ({ text }: { readonly text: ReturnType<typeof formatLimit> }) =>
  text === null ? <span className="soft">{words.notSet}</span> : <span className="number">{text}</span>;

/** The most that the lists give at once. */
const MOST = 1_000;

export function LimitsPage() {
  const configured = useRead('getLimits');
  return (
    <section className="stack wide">
      <div className="page-head">
        <h1>{words.title}</h1>
      </div>
      <p className="soft">{words.lead}</p>
      <LimitsInUse />
      <section className="stack" aria-label={words.configured}>
        <h2>{words.configured}</h2>
        <p className="soft">
          {words.fileHint} <Link href="/settings">{words.settings}</Link>
        </p>
        <Loaded of={configured} rows={6}>
          {(overview) => (
            <Table caption={words.configuredCaption} columns={columns} rows={listConfiguredRows(overview)} getRowId={({ id }) => id} />
          )}
        </Loaded>
      </section>
      <section className="stack" aria-label={words.overrides}>
        <h2>{words.overrides}</h2>
        <OwnLimits />
      </section>
    </section>
  );
}

function OwnLimits() {
  const accounts = useRead('listAccounts', { query: { limit: MOST } });
  const keys = useRead('listKeys', { query: { limit: MOST } });
  return (
    <Loaded of={accounts} rows={3}>
      {(accountList) => (
        <Loaded of={keys} rows={3}>
          {(keyList) => {
            const rows = listOwnRows(accountList.data, keyList.data);
            const isPart = accountList.has_more || keyList.has_more;
            return (
              <>
                {isPart && <p className="soft small">{words.overridesBound(MOST)}</p>}
                {rows.length === 0 ? (
                  <Empty title={words.noOverrides} />
                ) : (
                  <Table caption={words.overridesCaption} columns={columns} rows={rows} getRowId={({ id }) => id} />
                )}
              </>
            );
          }}
        </Loaded>
      )}
    </Loaded>
  );
}

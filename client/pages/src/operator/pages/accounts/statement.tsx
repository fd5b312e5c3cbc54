/** An account's ledger entries. */
import { useState } from 'react';
import { Link } from 'wouter';
import { StatementBar, type StatementKind, StatementTable } from '../../../kit/statement-table.tsx';
import { Loaded } from '../../../kit/states.tsx';
import { accounts as words } from '../../../texts/accounts.ts';
import { useRead } from '../../api.ts';
import type { AccountRow } from './account-row.ts';

/** Maximum page size; the CSV contains all. */
const MOST = 1_000;
const PAGE_LENGTH = 20;

export function Statement({ row: { id, balance } }: { readonly row: AccountRow }) {
  const [kind, setKind] = useState<StatementKind>('');
  const [length, setLength] = useState(PAGE_LENGTH);
  const query = { limit: length, ...(kind !== '' && { kind }) };
  const read = useRead('listEntries', { params: { account_id: id }, query }, { isEnabled: balance !== null });
  if (balance === null) return <p className="soft">{words.details.billingOff}</p>;
  return (
    <section className="stack" aria-label={words.tabs.statement}>
      <StatementBar kind={kind} onKind={setKind} csv={`/admin/v1/accounts/${encodeURIComponent(id)}/entries.csv`} />
      <Loaded of={read} rows={4}>
        {({ data, has_more }) => (
          <StatementTable
            entries={data}
            isFiltered={kind !== ''}
            renderLink={(request) => <Link href={`/requests/${encodeURIComponent(request)}`}>{request}</Link>}
            onMore={has_more && length < MOST ? () => setLength(Math.min(length * 2, MOST)) : undefined}
            isReadingMore={read.isFetching}
          />
        )}
      </Loaded>
    </section>
  );
}

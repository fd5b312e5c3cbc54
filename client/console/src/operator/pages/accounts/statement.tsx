/** What came into an account and what went out: payments of the audit log, and paid requests. */
import { useState } from 'react';
import { Link } from 'wouter';
import type { AuditEntry } from '../../../../../../contract/admin/operators.ts';
import type { Usage } from '../../../../../../contract/admin/usage.ts';
import { Empty, Loaded } from '../../../kit/states.tsx';
import { type Column, Table } from '../../../kit/table.tsx';
import { Money, Time } from '../../../kit/values.tsx';
import { accounts } from '../../../texts/accounts.ts';
import { useRead } from '../../api.ts';
import { type Payment, paymentsOf } from './payments.ts';

const words = accounts.statement;

const paymentColumns: readonly Column<Payment>[] = [
  { id: 'at', title: words.at, cell: ({ at }) => <Time at={at} />, isMain: true },
  { id: 'what', title: words.what, cell: ({ what }) => what, isMain: true },
  { id: 'amount', title: words.amount, isNumber: true, isMain: true, cell: ({ amount }) => <Money amount={amount} /> },
  { id: 'note', title: words.note, cell: ({ note }) => <span className="wrapped">{note || '–'}</span>, isMain: true },
];
const chargeColumns: readonly Column<Usage>[] = [
  { id: 'at', title: words.at, cell: ({ created_at }) => <Time at={created_at} />, isMain: true },
  { id: 'model', title: words.model, cell: ({ model }) => model, isMain: true },
  { id: 'amount', title: words.amount, isNumber: true, isMain: true, cell: (row) => <Charge row={row} /> },
  {
    id: 'request',
    title: words.request,
    isMain: true,
    cell: ({ request_id }) => <Link href={`/requests/${encodeURIComponent(request_id)}`}>{request_id}</Link>,
  },
];
function Charge({ row: { state, held, charged } }: { readonly row: Usage }) {
  if (state !== 'held') return <Money amount={charged} />;
  return (
    <span className="soft">
      {words.running} <Money amount={held} />
    </span>
  );
}

/** The most that the audit log gives at once. */
const MOST = 1_000;
const PAGE_LENGTH = 20;

export function Statement({ accountId }: { readonly accountId: string }) {
  const [length, setLength] = useState(PAGE_LENGTH);
  const audit = useRead('listAudit', { query: { limit: MOST } });
  const usage = useRead('listUsage', { params: { account_id: accountId }, query: { limit: length } });
  return (
    <>
      <section className="stack" aria-label={words.payments}>
        <h3>{words.payments}</h3>
        <Loaded of={audit} rows={2}>
          {({ data, has_more }) => <Payments entries={data} hasMore={has_more} accountId={accountId} />}
        </Loaded>
      </section>
      <section className="stack" aria-label={words.charges}>
        <h3>{words.charges}</h3>
        <Loaded of={usage} rows={3}>
          {({ data, has_more }) =>
            data.length === 0 ? (
              <Empty title={words.noCharges} />
            ) : (
              <Table
                caption={words.charges}
                columns={chargeColumns}
                rows={data}
                idOf={({ request_id }) => request_id}
                onMore={has_more ? () => setLength(Math.min(length * 2, MOST)) : undefined}
                isReadingMore={usage.isFetching}
              />
            )
          }
        </Loaded>
      </section>
    </>
  );
}

interface PaymentsProps {
  readonly entries: readonly AuditEntry[];
  readonly hasMore: boolean;
  readonly accountId: string;
}
function Payments({ entries, hasMore, accountId }: PaymentsProps) {
  const rows = paymentsOf(entries, accountId);
  return (
    <>
      {hasMore && <p className="soft small">{words.paymentsNote(entries.length)}</p>}
      {rows.length === 0 ? (
        <Empty title={words.noPayments} />
      ) : (
        <Table caption={words.payments} columns={paymentColumns} rows={rows} idOf={({ id }) => id} />
      )}
    </>
  );
}

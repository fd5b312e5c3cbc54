/** The account's ledger entries. A charge opens its receipt. */
import { type ReactNode, useState } from 'react';
import { StatementBar, type StatementKind, StatementTable } from '../../../kit/statement-table.tsx';
import { Loaded } from '../../../kit/states.tsx';
import { statement as words } from '../../../texts/statement.ts';
import { useRead } from '../../api.ts';

/** Maximum page size; the CSV contains all. */
const MOST = 1_000;
const PAGE_LENGTH = 50;

export interface StatementProps {
  readonly onOpen: (requestId: string) => void;
  /** The details of the open call. */
  readonly details: ReactNode;
}
export function Statement({ onOpen, details }: StatementProps) {
  const [kind, setKind] = useState<StatementKind>('');
  const [length, setLength] = useState(PAGE_LENGTH);
  const read = useRead('listEntries', { query: { limit: length, ...(kind !== '' && { kind }) } });
  return (
    <section className="stack wide" aria-label={words.title}>
      <StatementBar kind={kind} onKind={setKind} csv="/portal/v1/entries.csv" />
      <div className="split">
        <Loaded of={read} rows={4}>
          {({ data, has_more }) => (
            <StatementTable
              entries={data}
              isFiltered={kind !== ''}
              renderLink={(request) => (
                <button type="button" className="link entry-id mono" onClick={() => onOpen(request)}>
                  {request}
                </button>
              )}
              onMore={has_more && length < MOST ? () => setLength(Math.min(length * 2, MOST)) : undefined}
              isReadingMore={read.isFetching}
            />
          )}
        </Loaded>
        {details}
      </div>
    </section>
  );
}

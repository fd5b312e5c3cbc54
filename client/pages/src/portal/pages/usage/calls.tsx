/** The calls of the range, newest first, as a list and as CSV. A row opens the call beside the list. */
import { type ReactNode, useState } from 'react';
import { createEnumField, useUrlState } from '../../../data/url-state.ts';
import { Button } from '../../../kit/button.tsx';
import { SelectField } from '../../../kit/form.tsx';
import { Empty, Loaded } from '../../../kit/states.tsx';
import { usage as words } from '../../../texts/portal-usage.ts';
import { useRead } from '../../api.ts';
import { CallsTable } from '../../calls-table.tsx';
import type { Reading } from './figures.tsx';

const outcomes = ['', 'completed', 'incomplete', 'rejected', 'failed', 'client_disconnected'] as const;
const fields = { outcome: createEnumField(outcomes, '') } as const;

const PAGE_LENGTH = 50;
/** Maximum page size. */
const MOST = 1_000;
const LIST_MS = 31 * 86_400_000;

export interface CallsProps extends Reading {
  readonly openId: string;
  readonly onOpen: (requestId: string) => void;
  /** Clears the page's filters. */
  readonly onClear: () => void;
  readonly details: ReactNode;
}

export function Calls({ span, filters, openId, onOpen, onClear, details }: CallsProps) {
  const [{ outcome }, set] = useUrlState(fields);
  const [length, setLength] = useState(PAGE_LENGTH);
  const from = new Date(Math.max(span.from.getTime(), span.to.getTime() - LIST_MS));
  const query = { from: from.toISOString(), to: span.to.toISOString(), ...filters, ...(outcome !== '' && { outcome }) };
  const list = useRead('listRequests', { query: { ...query, limit: length } });
  const isFiltered = outcome !== '' || Object.keys(filters).length > 0;
  const clear = () => {
    set({ outcome: '' });
    onClear();
  };
  return (
    <>
      <div className="row apart usage-bar">
        <SelectField
          label={words.outcome}
          name="outcome"
          value={outcome}
          // `as`: one of the options.
          onChange={(value) => set({ outcome: value as typeof outcome })}
          options={outcomeOptions}
        />
        <a className="button plain" href={`/portal/v1/requests.csv?${new URLSearchParams(query)}`} download>
          {words.csv}
        </a>
      </div>
      {from > span.from && <p className="soft small">{words.listBound}</p>}
      <div className="split">
        <Loaded of={list} rows={8}>
          {({ data, has_more }) =>
            data.length === 0 ? (
              <Empty title={isFiltered ? words.emptyFiltered : words.empty}>
                {isFiltered && <Button onClick={clear}>{words.clearFilters}</Button>}
              </Empty>
            ) : (
              <CallsTable
                caption={words.calls}
                rows={data}
                hasKeys={filters.key_id === undefined}
                openId={openId}
                onOpen={({ request_id: id }) => onOpen(id)}
                onMore={has_more && length < MOST ? () => setLength(length + PAGE_LENGTH) : undefined}
                isReadingMore={list.isFetching}
              />
            )
          }
        </Loaded>
        {details}
      </div>
    </>
  );
}

const outcomeOptions = outcomes.map((value) => ({ value, label: value === '' ? words.anyOutcome : words.outcomes[value] }));

/** Usage: spending in the range, its calls with receipts, monthly statements, and ledger entries. */
import { useMemo, useState } from 'react';
import { useParams } from 'wouter';
import { resolveSpan } from '../../../data/ranges.ts';
import { createEnumField, text, useUrlState } from '../../../data/url-state.ts';
import { Button } from '../../../kit/button.tsx';
import { getFirstMonth, isMonth, MonthList } from '../../../kit/monthly-statement.tsx';
import { NotFound } from '../../../kit/not-found.tsx';
import { rangeFields } from '../../../kit/range-picker.tsx';
import { Loaded } from '../../../kit/states.tsx';
import { filterTexts } from '../../../texts/filters.ts';
import { usage as words } from '../../../texts/portal-usage.ts';
import { useRead } from '../../api.ts';
import { ScopeSwitch } from '../../scope.tsx';
import { CallDetails } from './call-details.tsx';
import { Calls } from './calls.tsx';
import { Figures } from './figures.tsx';
import { UsageMonth } from './month.tsx';
import { Statement } from './statement.tsx';
import { tabs, UsageTabs } from './tabs.tsx';

/** `open`: ID of the call with the open panel. `key`, `session`, and `end_user`: only their calls. */
const fields = {
  ...rangeFields,
  tab: createEnumField(['', ...tabs], ''),
  model: text,
  key: text,
  session: text,
  end_user: text,
  open: text,
} as const;

export function UsagePages() {
  const { month } = useParams<{ month?: string }>();
  if (month === undefined) return <Usage />;
  return isMonth(month) ? <UsageMonth key={month} month={month} /> : <NotFound />;
}

function Usage() {
  const [{ range, tab: tabOfAddress, model, key, session, end_user, open }, set] = useUrlState(fields);
  // A link to a call has no tab.
  const tab = tabOfAddress === '' ? (open === '' ? 'usage' : 'calls') : tabOfAddress;
  const signedIn = useRead('getSession').data;
  const keys = useRead('listKeys');
  const findKeyName = (id: string) => keys.data?.data.find((one) => one.id === id)?.name;
  const filters = useMemo(
    () => ({
      ...(model !== '' && { model }),
      ...(key !== '' && { key_id: key }),
      ...(session !== '' && { session }),
      ...(end_user !== '' && { end_user }),
    }),
    [model, key, session, end_user],
  );
  // Within the same minute, the query stays the same.
  const span = useMemo(() => resolveSpan(range, new Date()), [range]);
  const showCall = (id: string) => set({ open: id });
  const isOtherKey = key !== '' && key !== signedIn?.key.id;
  const isFiltered = model !== '' || isOtherKey || session !== '' || end_user !== '';
  const isAccountOnly = tab === 'statements' || tab === 'entries';
  const details = open === '' ? null : <CallDetails id={open} onClose={() => set({ open: '' })} />;
  return (
    <section className="stack wide">
      <div className="page-head">
        <h1>{words.title}</h1>
        {!isAccountOnly && <ScopeSwitch session={signedIn} value={key} onChange={(id) => set({ key: id })} />}
      </div>
      <UsageTabs current={tab} />
      {isFiltered && !isAccountOnly && (
        <div className="row">
          {model !== '' && <Filter label={words.model} value={model} onClear={() => set({ model: '' })} />}
          {isOtherKey && <Filter label={words.key} value={findKeyName(key) ?? key} onClear={() => set({ key: '' })} />}
          {session !== '' && <Filter label={words.session} value={session} onClear={() => set({ session: '' })} />}
          {end_user !== '' && <Filter label={words.endUser} value={end_user} onClear={() => set({ end_user: '' })} />}
        </div>
      )}
      {tab === 'usage' && <Figures span={span} filters={filters} />}
      {tab === 'calls' && (
        <Calls
          span={span}
          filters={filters}
          openId={open}
          onOpen={showCall}
          onClear={() => set({ model: '', key: '', session: '', end_user: '' })}
          details={details}
        />
      )}
      {tab === 'statements' && <Months />}
      {tab === 'entries' && <Statement onOpen={showCall} details={details} />}
    </section>
  );
}

function Months() {
  const [from] = useState(() => getFirstMonth(new Date()));
  const read = useRead('getActivity', { query: { from, bucket: 'month' } });
  return (
    <Loaded of={read} rows={3}>
      {(data) => <MonthList activity={data} getHref={(month) => `/usage/${month}`} />}
    </Loaded>
  );
}

interface FilterProps {
  readonly label: string;
  readonly value: string;
  readonly onClear: () => void;
}
const Filter = ({ label, value, onClear }: FilterProps) => (
  <Button icon="close" aria-label={filterTexts.remove(label, value)} onClick={onClear}>
    {label}: {value}
  </Button>
);

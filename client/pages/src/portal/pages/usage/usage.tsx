/** Usage: what was spent in the range, by model or key, and the calls behind it, each with its receipt. */
import { useMemo, useState } from 'react';
import { useParams } from 'wouter';
import { type Range, resolveSpan } from '../../../data/ranges.ts';
import { formatSpan, formatTime } from '../../../data/times.ts';
import { createEnumField, text, useUrlState } from '../../../data/url-state.ts';
import { Button } from '../../../kit/button.tsx';
import { SelectField } from '../../../kit/form.tsx';
import { getFirstMonth, isMonth, MonthList } from '../../../kit/monthly-statement.tsx';
import { NotFound } from '../../../kit/not-found.tsx';
import { rangeFields } from '../../../kit/range-picker.tsx';
import { Empty, Loaded } from '../../../kit/states.tsx';
import { UsageChart } from '../../../kit/usage-chart.tsx';
import { Count, Figure, Figures, getCacheHitRate, Money } from '../../../kit/values.tsx';
import { filterTexts } from '../../../texts/filters.ts';
import { usage as words } from '../../../texts/portal-usage.ts';
import { type Activity, useRead } from '../../api.ts';
import { CallsTable, sumTokens } from '../../calls-table.tsx';
import { CallDetails } from './call-details.tsx';
import { UsageMonth } from './month.tsx';
import { Statement } from './statement.tsx';
import { SumsTable } from './sums-table.tsx';

const outcomes = ['', 'completed', 'incomplete', 'rejected', 'failed', 'client_disconnected'] as const;
/** `open`: id of the call whose panel is open. `key` and `session`: calls of that one alone. */
const fields = {
  ...rangeFields,
  by: createEnumField(['model', 'key', 'session'], 'model'),
  outcome: createEnumField(outcomes, ''),
  model: text,
  key: text,
  session: text,
  open: text,
} as const;

const PAGE_LENGTH = 50;
const LIST_MS = 31 * 86_400_000;

/** The same minute asks the same question. */
function useSpan(range: Range) {
  return useMemo(() => {
    const { from, to } = resolveSpan(range, new Date());
    const listFrom = new Date(Math.max(from.getTime(), to.getTime() - LIST_MS));
    return { from: from.toISOString(), to: to.toISOString(), listFrom: listFrom.toISOString(), isCut: listFrom > from };
  }, [range]);
}

export function UsagePages() {
  const { month } = useParams<{ month?: string }>();
  if (month === undefined) return <Usage />;
  return isMonth(month) ? <UsageMonth key={month} month={month} /> : <NotFound />;
}

function Usage() {
  const [{ range, by, outcome, model, key, session, open }, set] = useUrlState(fields);
  const [length, setLength] = useState(PAGE_LENGTH);
  const { from, to, listFrom, isCut } = useSpan(range);
  const filters = { ...(model !== '' && { model }), ...(key !== '' && { key_id: key }), ...(session !== '' && { session }) };
  const activity = useRead('getActivity', { query: { from, to, group_by: by, ...filters } });
  const asked = { from: listFrom, to, ...filters, ...(outcome !== '' && { outcome }) };
  const list = useRead('listRequests', { query: { ...asked, limit: length } });
  const keys = useRead('listKeys');
  const isFiltered = outcome !== '' || model !== '' || key !== '' || session !== '';
  const clear = () => set({ outcome: '', model: '', key: '', session: '' });
  const findName = (id: string) => keys.data?.data.find((one) => one.id === id)?.name;
  return (
    <section className="stack wide">
      <div className="page-head">
        <h1>{words.title}</h1>
        <a className="button plain" href={`/portal/v1/requests.csv?${new URLSearchParams(asked)}`} download>
          {words.csv}
        </a>
      </div>
      <div className="row filters">
        <SelectField label={words.groupBy} name="by" value={by} onChange={(value) => set({ by: value as typeof by })} options={byOptions} />
        <SelectField
          label={words.outcome}
          name="outcome"
          value={outcome}
          onChange={(value) => set({ outcome: value as typeof outcome })}
          options={outcomeOptions}
        />
        {model !== '' && <Filter label={words.model} value={model} onClear={() => set({ model: '' })} />}
        {key !== '' && <Filter label={words.key} value={key} onClear={() => set({ key: '' })} />}
        {session !== '' && <Filter label={words.session} value={session} onClear={() => set({ session: '' })} />}
      </div>
      <Loaded of={activity} rows={7}>
        {(data) =>
          data.total.requests === 0 ? null : (
            <>
              <Totals {...data} />
              <UsageChart
                activity={data}
                title={words.spend(words.dimensions[by])}
                note={words.note(formatSpan(data), formatTime(new Date(data.complete_until)))}
                getName={findName}
                getHref={(value) => getHref(by, value, range)}
                onDay={(day) => set({ range: `${day}..${day}` })}
              />
              <SumsTable activity={data} by={by} getName={findName} />
            </>
          )
        }
      </Loaded>
      <h2>{words.calls}</h2>
      {isCut && <p className="soft small">{words.listBound}</p>}
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
                openId={open}
                onOpen={({ request_id: id }) => set({ open: id })}
                onMore={has_more && length < MOST ? () => setLength(length + PAGE_LENGTH) : undefined}
                isReadingMore={list.isFetching}
              />
            )
          }
        </Loaded>
        {open !== '' && <CallDetails id={open} onClose={() => set({ open: '' })} />}
      </div>
      <Months />
      <Statement onOpen={(id) => set({ open: id })} />
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

/** The most rows of one answer. */
const MOST = 1_000;

const byOptions = Object.entries(words.dimensions).map(([value, label]) => ({ value, label }));
const outcomeOptions = outcomes.map((value) => ({ value, label: value === '' ? words.anyOutcome : words.outcomes[value] }));

const getHref = (by: keyof typeof words.dimensions, value: string, range: Range): string =>
  `/usage?${new URLSearchParams({ range, [by]: value })}`;

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

function Totals({ total }: Activity) {
  const { figures } = words;
  return (
    <Figures>
      <Figure label={figures.spend}>
        <Money amount={total.charged} isRounded />
      </Figure>
      <Figure
        label={figures.requests}
        note={`${total.rejected.toLocaleString()} ${figures.rejected}, ${total.errors.toLocaleString()} ${figures.errors}`}
      >
        <Count of={total.requests} />
      </Figure>
      <Figure label={figures.tokens} note={`${getCacheHitRate(total.tokens)} ${figures.cached}`}>
        <Count of={sumTokens(total)} isShort />
      </Figure>
    </Figures>
  );
}

/** The overview: whether it serves, what fails, and what needs somebody. */
import { Link } from 'wouter';
import { useUrlState } from '../../../data/url-state.ts';
import { Button } from '../../../kit/button.tsx';
import { rangeFields } from '../../../kit/range-picker.tsx';
import { Empty, Loaded, Loading } from '../../../kit/states.tsx';
import { State, Time } from '../../../kit/values.tsx';
import { overview as words } from '../../../texts/overview.ts';
import { Reconciled } from '../activity/activity-table.tsx';
import type { Attention } from './attention.ts';
import { RangeFigures } from './figures.tsx';
import { FirstStart } from './first-start.tsx';
import { OutcomeChart } from './outcome-chart.tsx';
import { type OverviewData, useOverview } from './overview-data.ts';

export function Overview() {
  const data = useOverview();
  const [{ range }, set] = useUrlState(rangeFields);
  return (
    <section className="stack wide">
      <div className="page-head">
        <h1>{words.title}</h1>
      </div>
      <Loaded of={data.activity} rows={8}>
        {(body) => (
          <div className="stack wide">
            <Start data={data} />
            <RangeFigures total={body.total} before={data.before} range={range} />
            {body.total.requests === 0 && data.before?.requests !== 0 ? (
              <Empty title={words.nothing}>{range !== '30d' && <Button onClick={() => set({ range: '30d' })}>{words.widen}</Button>}</Empty>
            ) : (
              <OutcomeChart body={body} range={range} />
            )}
            <div className="columns">
              <NeedsAttention all={data.attention} />
              <section className="card stack" aria-label={words.books}>
                <h2>{words.books}</h2>
                <Reconciled of={body.reconciled} />
              </section>
            </div>
          </div>
        )}
      </Loaded>
    </section>
  );
}

/** Only where neither this range nor the one before has a call. */
function Start({ data: { activity, before, keys } }: { readonly data: OverviewData }) {
  const isFirst = activity.data?.total.requests === 0 && before?.requests === 0;
  return isFirst && keys !== undefined ? <FirstStart keys={keys} /> : null;
}

function NeedsAttention({ all }: { readonly all: readonly Attention[] | undefined }) {
  return (
    <section className="card stack" aria-label={words.attention(0)}>
      <h2>{words.attention(all?.length ?? 0)}</h2>
      {all === undefined && <Loading rows={3} />}
      {all?.length === 0 && <p className="soft">{words.calm}</p>}
      <ul className="list">
        {all?.map(({ id, tone, text, href, at }) => (
          <li key={id} className="row apart">
            <State tone={tone}>
              <Link href={href}>{text}</Link>
            </State>
            {at !== null && <Time at={at} format="ago" />}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The overview: whether it serves, what fails, and what needs somebody. */
import { Link } from 'wouter';
import { useUrlState } from '../../../data/url-state.ts';
import { Button } from '../../../kit/button.tsx';
import { rangeFields } from '../../../kit/range-picker.tsx';
import { Empty, Loaded, Loading } from '../../../kit/states.tsx';
import { State, Time } from '../../../kit/values.tsx';
import { overview as words } from '../../../texts/overview.ts';
import type { Activity } from '../../reads/buckets.ts';
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
            <Range body={body} data={data} range={range} onWiden={() => set({ range: '30d' })} />
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

interface RangeProps {
  readonly body: Activity;
  readonly data: OverviewData;
  readonly range: string;
  readonly onWiden: () => void;
}
/** Figures and chart; before any call the first steps, for zeros would say nothing. */
function Range({ body, data: { before, keys }, range, onWiden }: RangeProps) {
  if (body.total.requests > 0)
    return (
      <>
        <RangeFigures total={body.total} before={before} range={range} />
        <OutcomeChart body={body} range={range} />
      </>
    );
  return (
    <>
      {before?.requests === 0 && keys !== undefined && <FirstStart keys={keys} />}
      <Empty title={words.nothing}>{range !== '30d' && <Button onClick={onWiden}>{words.widen}</Button>}</Empty>
    </>
  );
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

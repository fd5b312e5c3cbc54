/** The overview: whether it serves, what fails, and what needs somebody. */
import { Link } from 'wouter';
import { useUrlState } from '../../../data/url-state.ts';
import { Button } from '../../../kit/button.tsx';
import { rangeFields } from '../../../kit/range-picker.tsx';
import { Empty, Loaded } from '../../../kit/states.tsx';
import { State, TextWithTimes, Time } from '../../../kit/values.tsx';
import { overview as words } from '../../../texts/overview.ts';
import { Reconciled } from '../activity/activity-table.tsx';
import { type Attention, listCallProblems, sortWorstFirst, toAttention } from './attention.ts';
import { RangeFigures } from './figures.tsx';
import { FirstStart } from './first-start.tsx';
import { OutcomeChart } from './outcome-chart.tsx';
import { hasCalls, type OverviewBody, useOverview, useWorkingKeys } from './overview-data.ts';
import { Processes } from './processes.tsx';

export function Overview() {
  const data = useOverview();
  const [{ range }, set] = useUrlState(rangeFields);
  return (
    <section className="stack wide">
      <div className="page-head">
        <h1>{words.title}</h1>
      </div>
      <Loaded of={data} rows={8}>
        {(body) => (
          <div className="stack wide">
            <Range body={body} range={range} onWiden={() => set({ range: '30d' })} />
            <div className="columns">
              <NeedsAttention all={sortWorstFirst([...toAttention(body.attention), ...listCallProblems(body.activity.total, range)])} />
              <div className="stack wide">
                <Processes nodes={body.nodes} />
                <section className="card stack" aria-label={words.ledger}>
                  <h2>{words.ledger}</h2>
                  <Reconciled of={body.activity.reconciled} />
                </section>
              </div>
            </div>
          </div>
        )}
      </Loaded>
    </section>
  );
}

interface RangeProps {
  readonly body: OverviewBody;
  readonly range: string;
  readonly onWiden: () => void;
}
/** Figures and chart; before any call the first steps, for zeros would say nothing. */
function Range({ body, range, onWiden }: RangeProps) {
  const isNew = !hasCalls(body);
  const keys = useWorkingKeys(isNew);
  if (body.activity.total.requests > 0)
    return (
      <>
        <RangeFigures body={body} range={range} />
        <OutcomeChart body={body.activity} range={range} />
      </>
    );
  return (
    <>
      {isNew && keys !== undefined && <FirstStart keys={keys} />}
      <Empty title={words.empty}>{range !== '30d' && <Button onClick={onWiden}>{words.widen}</Button>}</Empty>
    </>
  );
}

function NeedsAttention({ all }: { readonly all: readonly Attention[] }) {
  return (
    <section className="card stack" aria-label={words.attention(0)}>
      <h2>{words.attention(all.length)}</h2>
      {all.length === 0 && <p className="soft">{words.allClear}</p>}
      <ul className="attention">
        {all.map(({ id, tone, text, action, href, at }) => (
          <li key={id} className={`row apart ${tone}`}>
            <State tone={tone}>
              <span>
                <TextWithTimes text={text} /> {at !== null && <Time at={at} format="ago" />}
              </span>
            </State>
            <Link href={href} className="button">
              {action}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The overview: open problems first, then the key figures of the range, and the processes. */
import { useState } from 'react';
import { Link } from 'wouter';
import { useUrlState } from '../../../data/url-state.ts';
import { Button } from '../../../kit/button.tsx';
import { Icon } from '../../../kit/icon.tsx';
import { rangeFields } from '../../../kit/range-picker.tsx';
import { Empty, Loaded } from '../../../kit/states.tsx';
import { roundAmounts, State, TextWithTimes, Time } from '../../../kit/values.tsx';
import { overview as words } from '../../../texts/overview.ts';
import { Impact } from '../../parts/impact.tsx';
import { Reconciled } from '../activity/activity-table.tsx';
import { type AttentionCard, toCards } from './attention.ts';
import { RangeFigures } from './figures.tsx';
import { FirstStart } from './first-start.tsx';
import { OutcomeChart } from './outcome-chart.tsx';
import { hasCalls, type OverviewBody, useOverview, useWasCalled, useWorkingKeys } from './overview-data.ts';
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
            <NeedsAttention cards={toCards(body.attention)} acknowledged={body.acknowledged_alerts} />
            <Range body={body} range={range} onWiden={() => set({ range: '30d' })} />
            <div className="columns">
              <Processes nodes={body.nodes} />
              <section className="card stack" aria-label={words.ledger}>
                <h2>{words.ledger}</h2>
                <Reconciled of={body.activity.reconciled} />
              </section>
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
/** Key figures and chart. Before the first call, the first steps, because zeros wouldn't help. */
function Range({ body, range, onWiden }: RangeProps) {
  const mayBeNew = !hasCalls(body);
  const wasCalled = useWasCalled(mayBeNew);
  const keys = useWorkingKeys(mayBeNew);
  if (body.activity.total.requests > 0)
    return (
      <>
        <RangeFigures body={body} range={range} />
        <OutcomeChart body={body.activity} range={range} />
      </>
    );
  if (mayBeNew && wasCalled === false && keys !== undefined) return <FirstStart keys={keys} />;
  return <Empty title={words.empty}>{range !== '30d' && <Button onClick={onWiden}>{words.widen}</Button>}</Empty>;
}

/** More are shown on request, so that the key figures stay visible. Urgent ones are always shown. */
const MAX_CARDS = 6;

interface AttentionProps {
  readonly cards: readonly AttentionCard[];
  /** Number of acknowledged alerts. They have no card, but aren't over. */
  readonly acknowledged: number;
}
function NeedsAttention({ cards, acknowledged }: AttentionProps) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? cards : cards.filter(({ isUrgent }, index) => isUrgent || index < MAX_CARDS);
  const omitted = cards.length - shown.length;
  return (
    <section className="stack" aria-label={words.attention(0)}>
      {cards.length > 0 && (
        <>
          <h2>{words.attention(cards.length)}</h2>
          <p className="soft small">{words.attentionLead}</p>
          <ul className="attention card">
            {shown.map((card) => (
              <Card key={card.id} card={card} />
            ))}
          </ul>
          {omitted > 0 && (
            <p>
              <Button onClick={() => setWhole(true)}>{words.showMore(omitted)}</Button>
            </p>
          )}
        </>
      )}
      {acknowledged > 0 && (
        <p>
          {cards.length === 0 && words.nothingNew} <Link href="/alerts">{words.acknowledgedAlerts(acknowledged)}</Link>
        </p>
      )}
      {acknowledged + cards.length === 0 && (
        <p className="verdict">
          <Icon name="check" />
          {words.allClear}
        </p>
      )}
    </section>
  );
}

function Card({ card: { isUrgent, title, path, messages, impact, action, href, at } }: { readonly card: AttentionCard }) {
  const shownTitle = <TextWithTimes text={roundAmounts(title)} />;
  return (
    <li className={isUrgent ? 'bad' : undefined}>
      <div className="stack">
        <p className="row">
          <State tone={isUrgent ? 'bad' : 'warn'}>
            <strong>{path === null ? shownTitle : <Link href={path}>{shownTitle}</Link>}</strong>
            {isUrgent && <span className="hidden">{words.urgent}</span>}
          </State>
          {at !== null && (
            <span className="soft small">
              <Time at={at} format="ago" />
            </span>
          )}
        </p>
        {messages.map((message) => (
          <p key={message} className="wrapped">
            <TextWithTimes text={roundAmounts(message)} />
          </p>
        ))}
        {impact && <Impact of={impact} />}
      </div>
      <Link href={href} className="button">
        {action}
      </Link>
    </li>
  );
}

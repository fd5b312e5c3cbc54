/** The usage of the range: totals, a chart of spending, and one row per model, key, session, or end user. */
import { useSearchParams } from 'wouter';
import { formatSpan, formatTime } from '../../../data/times.ts';
import { createEnumField, useUrlState } from '../../../data/url-state.ts';
import { ButtonLink } from '../../../kit/button.tsx';
import { rangeFields } from '../../../kit/range-picker.tsx';
import { Segments } from '../../../kit/segments.tsx';
import { Empty, Loaded } from '../../../kit/states.tsx';
import { UsageChart } from '../../../kit/usage-chart.tsx';
import { Count, Figure, Figures as FigureList, getCacheHitRate, Money, sumInput } from '../../../kit/values.tsx';
import { usage as words } from '../../../texts/portal-usage.ts';
import { type Activity, useRead } from '../../api.ts';
import { useSeriesNames } from '../../series-names.ts';
import { SumsTable } from './sums-table.tsx';

const fields = { ...rangeFields, by: createEnumField(['model', 'key', 'session', 'end_user'], 'model') } as const;

/** The query that usage and calls share. */
export interface Reading {
  readonly span: { readonly from: Date; readonly to: Date };
  readonly filters: { readonly model?: string; readonly key_id?: string; readonly session?: string; readonly end_user?: string };
}

export function Figures({ span, filters }: Reading) {
  const [{ by }, set] = useUrlState(fields);
  const [search] = useSearchParams();
  const query = { from: span.from.toISOString(), to: span.to.toISOString(), group_by: by, ...filters };
  const activity = useRead('getActivity', { query });
  const getCallsHref = (value: string): string => {
    const next = new URLSearchParams(search);
    next.set(by, value);
    next.set('tab', 'calls');
    return `/usage?${next}`;
  };
  const nameSeries = useSeriesNames(by);
  return (
    <>
      <div className="row">
        <span className="soft">{words.groupBy}</span>
        <Segments label={words.groupBy} value={by} onChange={(next) => set({ by: next })} choices={dimensions} />
      </div>
      <Loaded of={activity} rows={7}>
        {(data) =>
          data.total.requests === 0 ? (
            <Empty title={words.empty}>
              <ButtonLink href="/start">{words.firstCall}</ButtonLink>
            </Empty>
          ) : (
            <div className="stack wide">
              <Totals {...data} />
              <UsageChart
                activity={nameSeries(data)}
                title={words.spend(words.dimensions[by], data.bucket)}
                note={words.note(formatSpan(data), formatTime(new Date(data.complete_until)))}
                getHref={getCallsHref}
                onDay={(day) => set({ range: `${day}..${day}` })}
              />
              <SumsTable activity={nameSeries(data)} by={by} />
            </div>
          )
        }
      </Loaded>
    </>
  );
}

const dimensions = (['model', 'key', 'session', 'end_user'] as const).map((value) => ({ value, label: words.dimensions[value] }));

function Totals({ total }: Activity) {
  const { figures } = words;
  return (
    <FigureList>
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
        <Count of={sumInput(total.tokens) + total.tokens.output} isShort />
      </Figure>
    </FigureList>
  );
}

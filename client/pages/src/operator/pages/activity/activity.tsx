/** Activity: spending by dimension, as a chart and a table. Each number links to its requests. */
import { useState } from 'react';
import { useUrlState } from '../../../data/url-state.ts';
import { Button } from '../../../kit/button.tsx';
import { Filters } from '../../../kit/filters.tsx';
import { Icon } from '../../../kit/icon.tsx';
import { Menu } from '../../../kit/menu.tsx';
import { Segments } from '../../../kit/segments.tsx';
import { Empty, Failed, Loaded } from '../../../kit/states.tsx';
import { activity as words } from '../../../texts/activity.ts';
import { useRead } from '../../api.ts';
import { CsvLink } from '../../parts/csv-link.tsx';
import { hasOwner, useSuggestions } from '../../reads/filter-suggestions.ts';
import { ActivityChart } from './activity-chart.tsx';
import { fields, isFiltered, listFilters, MAX_ROWS, noFilters, toPreviousQuery, toQuery } from './activity-query.ts';
import { ActivityTable } from './activity-table.tsx';
import { listDimensions, listMetrics, listSecondDimensions, toOffered } from './offered.ts';

const POLL_MS = 30_000;

export function ActivityPage() {
  const [asked, set] = useUrlState(fields);
  const state = toOffered(asked);
  const [isEdited, setEdited] = useState(false);
  const suggestions = useSuggestions(isEdited, state.second !== '' || hasOwner(state));
  const { names } = suggestions;
  const query = toQuery(state, new Date());
  const activity = useRead('getActivity', { query }, { everyMs: POLL_MS });
  const isCompared = state.compare === '1';
  // While a new query loads, the page shows the previous query's data, which must not be compared.
  const data = activity.isPlaceholderData ? undefined : activity.data;
  const before = useRead(
    'getActivity',
    { query: data ? toPreviousQuery(query, data, Date.now()) : query },
    { isEnabled: isCompared && data !== undefined },
  );
  const isWhole = state.more === '1';
  const rows = useRead('getActivity', { query: { ...query, top: MAX_ROWS } }, { isEnabled: isWhole });
  const seconds = listSecondDimensions(state.by);
  const secondName = words.thenBy(state.second === '' ? words.oneDimension.toLowerCase() : words.dimensions[state.second]);
  return (
    <section className="stack wide">
      <div className="page-head">
        <h1>{words.title}</h1>
        <CsvLink of="activity" query={{ ...query, top: MAX_ROWS }} />
      </div>
      <div className="row">
        <Segments
          label={words.metric}
          value={state.metric}
          choices={listMetrics(state).map((value) => ({ value, label: words.metrics[value] }))}
          onChange={(metric) => set({ metric })}
        />
        <Menu
          label={`${words.groupBy} ${words.dimensions[state.by]}`}
          choices={listDimensions(state).map((by) => ({
            label: words.dimensions[by],
            isChosen: by === state.by,
            onChoose: () => set({ by, second: '' }),
          }))}
        >
          {words.groupBy} {words.dimensions[state.by]}
          <Icon name="down" />
        </Menu>
        {seconds.length > 0 && (
          <Menu
            label={secondName}
            choices={(['', ...seconds] as const).map((second) => ({
              label: second === '' ? words.oneDimension : words.dimensions[second],
              isChosen: second === state.second,
              onChoose: () => set({ second }),
            }))}
          >
            {secondName}
            <Icon name="down" />
          </Menu>
        )}
        <Button aria-pressed={isCompared} icon={isCompared ? 'check' : 'activity'} onClick={() => set({ compare: isCompared ? '' : '1' })}>
          {words.compare}
        </Button>
        <Filters filters={listFilters(state, suggestions)} onChange={(changes) => set(changes)} onEdit={() => setEdited(true)} />
      </div>
      <Loaded of={activity} rows={10}>
        {(body) =>
          body.total.requests === 0 ? (
            <Empty title={isFiltered(state) ? words.emptyFiltered : words.empty}>
              {isFiltered(state) ? (
                <Button onClick={() => set(noFilters)}>{words.clearFilters}</Button>
              ) : (
                state.range !== '30d' && <Button onClick={() => set({ range: '30d' })}>{words.widen}</Button>
              )}
            </Empty>
          ) : (
            <div className="stack wide">
              <ActivityChart body={body} state={state} names={names} />
              {isCompared && before.error && <Failed failure={before.error} />}
              {isWhole && rows.error && <Failed failure={rows.error} />}
              <ActivityTable
                body={isWhole && !rows.isPlaceholderData && rows.data ? rows.data : body}
                onMore={isWhole ? undefined : () => set({ more: '1' })}
                before={isCompared && !before.isPlaceholderData && before.error === null ? before.data : undefined}
                state={state}
                names={names}
              />
            </div>
          )
        }
      </Loaded>
    </section>
  );
}

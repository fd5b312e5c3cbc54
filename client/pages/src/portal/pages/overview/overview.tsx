/** The portal's overview: remaining money, usage, and whether calls work from here. */
import { useState } from 'react';
import { useLocation } from 'wouter';
import { readDollars } from '../../../data/money.ts';
import { resolveSpan } from '../../../data/ranges.ts';
import { formatSpan } from '../../../data/times.ts';
import { createEnumField, text, useUrlState } from '../../../data/url-state.ts';
import { ButtonLink } from '../../../kit/button.tsx';
import { Empty, Loaded } from '../../../kit/states.tsx';
import { UsageChart } from '../../../kit/usage-chart.tsx';
import { CopiedId } from '../../../kit/values.tsx';
import { overview as words } from '../../../texts/portal-overview.ts';
import { useRead } from '../../api.ts';
import { CallsTable } from '../../calls-table.tsx';
import { SampleBox } from '../../sample-box.tsx';
import { findConnection, tools } from '../../samples.ts';
import { ScopeNote, ScopeSwitch } from '../../scope.tsx';
import { useSeriesNames } from '../../series-names.ts';
import { FailingModels } from './failing-models.tsx';
import { MoneyFigures } from './money-figures.tsx';

const EVERY_MS = 15_000;
const LAST = 5;
/** Enough to see whether each model's latest calls failed. */
const READ = 50;
/** `key`: only figures of this key. */
const scopeFields = { key: text } as const;

export function Overview() {
  const [{ key }, set] = useUrlState(scopeFields);
  const filter = key === '' ? {} : { key_id: key };
  const link = (search: Readonly<Record<string, string>>) => `/usage?${new URLSearchParams({ ...search, ...(key !== '' && { key }) })}`;
  const [span] = useState(() => resolveSpan('30d', new Date()));
  const session = useRead('getSession', {}, { everyMs: EVERY_MS });
  const activity = useRead(
    'getActivity',
    { query: { from: span.from.toISOString(), group_by: 'model', bucket: 'day', ...filter } },
    { everyMs: EVERY_MS },
  );
  const calls = useRead('listRequests', { query: { limit: READ, ...filter } }, { everyMs: EVERY_MS });
  const nameSeries = useSeriesNames('model');
  const [, navigate] = useLocation();
  return (
    <section className="stack wide">
      <div className="page-head">
        <h1>{words.title}</h1>
        <ScopeSwitch session={session.data} value={key} onChange={(id) => set({ key: id })} />
      </div>
      <ScopeNote session={session.data} value={key} />
      {calls.data && (
        <FailingModels calls={calls.data.data} getHref={(model) => link({ range: '24h', model, tab: 'calls', outcome: 'failed' })} />
      )}
      <Loaded of={session} rows={2}>
        {(data) => <MoneyFigures session={data} activity={activity.data} getHref={(range) => link({ range })} />}
      </Loaded>
      <Loaded of={activity} rows={6}>
        {(data) =>
          data.total.requests === 0 ? (
            <Empty title={words.noSpend}>
              <ButtonLink href="/start" kind="primary">
                {words.firstCall}
              </ButtonLink>
            </Empty>
          ) : (
            <UsageChart
              activity={nameSeries(data)}
              title={words.spend}
              note={formatSpan(data)}
              getHref={(model) => link({ range: '30d', model, tab: 'calls' })}
              onDay={(day) => navigate(link({ range: `${day}..${day}` }))}
            />
          )
        }
      </Loaded>
      <Loaded of={calls} rows={LAST}>
        {({ data }) =>
          data.length > 0 && (
            <section className="stack" aria-label={words.recentCalls}>
              <div className="row apart">
                <h2>{words.recentCalls}</h2>
                <ButtonLink href={link({ tab: 'calls' })}>{words.viewAllCalls}</ButtonLink>
              </div>
              <CallsTable
                caption={words.recentCalls}
                rows={data.slice(0, LAST)}
                onOpen={({ request_id: id }) => navigate(link({ range: '30d', open: id }))}
              />
            </section>
          )
        }
      </Loaded>
      {session.data && <TryIt baseUrl={session.data.base_url} model={findTopModel(activity.data)} />}
    </section>
  );
}

const fields = { tool: createEnumField(tools, 'curl') } as const;

function TryIt({ baseUrl, model }: { readonly baseUrl: string; readonly model: string | undefined }) {
  const [{ tool }, set] = useUrlState(fields);
  const models = useRead('listModels');
  const connection = models.data && findConnection(baseUrl, models.data.data, model);
  return (
    <section className="card stack" aria-label={words.tryIt}>
      <h2>{words.tryIt}</h2>
      <p className="row">
        {words.baseUrl} <CopiedId id={baseUrl} what={words.baseUrl} />
      </p>
      {connection && (
        <>
          <SampleBox connection={connection} tool={tool} onTool={(chosen) => set({ tool: chosen }, { replace: true })} />
          <p className="soft small">{words.keyVariable}</p>
        </>
      )}
    </section>
  );
}

/** The most used text model. Undefined if only image models, or none, were used. */
function findTopModel(
  activity: { readonly series: readonly { key: string | null; total: { images: number; charged: string } }[] } | undefined,
) {
  return activity?.series.find(({ key, total }) => key && total.images === 0 && (readDollars(total.charged) ?? 0n) > 0n)?.key ?? undefined;
}

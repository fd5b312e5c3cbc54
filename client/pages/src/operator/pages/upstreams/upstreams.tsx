/** Upstreams: their traffic and latency, the models and keys that are cooling down, and the page of one upstream. */
import { useState } from 'react';
import { Redirect, useLocation, useParams, useSearchParams } from 'wouter';
import { useUrlState } from '../../../data/url-state.ts';
import { Button, ButtonLink } from '../../../kit/button.tsx';
import { Crumbs } from '../../../kit/crumbs.tsx';
import { NotFound } from '../../../kit/not-found.tsx';
import { rangeFields } from '../../../kit/range-picker.tsx';
import { Empty, Failed, Loaded } from '../../../kit/states.tsx';
import { Table } from '../../../kit/table.tsx';
import { configText } from '../../../texts/config-text.ts';
import { upstreams as words } from '../../../texts/upstreams.ts';
import { useRead } from '../../api.ts';
import { AddConfig } from '../../parts/add-config.tsx';
import type { Activity, Sums } from '../../reads/buckets.ts';
import { decodeName, upstreamPath } from '../../reads/links.ts';
import { useSpan } from '../../reads/span.ts';
import { columns, toBars, type UpstreamRow } from './columns.tsx';
import { UpstreamPage } from './upstream-page.tsx';
import { sortByState, type Upstream } from './upstream-state.ts';

const POLL_MS = 10_000;
const MAX_SERIES = 12;

export function UpstreamPages() {
  const { name: part } = useParams<{ name?: string }>();
  const name = part === undefined ? undefined : decodeName(part);
  const [search] = useSearchParams();
  const open = search.get('open');
  if (name !== undefined) return <OneUpstream key={name} name={name} />;
  if (open === null) return <Upstreams />;
  // Links from earlier versions have the upstream in the query.
  return <Redirect to={upstreamPath(open)} replace />;
}

function OneUpstream({ name }: { readonly name: string }) {
  const list = useRead('listUpstreams', {}, { everyMs: POLL_MS });
  return (
    <section className="stack wide">
      <Crumbs parents={[{ title: words.title, path: '/upstreams' }]} here={name} />
      <Loaded of={list} rows={8}>
        {({ data }) => {
          const upstream = data.find((one) => one.name === name);
          if (upstream === undefined) return <NotFound />;
          return <UpstreamPage upstream={upstream} />;
        }}
      </Loaded>
    </section>
  );
}

function Upstreams() {
  const list = useRead('listUpstreams', {}, { everyMs: POLL_MS });
  const activity = useRead('getActivity', { query: { ...useSpan(), group_by: 'upstream', top: MAX_SERIES } }, { everyMs: POLL_MS });
  return (
    <section className="stack wide">
      <div className="page-head">
        <h1>{words.title}</h1>
        <AddUpstream />
      </div>
      {activity.error && <Failed failure={activity.error} onRetry={() => void activity.refetch()} />}
      <Loaded of={list} rows={4}>
        {({ data }) => (data.length === 0 ? <NoUpstreams /> : <List upstreams={data} activity={activity.data} />)}
      </Loaded>
    </section>
  );
}

const NoUpstreams = () => (
  <Empty title={words.empty}>
    <ButtonLink href="/settings">{words.goToSettings}</ButtonLink>
  </Empty>
);

function List({ upstreams, activity }: { readonly upstreams: readonly Upstream[]; readonly activity: Activity | undefined }) {
  const [, navigate] = useLocation();
  const [{ range }] = useUrlState(rangeFields);
  const rows = sortByState(upstreams).map((upstream): UpstreamRow => {
    const series = activity?.series.find(({ key }) => key === upstream.name);
    return { upstream, sums: findSums(activity, upstream.name), range, bars: activity && series ? toBars(activity, series) : [] };
  });
  return (
    <Table
      caption={words.caption}
      columns={columns}
      rows={rows}
      getRowId={({ upstream }) => upstream.name}
      onOpen={({ upstream }) => navigate(upstreamPath(upstream.name))}
    />
  );
}

/** Null while loading, or if it's part of "other". */
function findSums(activity: Activity | undefined, name: string): Sums | null {
  if (activity === undefined) return null;
  const own = activity.series.find(({ key }) => key === name);
  if (own) return own.total;
  return activity.series.some(({ is_other }) => is_other) ? null : nothing;
}

const nothing: Sums = {
  requests: 0,
  errors: 0,
  rejected: 0,
  tokens: { input: 0, cached_input: 0, cache_write: 0, output: 0 },
  images: 0,
  charged: '0.000000',
  cache_miss_cost: '0.000000',
  first_ms: null,
  total_ms: null,
};

function AddUpstream() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{configText.add.upstreams}…</Button>
      {isOpen && <AddConfig section="upstreams" onClose={() => setOpen(false)} />}
    </>
  );
}

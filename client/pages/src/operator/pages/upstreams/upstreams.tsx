/** Upstreams: their traffic and latency, which models and keys are cooling down and for how long, and a test of one. */
import { text, useUrlState } from '../../../data/url-state.ts';
import { ButtonLink } from '../../../kit/button.tsx';
import { rangeFields } from '../../../kit/range-picker.tsx';
import { Empty, Failed, Loaded } from '../../../kit/states.tsx';
import { Table } from '../../../kit/table.tsx';
import { upstreams as words } from '../../../texts/upstreams.ts';
import { useRead } from '../../api.ts';
import type { Activity, Sums } from '../../reads/buckets.ts';
import { useSpan } from '../../reads/span.ts';
import { columns, type UpstreamRow } from './columns.tsx';
import { UpstreamPanel } from './upstream-panel.tsx';
import type { Upstream } from './upstream-state.ts';

/** `open`: name of the upstream whose panel is open. */
const fields = { open: text } as const;
const POLL_MS = 10_000;
const MAX_SERIES = 12;

export function UpstreamsPage() {
  const list = useRead('listUpstreams', {}, { everyMs: POLL_MS });
  const activity = useRead('getActivity', { query: { ...useSpan(), group_by: 'upstream', top: MAX_SERIES } }, { everyMs: POLL_MS });
  return (
    <section className="stack wide">
      <div className="page-head">
        <h1>{words.title}</h1>
      </div>
      {activity.error && <Failed failure={activity.error} onRetry={() => void activity.refetch()} />}
      <Loaded of={list} rows={4}>
        {({ data }) => (data.length === 0 ? <None /> : <List upstreams={data} activity={activity.data} />)}
      </Loaded>
    </section>
  );
}

const None = () => (
  <Empty title={words.empty}>
    <ButtonLink href="/settings">{words.goToSettings}</ButtonLink>
  </Empty>
);

function List({ upstreams, activity }: { readonly upstreams: readonly Upstream[]; readonly activity: Activity | undefined }) {
  const [{ open }, set] = useUrlState(fields);
  const [{ range }] = useUrlState(rangeFields);
  const rows = upstreams.map((upstream): UpstreamRow => ({ upstream, sums: sumsOf(activity, upstream.name), range }));
  const opened = upstreams.find(({ name }) => name === open);
  return (
    <div className="split">
      <Table
        caption={words.caption}
        columns={opened ? columns.filter(({ isMain }) => isMain) : columns}
        rows={rows}
        idOf={({ upstream }) => upstream.name}
        onOpen={({ upstream }) => set({ open: upstream.name })}
        openId={open}
      />
      {opened && <UpstreamPanel key={open} upstream={opened} range={range} onClose={() => set({ open: '' })} />}
    </div>
  );
}

/** Null: not read yet, or one of the many that are summed together. */
function sumsOf(activity: Activity | undefined, name: string): Sums | null {
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
  missed: '0.000000',
  first_ms: null,
  total_ms: null,
};

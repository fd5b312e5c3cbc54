/** The metrics of the chart: how each is computed from totals, drawn, and formatted. */
import { formatCents, formatDollars, readDollars } from '../../../data/money.ts';
import { formatDuration, formatEstimate } from '../../../data/times.ts';
import { sumInput } from '../../../kit/values.tsx';
import type { Sums } from '../../reads/buckets.ts';
import type { Metric } from './offered.ts';

interface MetricDefinition {
  readonly of: (sums: Sums) => bigint | null;
  /** The value of a bucket without calls: spending is 0, but latency is unknown. */
  readonly empty: bigint | null;
  readonly kind: 'bars' | 'lines';
  readonly format: (value: bigint) => string;
  readonly formatTick: (value: bigint) => string;
}

const formatCount = (value: bigint): string => value.toLocaleString();
const compact = new Intl.NumberFormat(undefined, { notation: 'compact' });
const formatCompact = (value: bigint): string => compact.format(value);
const formatMsTick = (value: bigint): string => (value === 0n ? '0' : formatDuration(Number(value)));
const formatEstimatedMs = (value: bigint): string => formatEstimate(Number(value));

const createCountMetric = (of: (sums: Sums) => number): MetricDefinition => ({
  of: (sums) => BigInt(of(sums)),
  empty: 0n,
  kind: 'bars',
  format: formatCount,
  formatTick: formatCompact,
});

export const metrics: Readonly<Record<Metric, MetricDefinition>> = {
  spend: {
    of: ({ charged }) => readDollars(charged),
    empty: 0n,
    kind: 'bars',
    format: (value) => formatCents(value),
    formatTick: (value) => formatDollars(value),
  },
  requests: createCountMetric(({ requests }) => requests),
  tokens: createCountMetric(({ tokens }) => sumInput(tokens) + tokens.output),
  latency: {
    of: ({ total_ms }) => (total_ms === null ? null : BigInt(total_ms.p95)),
    empty: null,
    kind: 'lines',
    format: formatEstimatedMs,
    formatTick: formatMsTick,
  },
  errors: createCountMetric(({ errors }) => errors),
};

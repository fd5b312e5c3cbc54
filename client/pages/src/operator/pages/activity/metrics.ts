/** What the chart can show: how a metric is taken from sums, drawn and written. */
import { formatCents, formatDollars, readDollars } from '../../../data/money.ts';
import { formatDuration, formatEstimate } from '../../../data/times.ts';
import { inputOf } from '../../../kit/values.tsx';
import type { Sums } from '../../reads/buckets.ts';
import type { Metric } from './offered.ts';

interface Drawn {
  readonly of: (sums: Sums) => bigint | null;
  /** Of a bucket without calls: nothing was spent, but no latency was measured. */
  readonly empty: bigint | null;
  readonly kind: 'bars' | 'lines';
  readonly format: (value: bigint) => string;
  readonly formatTick: (value: bigint) => string;
}

const count = (value: bigint): string => value.toLocaleString();
const compact = new Intl.NumberFormat(undefined, { notation: 'compact' });
const short = (value: bigint): string => compact.format(value);
const milliseconds = (value: bigint): string => formatDuration(Number(value));
const estimate = (value: bigint): string => formatEstimate(Number(value));

const counted = (of: (sums: Sums) => number): Drawn => ({
  of: (sums) => BigInt(of(sums)),
  empty: 0n,
  kind: 'bars',
  format: count,
  formatTick: short,
});

export const metrics: Readonly<Record<Metric, Drawn>> = {
  spend: {
    of: ({ charged }) => readDollars(charged),
    empty: 0n,
    kind: 'bars',
    format: formatDollars,
    formatTick: (value) => formatCents(value),
  },
  requests: counted(({ requests }) => requests),
  tokens: counted(({ tokens }) => inputOf(tokens) + tokens.output),
  latency: {
    of: ({ total_ms }) => (total_ms === null ? null : BigInt(total_ms.p95)),
    empty: null,
    kind: 'lines',
    format: estimate,
    formatTick: milliseconds,
  },
  errors: counted(({ errors }) => errors),
};

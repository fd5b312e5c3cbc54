/** A sparkline: a figure over the range, as bars. It repeats the chart below, so screen readers skip it. */
import { getGreater } from './over-time.ts';

const HEIGHT = 24;
const STEP = 5;
const GAP = 1;

export function Spark({ values }: { readonly values: readonly bigint[] }) {
  const greatest = values.reduce(getGreater, 1n);
  const bars = values.map((value, index) => {
    const height = value === 0n ? 0 : Math.max((HEIGHT * Number(value)) / Number(greatest), 1);
    return `M${index * STEP} ${HEIGHT}v${-height.toFixed(1)}h${STEP - GAP}v${height.toFixed(1)}z`;
  });
  return (
    <svg
      className="spark"
      viewBox={`0 0 ${Math.max(values.length, 1) * STEP} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      <path d={bars.join('')} />
    </svg>
  );
}

/** The picture of a chart: axes, one path a series, and a line at the active bucket. Words for it are in the slider around it. */
import { type RefObject, useEffect, useMemo, useState } from 'react';
import type { ChartProps } from './chart.tsx';
import { colorOf } from './chart-colors.ts';
import { barsPath, bucketAt, greatestOf, heightOf, linePath, MARGIN, type Plot, stack, ticksOf } from './chart-scale.ts';

const HEIGHT = 200;
/** Before the page is measured. */
const FIRST_WIDTH = 640;
/** Pixels that a word of the time axis needs. */
const WORD_WIDTH = 84;

function useWidth(frame: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(FIRST_WIDTH);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [frame]);
  return Math.max(width, 160);
}

export function ChartDrawing(props: ChartProps & { readonly active: number | null; readonly frame: RefObject<HTMLElement | null> }) {
  const { buckets, series, kind, active } = props;
  const plot: Plot = { width: useWidth(props.frame), height: HEIGHT };
  const { below, sums } = useMemo(
    () =>
      stack(
        series.map(({ values }) => values),
        buckets.length,
      ),
    [series, buckets.length],
  );
  const ticks = ticksOf(kind === 'bars' ? greatestOf(sums) : greatestOf(series.flatMap(({ values }) => values)));
  const top = ticks.at(-1) ?? 1n;
  const marked = active === null ? undefined : bucketAt(active, buckets.length, plot);
  return (
    <svg className="chart-drawing" width={plot.width} height={plot.height} aria-hidden="true" focusable="false">
      <Axes {...props} plot={plot} ticks={ticks} />
      {marked && (
        <rect
          className="chart-mark"
          x={marked.x}
          y={MARGIN.top}
          width={Math.max(marked.width, 1)}
          height={HEIGHT - MARGIN.top - MARGIN.bottom}
        />
      )}
      {series.map((one, index) =>
        kind === 'bars' ? (
          <path key={one.id} d={barsPath(one.values, below[index] ?? [], top, plot)} fill={colorOf(one, index)} />
        ) : (
          <path key={one.id} className="chart-line" d={linePath(one.values, top, plot)} stroke={colorOf(one, index)} />
        ),
      )}
    </svg>
  );
}

function Axes({ buckets, format, formatTick, plot, ticks }: ChartProps & { readonly plot: Plot; readonly ticks: readonly bigint[] }) {
  const top = ticks.at(-1) ?? 1n;
  const every = Math.max(1, Math.ceil((buckets.length * WORD_WIDTH) / (plot.width - MARGIN.left)));
  return (
    <>
      {ticks.map((tick) => (
        <g key={String(tick)}>
          <line
            className="chart-grid"
            x1={MARGIN.left}
            x2={plot.width - MARGIN.right}
            y1={heightOf(tick, top, plot)}
            y2={heightOf(tick, top, plot)}
          />
          <text className="chart-word" x={MARGIN.left - 8} y={heightOf(tick, top, plot) + 4} textAnchor="end">
            {(formatTick ?? format)(tick)}
          </text>
        </g>
      ))}
      {buckets.map(({ short, label }, index) => {
        const { x, width } = bucketAt(index, buckets.length, plot);
        if (index % every !== 0 || x + WORD_WIDTH > plot.width) return null;
        return (
          <text
            key={label}
            className="chart-word"
            x={width > WORD_WIDTH ? x + width / 2 : x}
            y={plot.height - 6}
            textAnchor={width > WORD_WIDTH ? 'middle' : 'start'}
          >
            {short}
          </text>
        );
      })}
    </>
  );
}

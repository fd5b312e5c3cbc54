/** A chart of buckets: stacked bars or lines in SVG, a focusable slider that reads out each bucket, a legend, and the same numbers as a table. */
import { type KeyboardEvent, type PointerEvent, type ReactNode, type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react';
import { Link } from 'wouter';
import { kit } from '../texts/kit.ts';
import { getColor } from './chart-colors.ts';
import {
  bucketAt,
  buildBarsPath,
  buildLinePath,
  findGreatest,
  getLeftMargin,
  getTicks,
  getY,
  MARGIN,
  type Plot,
  stackSeries,
} from './chart-scale.ts';

export interface Series {
  readonly id: string;
  readonly label: string;
  /** One value per bucket. Null if unknown, which isn't 0. Money is in micro-dollars. */
  readonly values: readonly (bigint | null)[];
  /** Link of its legend entry, to the rows behind the series. */
  readonly href?: string;
  /** For outcomes: the color of the state. */
  readonly tone?: 'good' | 'warn' | 'bad';
  /** True for the sum of all other series, which is gray and last. */
  readonly isOther?: boolean;
}
export interface Bucket {
  /** Complete, for the slider and the table: `Nov 18, 14:00 UTC`. */
  readonly label: string;
  /** For the axis. */
  readonly short: string;
  /** Whether the axis must show it. */
  readonly isDayStart?: boolean;
}
export interface ChartProps {
  /** Describes the chart, such as `Spend by model, by hour`. */
  readonly title: string;
  readonly kind: 'bars' | 'lines';
  readonly buckets: readonly Bucket[];
  /** At most nine. */
  readonly series: readonly Series[];
  readonly format: (value: bigint) => string;
  /** A shorter format for the axis. Defaults to `format`. */
  readonly formatTick?: (value: bigint) => string;
  /** Opens the rows behind a bucket, on click or `Enter`. */
  readonly onOpen?: (bucket: number) => void;
  /** Zooms in to the buckets from the first to the last: selected by dragging, or with Shift and arrow keys, then `Enter`. */
  readonly onZoom?: (first: number, last: number) => void;
  /** Text beside the title: unit, time zone, and completeness. */
  readonly note?: ReactNode;
}

export function Chart(props: ChartProps) {
  const { title, note } = props;
  const [isTable, setTable] = useState(false);
  const [chosen, setActive] = useState<number | null>(null);
  // The number of buckets may have shrunk.
  const active = chosen === null ? null : Math.min(chosen, props.buckets.length - 1);
  const heading = useId();
  const toggle = () => setTable((was) => !was);
  return (
    <figure
      className="chart card"
      aria-labelledby={heading}
      onKeyDown={(event) => {
        if (event.key.toLowerCase() === 't' && !event.ctrlKey && !event.metaKey && !event.altKey) toggle();
      }}
    >
      <div className="row apart">
        <h2 id={heading}>{title}</h2>
        <div className="row">
          {note !== undefined && <span className="soft small">{note}</span>}
          <button type="button" className="button quiet" onClick={toggle}>
            {isTable ? kit.showChart : kit.showTable}
          </button>
        </div>
      </div>
      {isTable ? <ChartTable {...props} /> : <ChartSlider {...props} active={active} setActive={setActive} />}
      {!isTable && <Legend {...props} active={active} />}
    </figure>
  );
}

interface ActiveBucket {
  readonly active: number | null;
  readonly setActive: (active: number | null) => void;
}

interface Scale {
  readonly ticks: readonly bigint[];
  /** The value at the top of the axis, above 0. */
  readonly top: bigint;
  readonly below: readonly (readonly bigint[])[];
  readonly left: number;
}
function useScale({ buckets, series, kind, format, formatTick = format }: ChartProps): Scale {
  return useMemo(() => {
    const all = series.map(({ values }) => values);
    const { below, sums } = stackSeries(all, buckets.length);
    const ticks = getTicks(findGreatest(kind === 'bars' ? sums : all.flat()));
    return { below, ticks, top: ticks.at(-1) || 1n, left: getLeftMargin(ticks.map(formatTick)) };
  }, [buckets, series, kind, formatTick]);
}

function ChartSlider(props: ChartProps & ActiveBucket) {
  const { title, buckets, active, setActive, onOpen, onZoom } = props;
  const frame = useRef<HTMLDivElement>(null);
  const scale = useScale(props);
  /** The bucket where the selection started. */
  const [anchor, setAnchor] = useState<number | null>(null);
  const last = buckets.length - 1;
  const getBucketAt = (event: PointerEvent) => {
    const { left = 0, width = 1 } = frame.current?.getBoundingClientRect() ?? {};
    const share = (event.clientX - left - scale.left) / (width - scale.left - MARGIN.right);
    return Math.min(Math.max(Math.floor(share * buckets.length), 0), last);
  };
  const selectBucket = (bucket: number) => {
    setAnchor(null);
    if (!onZoom || anchor === null || anchor === bucket) return onOpen?.(bucket);
    setActive(null);
    onZoom(Math.min(anchor, bucket), Math.max(anchor, bucket));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && active !== null) selectBucket(active);
    if (event.key === 'Escape') setAnchor(null);
    const to = getMovedIndex(event.key, active ?? last, last);
    if (to === undefined) return;
    event.preventDefault();
    setAnchor(event.shiftKey && onZoom ? (anchor ?? active) : null);
    setActive(to);
  };
  if (last < 0) return null;
  return (
    <div
      ref={frame}
      className={onOpen || onZoom ? 'chart-frame opens' : 'chart-frame'}
      role="slider"
      tabIndex={0}
      aria-label={title}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={active ?? last}
      aria-valuetext={describe(props, active ?? last)}
      onFocus={() => setActive(active ?? last)}
      onBlur={() => {
        setActive(null);
        setAnchor(null);
      }}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        // Dragging continues outside the chart, and with a finger.
        if (onZoom) event.currentTarget.setPointerCapture(event.pointerId);
        setAnchor(getBucketAt(event));
      }}
      onPointerMove={(event) => setActive(getBucketAt(event))}
      onPointerUp={(event) => anchor !== null && selectBucket(getBucketAt(event))}
      onPointerCancel={() => setAnchor(null)}
      onPointerLeave={() => setActive(null)}
    >
      <ChartDrawing {...props} frame={frame} scale={scale} anchor={anchor} />
    </div>
  );
}

const PAGE = 10;
function getMovedIndex(key: string, from: number, last: number): number | undefined {
  const moves: Readonly<Record<string, number>> = {
    ArrowRight: from + 1,
    ArrowUp: from + 1,
    ArrowLeft: from - 1,
    ArrowDown: from - 1,
    PageUp: from + PAGE,
    PageDown: from - PAGE,
    Home: 0,
    End: last,
  };
  const to = moves[key];
  return to === undefined ? undefined : Math.min(Math.max(to, 0), last);
}

const listValuesAt = (series: readonly Series[], index: number) =>
  series.flatMap(({ label, values }) => {
    const value = values[index];
    return value === null || value === undefined || value === 0n ? [] : [{ label, value }];
  });

/** Describes the bucket in words. */
function describe({ buckets, series, format, kind }: ChartProps, index: number): string {
  const present = listValuesAt(series, index);
  const total = present.reduce((sum, { value }) => sum + value, 0n);
  const parts = present.map(({ label, value }) => `${label} ${format(value)}`);
  if (kind === 'bars') parts.unshift(`${kit.total} ${format(total)}`);
  return [buckets[index]?.label, ...parts].join(', ');
}

const sumValues = (values: readonly (bigint | null | undefined)[]): bigint =>
  values.reduce<bigint>((sum, value) => sum + (value ?? 0n), 0n);

/**
 * The legend below the chart: shows the values of the active bucket, or the totals of all. Lines have no totals, so they show the newest bucket with
 * a value. The slider reads out the same values.
 */
function Legend({ buckets, series, format, kind, active }: ChartProps & { readonly active: number | null }) {
  if (buckets.length === 0) return null;
  const newest = buckets.findLastIndex((_, at) => series.some(({ values }) => typeof values[at] === 'bigint'));
  const index = active ?? (kind === 'bars' ? null : newest);
  const shown = series.map(({ values }) => (index === null ? sumValues(values) : values[index]));
  const label = index === null ? undefined : buckets[index]?.label;
  return (
    <div className="chart-legend">
      <p aria-hidden="true">
        {label !== undefined && <strong>{label} </strong>}
        {kind === 'bars' && `${kit.total} ${format(sumValues(shown))}`}
      </p>
      <ul className="legend">
        {series.map((one, place) => (
          <li key={one.id} className="key-of">
            <span className="swatch" style={{ background: getColor(one, place) }} />
            {one.href === undefined ? one.label : <Link href={one.href}>{one.label}</Link>}
            <span className="number soft" aria-hidden="true">
              {formatValue(shown[place], format)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

const formatValue = (value: bigint | null | undefined, format: ChartProps['format']): string =>
  value === null || value === undefined ? kit.none : format(value);

const HEIGHT = 200;
/** Used before the page is measured. */
const FIRST_WIDTH = 640;
/** Width of a time axis label in pixels. */
const WORD_WIDTH = 92;

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

interface DrawingProps extends ChartProps {
  readonly active: number | null;
  readonly anchor: number | null;
  readonly frame: RefObject<HTMLElement | null>;
  readonly scale: Scale;
}
function ChartDrawing(props: DrawingProps) {
  const { buckets, series, kind, active, anchor, scale } = props;
  const { below, ticks, top, left } = scale;
  const plot: Plot = { width: useWidth(props.frame), height: HEIGHT, left };
  const ends = active === null ? undefined : [Math.min(active, anchor ?? active), Math.max(active, anchor ?? active)];
  const [first, end] = (ends ?? []).map((index) => bucketAt(index, buckets.length, plot));
  return (
    <svg className="chart-drawing" width={plot.width} height={plot.height} aria-hidden="true" focusable="false">
      <Axes {...props} plot={plot} ticks={ticks} top={top} />
      {first && end && (
        <rect
          className="chart-mark"
          x={first.x}
          y={MARGIN.top}
          width={Math.max(end.x + end.width - first.x, 1)}
          height={HEIGHT - MARGIN.top - MARGIN.bottom}
        />
      )}
      {series.map((one, index) =>
        kind === 'bars' ? (
          <path key={one.id} d={buildBarsPath(one.values, below[index] ?? [], top, plot)} fill={getColor(one, index)} />
        ) : (
          <path key={one.id} className="chart-line" d={buildLinePath(one.values, top, plot)} stroke={getColor(one, index)} />
        ),
      )}
    </svg>
  );
}

interface AxesProps extends ChartProps {
  readonly plot: Plot;
  readonly ticks: readonly bigint[];
  readonly top: bigint;
}
function Axes({ buckets, format, formatTick, plot, ticks, top }: AxesProps) {
  const every = Math.max(1, Math.ceil((buckets.length * WORD_WIDTH) / (plot.width - plot.left)));
  const last = buckets.length - 1;
  // Labels the newest bucket and the start of a day. Other labels are placed at equal distances from there.
  const counted = Math.max(
    buckets.findIndex(({ isDayStart }) => isDayStart),
    0,
  );
  return (
    <>
      {ticks.map((tick) => (
        <g key={String(tick)}>
          <line
            className="chart-grid"
            x1={plot.left}
            x2={plot.width - MARGIN.right}
            y1={getY(tick, top, plot)}
            y2={getY(tick, top, plot)}
          />
          <text className="chart-word" x={plot.left - 8} y={getY(tick, top, plot) + 4} textAnchor="end">
            {(formatTick ?? format)(tick)}
          </text>
        </g>
      ))}
      {buckets.map(({ short, label }, index) => {
        const { x, width } = bucketAt(index, buckets.length, plot);
        const isLast = index === last;
        if (!isLast && ((index - counted) % every !== 0 || x + WORD_WIDTH > plot.width)) return null;
        const [at, anchor] =
          width > WORD_WIDTH ? ([x + width / 2, 'middle'] as const) : isLast ? ([x + width, 'end'] as const) : ([x, 'start'] as const);
        return (
          <text key={label} className="chart-word" x={at} y={plot.height - 6} textAnchor={anchor}>
            {short}
          </text>
        );
      })}
    </>
  );
}

function ChartTable({ title, buckets, series, format, kind }: ChartProps) {
  const sumAt = (index: number) => sumValues(series.map(({ values }) => values[index]));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls can be scrolled by keys.
    <section className="chart-table" tabIndex={0} aria-label={title}>
      <table className="table plain">
        <caption className="hidden">{title}</caption>
        <thead>
          <tr>
            <th scope="col">{kit.bucket}</th>
            {series.map(({ id, label }) => (
              <th key={id} scope="col" className="at-right">
                {label}
              </th>
            ))}
            {kind === 'bars' && (
              <th scope="col" className="at-right">
                {kit.total}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {buckets.map(({ label }, index) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {series.map(({ id, values }) => (
                <td key={id} className="at-right number">
                  {formatValue(values[index], format)}
                </td>
              ))}
              {kind === 'bars' && <td className="at-right number">{format(sumAt(index))}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

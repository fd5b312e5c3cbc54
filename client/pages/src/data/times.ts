/** Formats times in the reader's time zone, with UTC in the tooltip, and as durations ago. */
import { type BucketLength, getNextStart } from './buckets.ts';

/** The browser's time zone or UTC, as chosen. Stored in this browser. */
export const zones = ['local', 'utc'] as const;
export type Zone = (typeof zones)[number];

const ZONE_KEY = 'modelgate.zone';
let chosen: Zone = 'document' in globalThis && localStorage.getItem(ZONE_KEY) === 'utc' ? 'utc' : 'local';

export const readZone = (): Zone => chosen;

/** The caller must then rerender pages that show times. */
export function applyZone(zone: Zone): void {
  chosen = zone;
  if (zone === 'utc') localStorage.setItem(ZONE_KEY, zone);
  else localStorage.removeItem(ZONE_KEY);
}

/** Cached, because creating a formatter costs far more than using it, and a chart has hundreds of times. */
function createFormatters(timeZone: string | undefined) {
  const shortDay = { month: 'short', day: 'numeric', timeZone } as const;
  const day = { year: 'numeric', ...shortDay } as const;
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone } as const;
  const createFormat = (style: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(undefined, style);
  return {
    shortDay: createFormat(shortDay),
    day: createFormat(day),
    clock: createFormat(clock),
    shortMinute: createFormat({ ...shortDay, ...clock }),
    minute: createFormat({ ...day, ...clock }),
    shortSecond: createFormat({ ...shortDay, ...clock, second: '2-digit' }),
    second: createFormat({ ...day, ...clock, second: '2-digit' }),
    year: createFormat({ year: 'numeric', timeZone }),
    zone: createFormat({ timeZoneName: 'short', timeZone }),
  };
}
const formatters = { local: createFormatters(undefined), utc: createFormatters('UTC') };

/** Returns `UTC`, `GMT+1`, or `EST`. The name can differ between November and July. */
export const getZoneName = (zone = chosen, at = new Date()): string =>
  formatters[zone].zone.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? 'UTC';

/** Shows the year only if it isn't the current one. */
function isThisYear(time: Date, zone: Zone): boolean {
  const { year } = formatters[zone];
  return year.format(time) === year.format(new Date());
}
const formatMinute = (time: Date, zone: Zone): string =>
  (isThisYear(time, zone) ? formatters[zone].shortMinute : formatters[zone].minute).format(time);

/** `Nov 24, 15:04`. */
export const formatTime = (time: Date): string => formatMinute(time, chosen);
/** `Nov 24, 15:04:09`, for lists with several times per minute. */
export const formatSecond = (time: Date): string =>
  (isThisYear(time, chosen) ? formatters[chosen].shortSecond : formatters[chosen].second).format(time);
/** `Nov 24`. */
export const formatDay = (time: Date, zone = chosen): string =>
  (isThisYear(time, zone) ? formatters[zone].shortDay : formatters[zone].day).format(time);
/** `2026-11-22 12:03:40 UTC`, for the tooltip of every time. */
export const formatUtc = (time: Date): string => `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** Appended to a range of days. */
export const UTC_DAYS = 'UTC days';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
interface Span {
  readonly from: string;
  readonly to: string;
  readonly bucket: BucketLength;
}
/**
 * `Nov 23, 14:00 to now, GMT+1`, or `Nov 1 to now, UTC days`: the range of totals. Days, weeks, and months are in UTC in every time zone, like billing.
 * Pages request a range that ends with the minute, and read it again later.
 */
export function formatSpan({ from, to, bucket }: Span, now = Date.now()): string {
  const [start, end] = [new Date(from), new Date(to)];
  const isRunning = end.getTime() > now - MINUTE_MS;
  if (bucket === 'hour') return `${formatTime(start)} to ${isRunning ? 'now' : formatTime(end)}, ${getZoneName(chosen, start)}`;
  if (start.getTime() % DAY_MS !== 0 || (!isRunning && end.getTime() % DAY_MS !== 0))
    return `${formatMinute(start, 'utc')} to ${isRunning ? 'now' : formatMinute(end, 'utc')}, ${getZoneName('utc')}`;
  return `${formatDay(start, 'utc')} to ${isRunning ? 'now' : formatDay(new Date(end.getTime() - 1), 'utc')}, ${UTC_DAYS}`;
}

interface BucketName {
  /** Complete, with the time zone: `Nov 24, 15:00 GMT+1`. */
  readonly label: string;
  /** For the axis. */
  readonly short: string;
  /** Whether an hour starts a day, which the axis then shows. */
  readonly isDayStart: boolean;
}
export function nameBucket(from: number, bucket: BucketLength, now = Date.now()): BucketName {
  const at = new Date(from);
  const isRunning = from <= now && now < getNextStart(bucket, from);
  const { shortDay, clock } = formatters[chosen];
  const hour = clock.format(at);
  const isDayStart = bucket === 'hour' && hour.startsWith('00:');
  const label = bucket === 'hour' ? `${shortDay.format(at)}, ${hour} ${getZoneName(chosen, at)}` : formatDay(at, 'utc');
  const short = bucket === 'hour' ? (isDayStart ? shortDay.format(at) : hour) : formatters.utc.shortDay.format(at);
  return { label: isRunning ? `${label}, so far` : label, short: isRunning ? 'now' : short, isDayStart };
}

const steps: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** `2 minutes ago`, `in 3 days`; less than a minute in seconds. */
export function formatAgo(time: Date, now: Date, locale?: string): string {
  const seconds = Math.round((time.getTime() - now.getTime()) / 1_000);
  const [unit, size] = steps.find(([, size]) => Math.abs(seconds) >= size) ?? (['second', 1] as const);
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' }).format(Math.round(seconds / size), unit);
}

/** `≈ 4.1 s`, because percentiles are estimates from a histogram. */
export const formatEstimate = (milliseconds: number): string => `≈ ${formatDuration(milliseconds)}`;

/** `840 ms`, `4.0 s`, `2 min 5 s`. */
export function formatDuration(milliseconds: number, locale?: string): string {
  const formatNumber = (value: number, digits: number) =>
    value.toLocaleString(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  if (milliseconds < 1_000) return `${formatNumber(milliseconds, 0)} ms`;
  if (milliseconds < 60_000) return `${formatNumber(milliseconds / 1_000, 1)} s`;
  return formatCountdown(milliseconds);
}

/** In whole seconds, rounded up, so that it ends at zero: `7 s`, `2 min 40 s`, `3 h 5 min`. */
export function formatCountdown(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1_000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 1_440) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return `${Math.floor(minutes / 1_440)} d ${Math.floor((minutes % 1_440) / 60)} h`;
}

/** Times on pages: in the reader's zone, with UTC beside it, and how long ago they were. */

const dayOnly = { year: 'numeric', month: 'short', day: 'numeric' } as const;
const toMinute = { ...dayOnly, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

/** `Nov 24, 2026, 15:04`. */
export const formatTime = (time: Date, locale?: string): string => new Intl.DateTimeFormat(locale, toMinute).format(time);
export const formatDay = (time: Date, locale?: string): string => new Intl.DateTimeFormat(locale, dayOnly).format(time);
/** `2026-11-22 12:03:40 UTC`, for the tooltip of every time. */
export const formatUtc = (time: Date): string => `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;

const inUtc = new Intl.DateTimeFormat(undefined, { ...toMinute, timeZone: 'UTC' });
const MINUTE_MS = 60_000;
/** `Nov 23, 2026, 14:00 to now, UTC`: the range of sums, whose hours and days are by UTC. Pages ask for a range that ends with the minute, and read it again later. */
export function formatSpan({ from, to }: { readonly from: string; readonly to: string }, now = Date.now()): string {
  const isRunning = Date.parse(to) > now - MINUTE_MS;
  return `${inUtc.format(new Date(from))} to ${isRunning ? 'now' : inUtc.format(new Date(to))}, UTC`;
}

const steps: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** `2 minutes ago`, `in 3 days`; below a minute in seconds. */
export function formatAgo(time: Date, now: Date, locale?: string): string {
  const seconds = Math.round((time.getTime() - now.getTime()) / 1_000);
  const [unit, size] = steps.find(([, size]) => Math.abs(seconds) >= size) ?? (['second', 1] as const);
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' }).format(Math.round(seconds / size), unit);
}

/** `≈ 4.1 s`: percentiles are estimates from a histogram. */
export const formatEstimate = (milliseconds: number): string => `≈ ${formatDuration(milliseconds)}`;

/** `840 ms`, `4.1 s`, `2 min 5 s`. */
export function formatDuration(milliseconds: number, locale?: string): string {
  const number = (value: number, digits: number) => value.toLocaleString(locale, { maximumFractionDigits: digits });
  if (milliseconds < 1_000) return `${number(milliseconds, 0)} ms`;
  if (milliseconds < 60_000) return `${number(milliseconds / 1_000, 1)} s`;
  const seconds = Math.round(milliseconds / 1_000);
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 1_440) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return `${Math.floor(minutes / 1_440)} d ${Math.floor((minutes % 1_440) / 60)} h`;
}

/** The time range of a page: a preset such as `24h`, two UTC days (the second one included, like spending periods), or two hours. */

import { formatDay, formatTime, UTC_DAYS } from './times.ts';

export const presets = ['1h', '24h', '7d', '30d', '90d'] as const;
export type Preset = (typeof presets)[number];

const hours: Readonly<Record<Preset, number>> = { '1h': 1, '24h': 24, '7d': 168, '30d': 720, '90d': 2_160 };
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** `24h`, `2026-11-01..2026-11-22`, or `2026-11-01T09..2026-11-01T17`. */
export type Range = string;
const DEFAULT_PRESET = '24h';
export const DEFAULT_RANGE: Range = DEFAULT_PRESET;

const days = /^(\d{4}-\d{2}-\d{2})\.\.(\d{4}-\d{2}-\d{2})$/;
const hoursOfDays = /^(\d{4}-\d{2}-\d{2}T\d{2})\.\.(\d{4}-\d{2}-\d{2}T\d{2})$/;

export const isPreset = (range: Range): range is Preset => Object.hasOwn(hours, range);

/** Parses two days or hours into milliseconds since 1970: from inclusive, to exclusive. Null if the text is neither. */
function parseEnds(range: Range): readonly [from: number, to: number] | null {
  const [, firstDay, lastDay] = days.exec(range) ?? [];
  if (firstDay !== undefined && lastDay !== undefined)
    return [Date.parse(`${firstDay}T00:00:00Z`), Date.parse(`${lastDay}T00:00:00Z`) + DAY_MS];
  const [, from, to] = hoursOfDays.exec(range) ?? [];
  return from === undefined || to === undefined ? null : [Date.parse(`${from}:00:00Z`), Date.parse(`${to}:00:00Z`)];
}

export function isRange(text: string): boolean {
  const [from, to] = parseEnds(text) ?? [];
  return isPreset(text) || (from !== undefined && to !== undefined && from < to);
}

/** Formats a range between two times in milliseconds since 1970, as days if both are midnight UTC. */
export function formatRange(from: number, to: number): Range {
  const isDays = from % DAY_MS === 0 && to % DAY_MS === 0;
  const write = (at: number): string => new Date(at).toISOString().slice(0, isDays ? 10 : 13);
  return `${write(from)}..${write(isDays ? to - DAY_MS : to)}`;
}

/** Formats `Nov 1 – Nov 2, UTC days`, or hours in the page's time zone: `Nov 1, 10:00 – Nov 1, 18:00`. */
export function nameRange(range: Range): string {
  const [from, to] = parseEnds(range) ?? [];
  if (from === undefined || to === undefined) return range;
  if (!hoursOfDays.test(range)) return `${formatDay(new Date(from), 'utc')} – ${formatDay(new Date(to - 1), 'utc')}, ${UTC_DAYS}`;
  return `${formatTime(new Date(from))} – ${formatTime(new Date(to))}`;
}

/**
 * Start (inclusive) and end (exclusive). A preset ends with the current minute, so that the query stays the same within a minute. A preset of days
 * starts with a UTC day, like daily totals and the 30-day columns of lists.
 */
export function resolveSpan(range: Range, now: Date): { readonly from: Date; readonly to: Date } {
  const [from, to] = parseEnds(range) ?? [];
  if (from !== undefined && to !== undefined) return { from: new Date(from), to: new Date(to) };
  const end = Math.ceil((now.getTime() + 1) / MINUTE_MS) * MINUTE_MS;
  const preset = isPreset(range) ? range : DEFAULT_PRESET;
  const firstDay = (Math.floor(now.getTime() / DAY_MS) + 1) * DAY_MS - hours[preset] * HOUR_MS;
  return { from: new Date(preset.endsWith('d') ? firstDay : end - hours[preset] * HOUR_MS), to: new Date(end) };
}

/** Parses times and durations of options, such as 2026-12-31 and 30d. */

import { InvalidArgumentError } from 'commander';
import type { OptionValue } from './option-values.ts';

/** Returns an ISO time. */
export const parseTime = (text: string): string => new Date(parseExpiry(text, Date.now())).toISOString();

export const parseTimeOrNever = (text: string): OptionValue<string> => ({ value: text === 'never' ? null : parseTime(text) });

/** Parses `2027-01-31` or a full ISO time, which may be in the past. */
export function parseMoment(text: string): string {
  const time = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2}))?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw new InvalidArgumentError('Enter a date such as 2027-01-31, or a time such as 2027-01-31T12:00:00Z.');
  return new Date(time).toISOString();
}

const HOUR_MS = 3_600_000;

const unitMs: Readonly<Record<string, number>> = { h: HOUR_MS, d: 24 * HOUR_MS, w: 7 * 24 * HOUR_MS };

/** A later time is most likely a typo. */
const MAX_FUTURE_MS = 100 * 366 * 24 * HOUR_MS;

/** Parses `12h`, `30d`, `8w`, `2027-01-31` (midnight UTC), or a full ISO time with its zone. Returns milliseconds since 1970. */
export function parseExpiry(text: string, now: number): number {
  const durationEnd = now + parseDuration(text);
  const time = Number.isNaN(durationEnd) ? parseIsoTime(text) : durationEnd;
  if (Number.isNaN(time)) throw new InvalidArgumentError('Enter a duration such as 12h, 30d, or 8w, or a date such as 2027-01-31.');
  if (time <= now) throw new InvalidArgumentError('Enter a time in the future.');
  if (time > now + MAX_FUTURE_MS) throw new InvalidArgumentError('Enter a time within the next 100 years.');
  return time;
}

/** Parses `12h`, `7d`, or `0`. Returns seconds. */
export function parseDurationSeconds(text: string): number {
  const ms = text === '0' ? 0 : parseDuration(text);
  if (Number.isNaN(ms)) throw new InvalidArgumentError('Enter a duration such as 12h or 7d, or 0.');
  return ms / 1_000;
}

function parseDuration(text: string): number {
  const [, count, unit] = /^(\d{1,6})([hdw])$/.exec(text) ?? [];
  return Number(count) * (unitMs[unit ?? ''] ?? Number.NaN);
}

function parseIsoTime(text: string): number {
  const [, date] = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/.exec(text) ?? [];
  return date !== undefined && isCalendarDate(date) ? Date.parse(text) : Number.NaN;
}

/** Date.parse reads February 30 as March 2. */
function isCalendarDate(date: string): boolean {
  const time = Date.parse(date);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
}

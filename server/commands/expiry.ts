/** Parses when a key expires: a length of time, or a date. */
import { InvalidArgumentError } from 'commander';

const HOUR_MS = 3_600_000;
const unitMs: Readonly<Record<string, number>> = { h: HOUR_MS, d: 24 * HOUR_MS, w: 7 * 24 * HOUR_MS };
/** A later time is surely a typo. */
const FARTHEST_MS = 100 * 366 * 24 * HOUR_MS;

/** `12h`, `30d`, `8w`, `2027-01-31` (midnight UTC) or a full ISO time with its zone → milliseconds since 1970. */
export function parseExpiry(text: string, now: number): number {
  const at = now + lengthOf(text);
  const time = Number.isNaN(at) ? timeOf(text) : at;
  if (Number.isNaN(time)) throw new InvalidArgumentError('Write a length such as 12h, 30d or 8w, or a date such as 2027-01-31.');
  if (time <= now) throw new InvalidArgumentError('That time has passed.');
  if (time > now + FARTHEST_MS) throw new InvalidArgumentError('That is more than a hundred years away.');
  return time;
}

function lengthOf(text: string): number {
  const [, count, unit] = /^(\d{1,6})([hdw])$/.exec(text) ?? [];
  return Number(count) * (unitMs[unit ?? ''] ?? Number.NaN);
}

function timeOf(text: string): number {
  const [, date] = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/.exec(text) ?? [];
  return date !== undefined && isInCalendar(date) ? Date.parse(text) : Number.NaN;
}

/** Date.parse reads the 30th of February as the 2nd of March. */
function isInCalendar(date: string): boolean {
  const time = Date.parse(date);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
}

/** The span of time that a page looks at: a preset such as `24h`, or two days with the second one included (UTC, as spending periods are). */

export const presets = ['1h', '24h', '7d', '30d', '90d'] as const;
export type Preset = (typeof presets)[number];

const hours: Readonly<Record<Preset, number>> = { '1h': 1, '24h': 24, '7d': 168, '30d': 720, '90d': 2_160 };
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** `24h`, or `2026-11-01..2026-11-22`. */
export type Range = string;
export const DEFAULT_RANGE: Range = '24h';

const days = /^(\d{4}-\d{2}-\d{2})\.\.(\d{4}-\d{2}-\d{2})$/;

export const isPreset = (range: Range): range is Preset => Object.hasOwn(hours, range);

export function isRange(text: string): boolean {
  const [, from, to] = days.exec(text) ?? [];
  return isPreset(text) || (from !== undefined && to !== undefined && from <= to && !Number.isNaN(Date.parse(from) + Date.parse(to)));
}

/** From when (inclusive) to when (exclusive). A preset ends with the minute of now, so that the same minute asks the same question. */
export function spanOf(range: Range, now: Date): { readonly from: Date; readonly to: Date } {
  const [, from, to] = days.exec(range) ?? [];
  if (from !== undefined && to !== undefined)
    return { from: new Date(`${from}T00:00:00Z`), to: new Date(Date.parse(`${to}T00:00:00Z`) + DAY_MS) };
  const end = Math.ceil((now.getTime() + 1) / MINUTE_MS) * MINUTE_MS;
  return { from: new Date(end - hours[isPreset(range) ? range : '24h'] * HOUR_MS), to: new Date(end) };
}

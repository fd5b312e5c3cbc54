/** Makes the sums anew from the rows of the log, for the days of which it has every row. */
import { numberOrNull } from '../storage/postgres/rows.ts';
import type { ActivityStore, Ask } from './store.ts';
import { DAY_MS, HOUR_MS } from './sums.ts';

export interface Rebuilt {
  /** Begin of the first day, in milliseconds since 1970; null when the log has no whole day. */
  readonly from: number | null;
  readonly days: number;
}

/** `from`: no day before this time. */
export async function rebuildSums(store: ActivityStore, from: number, now: number): Promise<Rebuilt> {
  const first = await firstWholeDay(store.ask);
  if (first === null || first > now) return { from: null, days: 0 };
  const begin = Math.max(first, from - (from % DAY_MS));
  let days = 0;
  for (let day = begin; day <= now; day += DAY_MS, days++) await store.recount(day, day + DAY_MS);
  while (await store.closeDay(now));
  return { from: begin, days };
}

/** A log that never lost a row begins with its first one; else the day of its oldest row has lost some. */
async function firstWholeDay(ask: Ask): Promise<number | null> {
  const [row] = await ask('SELECT min(ended_at) AS at FROM requests', []);
  const [sums] = await ask('SELECT min(hour) AS hour FROM activity_hours', []);
  const [oldest, counted] = [numberOrNull(row?.at ?? null), numberOrNull(sums?.hour ?? null)];
  if (oldest === null) return null;
  const day = oldest - (oldest % DAY_MS);
  const isWhole = counted === null || counted >= oldest - (oldest % HOUR_MS);
  return isWhole ? day : day + DAY_MS;
}

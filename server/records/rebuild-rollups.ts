/** Computes the rollups again from the rows of the request log. */

import { readNumberOrNull } from '../store/rows.ts';
import type { ActivityStore, RecordsQuery } from './store.ts';
import { DAY_MS, HOUR_MS } from './time-bucket.ts';

/** `from`: days before this time aren't rebuilt. Returns the start of the first day, or null if the log has no complete day. */
export async function rebuildRollups(store: ActivityStore, from: number, now: number): Promise<{ from: number | null; days: number }> {
  const firstDay = await findFirstWholeDay(store.ask);
  if (firstDay === null || firstDay > now) return { from: null, days: 0 };
  const startDay = Math.max(firstDay, from - (from % DAY_MS));
  let days = 0;
  for (let day = startDay; day <= now; day += DAY_MS, days++) await store.recount(day, day + DAY_MS);
  while (await store.closeDay(now));
  return { from: startDay, days };
}

/** Finds the first complete day. If the log has deleted rows, the day of its oldest row is incomplete. */
async function findFirstWholeDay(read: RecordsQuery): Promise<number | null> {
  const [row] = await read('SELECT min(ended_at) AS at FROM requests', []);
  const [hourRow] = await read('SELECT min(hour) AS hour FROM activity_hours', []);
  const [oldestRowTime, oldestHour] = [readNumberOrNull(row?.at ?? null), readNumberOrNull(hourRow?.hour ?? null)];
  if (oldestRowTime === null) return null;
  const day = oldestRowTime - (oldestRowTime % DAY_MS);
  const isWhole = oldestHour === null || oldestHour >= oldestRowTime - (oldestRowTime % HOUR_MS);
  return isWhole ? day : day + DAY_MS;
}

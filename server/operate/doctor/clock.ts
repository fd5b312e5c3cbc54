/** Checks the clock of this machine, and warns if another clock differs from it. */

import { existsSync, statSync } from 'node:fs';
import { getDatabasePath } from '../../store/sqlite/database.ts';
import { type CheckResult, formatMilliseconds, reportFault, reportOk, reportWarning } from './check-result.ts';

/** Build time of this program. A correct clock shows a later time. */
const RELEASE_TIME_MS = Date.parse('2026-11-01T00:00:00Z');

const CLOCK_TOLERANCE_MS = 60_000;

export function examineClock(folder: string, now = Date.now()): CheckResult {
  const text = new Date(now).toISOString();
  const hint = 'Synchronize the machine with a time server (timedatectl set-ntp true): expiry, limits, and TLS depend on the clock.';
  if (now < RELEASE_TIME_MS) return reportFault(`the clock shows ${text}, which is before this program was built`, hint);
  const file = getDatabasePath(folder);
  const writtenAt = existsSync(file) ? statSync(file).mtimeMs : 0;
  if (writtenAt > now + CLOCK_TOLERANCE_MS)
    return reportWarning(`the clock shows ${text}, which is before the last write to the database`, hint);
  return reportOk(text);
}

export const MAX_CLOCK_SKEW_MS = 2_000;

export const toClockWarning = (detail: string, skewMs: number): CheckResult =>
  reportWarning(
    `${detail}; its clock and this one are ${formatMilliseconds(skewMs)} apart`,
    'Synchronize both with the same time server: limits, expiry, and periods depend on the clock.',
  );

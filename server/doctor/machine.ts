/** The machine check of `modelgate doctor`: the clock, and the limit of open files. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { databaseFile } from '../storage/sqlite/database.ts';
import { fault, ok, skipped, type Verdict, warning } from './finding.ts';

/** When this program was written: a correct clock is later. */
const BORN = Date.parse('2026-11-01T00:00:00Z');
const SLACK_MS = 60_000;

export function examineClock(folder: string, now = Date.now()): Verdict {
  const text = new Date(now).toISOString();
  const hint = 'Synchronise the machine with a time server (timedatectl set-ntp true): expiry, limits and TLS depend on the clock.';
  if (now < BORN) return fault(`the clock says ${text}, but this program was written later`, hint);
  const file = databaseFile(folder);
  const writtenAt = existsSync(file) ? statSync(file).mtimeMs : 0;
  if (writtenAt > now + SLACK_MS) return warning(`the clock says ${text}, but the database was written later`, hint);
  return ok(text);
}

/** Files, logs, the database, idle connections of callers. */
const SPARE = 1_024;

/** `connections`: the sum over all upstreams; as many connections of callers come on top. */
export function examineOpenFiles(connections: number, limits = '/proc/self/limits'): Verdict {
  if (!existsSync(limits)) return skipped('unknown on this system');
  const written = /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync(limits, 'utf8'))?.[1] ?? '';
  const most = written === 'unlimited' ? Number.POSITIVE_INFINITY : Number(written);
  const wanted = 2 * connections + SPARE;
  if (most >= wanted) return ok(`${written}; ${wanted} are enough`);
  return warning(
    `${written}; ${wanted} may be needed`,
    `Raise it (LimitNOFILE=${wanted}, ulimit -n ${wanted}), or lower connections of the upstreams.`,
  );
}

/** Finds new problems, and open alerts that are resolved. Each check reads a bounded number of rows from the shared database once a minute. */
import type { Config } from '../config/config.ts';
import { formatDollars, parseDollars, shortDollars } from '../ledger/charge.ts';
import { CAP_ALLOWANCE, capStarts } from '../ledger/store.ts';
import type { Read } from '../storage/audit.ts';
import { integer, number, type Row, text, textOrNull } from '../storage/rows.ts';
import type { NewAlert } from './store.ts';

export type Found = Omit<NewAlert, 'id' | 'openedAt'>;

/** An open alert that is resolved, with a message that says so. */
export type Over = NewAlert;

export interface Look {
  readonly read: Read;
  readonly now: number;
  readonly settings: Config['alerts'];
}

/** Maximum number of alerts of one kind per check. The next check finds the others. */
export const MAX_BATCH = 100;
const DAY_MS = 86_400_000;
/** A process writes its observations every five seconds, so older ones are stale. */
const FRESH_MS = 20_000;
const PERCENT = 100;
/** A cap alert resolves this many percentage points below its threshold. */
const CAP_SLACK = 5;

/** Columns of an open alert. */
const COLUMNS = ['id', 'kind', 'subject', 'name', 'value', 'threshold', 'opened_at'].map((name) => `alerts.${name} AS ${name}`).join(', ');
const overOf = (row: Row, message: string): Over => ({
  id: text(row.id),
  // `as`: written by `open`.
  kind: text(row.kind) as Over['kind'],
  subject: text(row.subject),
  name: textOrNull(row.name),
  message,
  value: textOrNull(row.value),
  threshold: textOrNull(row.threshold),
  openedAt: number(row.opened_at),
});

const notOpen = (kind: Found['kind'], subject: string): string =>
  `NOT EXISTS (SELECT 1 FROM alerts WHERE alerts.kind = '${kind}' AND alerts.subject = ${subject} AND alerts.resolved_at IS NULL)`;
const subscribed = (now: string): string =>
  `EXISTS (SELECT 1 FROM subscriptions WHERE subscriptions.account_id = accounts.id AND starts_at <= ${now}
     AND (ends_at IS NULL OR ends_at > ${now}) AND cancelled_at IS NULL)`;

/** The account's own threshold, or else the configured one, `?1`; null where neither is set. */
const BELOW = 'coalesce(accounts.alert_below, CAST(?1 AS BIGINT))';
const configured = (balanceBelow: string | undefined): bigint | null => (balanceBelow === undefined ? null : parseDollars(balanceBelow));

const lowBalances = (which: string): string => `
  SELECT accounts.id AS id, accounts.name AS name, balance, ${BELOW} AS below
  FROM balances JOIN accounts ON accounts.id = balances.account_id
  WHERE ${which}balance < ${BELOW} AND suspended_at IS NULL AND NOT ${subscribed('?2')}
    AND EXISTS (SELECT 1 FROM charges WHERE charges.account_id = accounts.id) AND ${notOpen('balance_low', 'accounts.id')}
  ORDER BY balance, accounts.id LIMIT ${MAX_BATCH}`;
export const LOW_BALANCES = lowBalances('');
/** Where no threshold is configured, only accounts with one of their own are read. */
export const OWN_LOW_BALANCES = lowBalances('accounts.alert_below IS NOT NULL AND ');

/** Compares the balance without holds, because holds would make it swing with each call. */
export async function findLowBalances({ read, now, settings: { balanceBelow } }: Look): Promise<readonly Found[]> {
  const sql = balanceBelow === undefined ? OWN_LOW_BALANCES : LOW_BALANCES;
  return (await read(sql, [configured(balanceBelow), now])).map((row) => {
    const [name, value, threshold] = [text(row.name), formatDollars(integer(row.balance)), formatDollars(integer(row.below))];
    const message = `Account ${name} has $${shortDollars(value)} left, which is below $${shortDollars(threshold)}.`;
    return { kind: 'balance_low', subject: text(row.id), name, message, value, threshold };
  });
}

/** 10% above the threshold, so that a balance near it doesn't open one alert after another. */
const ENOUGH = `${BELOW} * 110 / 100`;

export const OVER_BALANCES = `
  SELECT ${COLUMNS}, balance, ${ENOUGH} AS enough
  FROM alerts LEFT JOIN accounts ON accounts.id = alerts.subject LEFT JOIN balances ON balances.account_id = alerts.subject
  WHERE alerts.kind = 'balance_low' AND resolved_at IS NULL
    AND (balance IS NULL OR ${BELOW} IS NULL OR balance >= ${ENOUGH} OR suspended_at IS NOT NULL OR ${subscribed('?2')})
  ORDER BY alerts.id LIMIT ${MAX_BATCH}`;

export async function findRestoredBalances({ read, now, settings: { balanceBelow } }: Look): Promise<readonly Over[]> {
  return (await read(OVER_BALANCES, [configured(balanceBelow), now])).map((row) => {
    const [balance, enough] = [amountOf(row.balance), amountOf(row.enough)];
    return overOf(row, `Account ${textOrNull(row.name)} ${whyOver(balance, enough, textOrNull(row.threshold))}.`);
  });
}

/** A threshold that was lowered since is another reason than money that came in. */
function whyOver(balance: bigint, enough: bigint, threshold: string | null): string {
  if (enough === 0n || balance < enough) return 'is no longer checked';
  const has = `has $${shortDollars(formatDollars(balance))}`;
  return threshold !== null && balance < parseDollars(threshold) ? `${has}, which is above its new threshold` : `${has} again`;
}

const amountOf = (column: unknown): bigint => (column === null ? 0n : integer(column));

export const USED_CAPS = `
  SELECT keys.id AS id, keys.name AS name, accounts.name AS account, cap_micros, used
  FROM keys JOIN allowances ON ${CAP_ALLOWANCE} JOIN accounts ON accounts.id = keys.account_id
  WHERE cap_micros IS NOT NULL AND revoked_at IS NULL AND replaced_by IS NULL AND (expires_at IS NULL OR expires_at > ?4)
    AND used > 0 AND used >= cap_micros * CAST(?5 AS BIGINT) / 100 AND ${notOpen('cap_used', 'keys.id')}
  ORDER BY keys.id LIMIT ${MAX_BATCH}`;

export async function findUsedCaps({ read, now, settings }: Look): Promise<readonly Found[]> {
  const percent = Math.round(settings.capUsedAbove * PERCENT);
  return (await read(USED_CAPS, [...capStarts(now), now, percent])).map((row) => {
    const [cap, used] = [integer(row.cap_micros), integer(row.used)];
    const value = formatDollars(used);
    const [name, account] = [text(row.name), text(row.account)];
    const share = cap > 0n ? ` (${(used * BigInt(PERCENT)) / cap}%)` : '';
    const message = `Key ${name} of account ${account} has used $${shortDollars(value)}${share} of its $${shortDollars(formatDollars(cap))} spending cap.`;
    const threshold = formatDollars((cap * BigInt(percent)) / BigInt(PERCENT));
    return { kind: 'cap_used', subject: text(row.id), name, message, value, threshold };
  });
}

export const OVER_CAPS = `
  SELECT ${COLUMNS}
  FROM alerts LEFT JOIN keys ON keys.id = alerts.subject LEFT JOIN allowances ON ${CAP_ALLOWANCE}
  WHERE alerts.kind = 'cap_used' AND resolved_at IS NULL AND (
    cap_micros IS NULL OR revoked_at IS NOT NULL OR replaced_by IS NOT NULL OR expires_at <= ?4
    OR coalesce(used, 0) < cap_micros * CAST(?5 AS BIGINT) / 100)
  ORDER BY alerts.id LIMIT ${MAX_BATCH}`;

export async function findFreedCaps({ read, now, settings }: Look): Promise<readonly Over[]> {
  const percent = Math.max(1, Math.round(settings.capUsedAbove * PERCENT) - CAP_SLACK);
  return (await read(OVER_CAPS, [...capStarts(now), now, percent])).map((row) =>
    overOf(
      row,
      `Key ${textOrNull(row.name)} is below its alert threshold again: the spending cap was raised or reset, or the key is no longer in use.`,
    ),
  );
}

export const UNAVAILABLE = `
  SELECT subject, min(since) AS since, min(detail) AS detail FROM alert_sightings
  WHERE seen_at >= ?1 AND since <= ?2 AND ${notOpen('upstream_unavailable', 'alert_sightings.subject')}
  GROUP BY subject ORDER BY subject LIMIT ${MAX_BATCH}`;

export async function findUnavailableUpstreams({ read, now, settings: { upstreamUnavailableForMs } }: Look): Promise<readonly Found[]> {
  return (await read(UNAVAILABLE, [now - FRESH_MS, now - upstreamUnavailableForMs])).map((row) => {
    const since = new Date(number(row.since)).toISOString();
    const message = `Upstream ${text(row.subject)} has been unavailable since ${since}: ${text(row.detail)}.`;
    return { kind: 'upstream_unavailable', subject: text(row.subject), name: null, message, value: null, threshold: null };
  });
}

export const RECOVERED = `
  SELECT ${COLUMNS} FROM alerts
  WHERE kind = 'upstream_unavailable' AND resolved_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM alert_sightings WHERE alert_sightings.subject = alerts.subject AND seen_at >= ?1)
  ORDER BY id LIMIT ${MAX_BATCH}`;

/** Waits until the upstream has been available for as long, so that one successful probe doesn't resolve the alert. */
export async function findRecoveredUpstreams({ read, now, settings: { upstreamUnavailableForMs } }: Look): Promise<readonly Over[]> {
  const rows = await read(RECOVERED, [now - Math.max(FRESH_MS, upstreamUnavailableForMs)]);
  return rows.map((row) => overOf(row, `Upstream ${text(row.subject)} has recovered.`));
}

export const DIFFERING = `
  SELECT count(*) AS hours, min(hour) AS first, CAST(sum(booked - summed) AS BIGINT) AS difference
  FROM activity_checks WHERE hour >= ?1 AND booked <> summed`;

async function countDiffering({ read, now }: Look): Promise<Row> {
  const [row] = await read(DIFFERING, [now - DAY_MS]);
  return row ?? {};
}

/** Checks the hours that were compared in the last day. */
export async function findDifferingBooks(look: Look): Promise<readonly Found[]> {
  const row = await countDiffering(look);
  if (number(row.hours) === 0) return [];
  const [value, first] = [formatDollars(integer(row.difference)), new Date(number(row.first)).toISOString()];
  const message = `The ledger and the request log disagree by $${value.replace('-', '')} over ${number(row.hours)} of the last 24 hours, starting ${first}. Run "modelgate ledger reconcile", then "modelgate activity rebuild".`;
  return [{ kind: 'ledger_mismatch', subject: '', name: null, message, value, threshold: null }];
}

export const OPEN_BOOKS = `SELECT ${COLUMNS} FROM alerts WHERE kind = 'ledger_mismatch' AND resolved_at IS NULL ORDER BY id LIMIT ${MAX_BATCH}`;

export async function findAgreeingBooks(look: Look): Promise<readonly Over[]> {
  const open = await look.read(OPEN_BOOKS, []);
  if (open.length === 0 || number((await countDiffering(look)).hours) > 0) return [];
  return open.map((row) => overOf(row, 'The ledger and the request log agree for all of the last 24 hours.'));
}

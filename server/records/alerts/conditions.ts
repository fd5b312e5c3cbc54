/** Finds new problems, and open alerts that are resolved. Once a minute, each check reads a bounded number of rows from the shared database. */

import type { Config } from '../../config/config.ts';
import { MAX_THRESHOLDS } from '../../config/schema-alerts.ts';
import { buildCapUsageSql } from '../../money/caps-sql.ts';
import { formatDollars, formatShortDollars, parseDollars } from '../../money/dollars.ts';
import { getCapStarts, type Period } from '../../money/period.ts';
import { formatCap } from '../../money/spending-cap.ts';
import type { Read } from '../../store/audit.ts';
import { type Row, readInteger, readNumber, readText, readTextOrNull } from '../../store/rows.ts';
import { DAY_MS } from '../time-bucket.ts';
import { getAlertTarget } from './alert-target.ts';
import { MAX_OBSERVATION_AGE_MS, toAlertSubject } from './list-alerts.ts';
import { getLevelMarks, LEVEL_MARK, type NewAlert } from './store.ts';

export type DetectedAlert = Omit<NewAlert, 'id' | 'openedAt'>;

/** An open alert that is resolved. Its message describes the resolution. */
export type EndedAlert = NewAlert;

export interface ConditionContext {
  readonly read: Read;
  readonly now: number;
  readonly settings: Config['alerts'];
}

/** Maximum number of alerts of one kind per check. The next check finds the others. */
export const MAX_BATCH = 100;
const PERCENT = 100;
/** A cap alert resolves this many percentage points below its threshold. */
const CAP_SLACK = 5;

/** Columns of an open alert. */
const COLUMNS = ['id', 'kind', 'subject', 'name', 'value', 'threshold', 'opened_at'].map((name) => `alerts.${name} AS ${name}`).join(', ');
const toResolvedAlert = (row: Row, message: string): EndedAlert => ({ ...toAlertSubject(row), message });

const buildNotOpenSql = (kind: DetectedAlert['kind'], subject: string): string =>
  `NOT EXISTS (SELECT 1 FROM alerts WHERE alerts.kind = '${kind}' AND alerts.subject = ${subject} AND alerts.resolved_at IS NULL)`;

/** The subject of an alert without the marks of its level. */
const SUBJECT_SQL = `replace(alerts.subject, '${LEVEL_MARK}', '')`;
/** Includes the levels that aren't configured, so that their alerts resolve. */
const ALL_LEVELS = Array.from({ length: MAX_THRESHOLDS }, (_, level) => level);

const buildSubscribedSql = (now: string): string =>
  `EXISTS (SELECT 1 FROM subscriptions WHERE subscriptions.account_id = accounts.id AND starts_at <= ${now}
     AND (ends_at IS NULL OR ends_at > ${now}) AND cancelled_at IS NULL)`;

/** The account's own threshold, which has only level 0, or the configured one of the level, `?1`. Null if neither is set. */
const THRESHOLD_SQL = `CASE WHEN accounts.alert_below IS NULL THEN CAST(?1 AS BIGINT) WHEN CAST(?3 AS TEXT) = '' THEN accounts.alert_below END`;
/** The highest amount first. */
const listAmounts = (balanceBelow: Config['alerts']['balanceBelow']): readonly bigint[] =>
  [balanceBelow ?? []]
    .flat()
    .map(parseDollars)
    .toSorted((one, other) => Number(other - one));

const buildLowBalancesSql = (condition: string): string => `
  SELECT accounts.id AS id, accounts.name AS name, balance, ${THRESHOLD_SQL} AS below
  FROM balances JOIN accounts ON accounts.id = balances.account_id
  WHERE ${condition}balance < (${THRESHOLD_SQL}) AND suspended_at IS NULL AND NOT ${buildSubscribedSql('?2')}
    AND EXISTS (SELECT 1 FROM charges WHERE charges.account_id = accounts.id) AND ${buildNotOpenSql('balance_low', 'accounts.id || CAST(?3 AS TEXT)')}
  ORDER BY balance, accounts.id LIMIT ${MAX_BATCH}`;
export const LOW_BALANCES = buildLowBalancesSql('');
/** If no threshold is configured, reads only accounts with their own. */
export const OWN_LOW_BALANCES = buildLowBalancesSql('accounts.alert_below IS NOT NULL AND ');

/** Compares the balance without holds, because holds would make it swing with each call. */
export async function findLowBalances({ read, now, settings: { balanceBelow } }: ConditionContext): Promise<readonly DetectedAlert[]> {
  const amounts = listAmounts(balanceBelow);
  if (amounts.length === 0) return (await read(OWN_LOW_BALANCES, [null, now, ''])).map((row) => toLowBalance(row, 0));
  const alerts: DetectedAlert[] = [];
  for (const [level, amount] of amounts.entries())
    alerts.push(...(await read(LOW_BALANCES, [amount, now, getLevelMarks(level)])).map((row) => toLowBalance(row, level)));
  return alerts;
}

function toLowBalance(row: Row, level: number): DetectedAlert {
  const [name, value, threshold] = [readText(row.name), formatDollars(readInteger(row.balance)), formatDollars(readInteger(row.below))];
  const message = `Account ${name} has $${formatShortDollars(value)} left, which is below $${formatShortDollars(threshold)}.`;
  return { kind: 'balance_low', subject: readText(row.id), level, name, message, value, threshold };
}

/** 10% above the threshold, so that a balance near it doesn't open one alert after another. */
const RESOLVE_BALANCE_SQL = `(${THRESHOLD_SQL}) * 110 / 100`;

export const RESTORED_BALANCES = `
  SELECT ${COLUMNS}, balance, ${RESOLVE_BALANCE_SQL} AS enough
  FROM alerts LEFT JOIN accounts ON accounts.id = ${SUBJECT_SQL} LEFT JOIN balances ON balances.account_id = ${SUBJECT_SQL}
  WHERE alerts.kind = 'balance_low' AND resolved_at IS NULL AND alerts.subject = ${SUBJECT_SQL} || CAST(?3 AS TEXT)
    AND (balance IS NULL OR (${THRESHOLD_SQL}) IS NULL OR balance >= ${RESOLVE_BALANCE_SQL} OR suspended_at IS NOT NULL OR ${buildSubscribedSql('?2')})
  ORDER BY alerts.id LIMIT ${MAX_BATCH}`;

export async function findRestoredBalances({ read, now, settings: { balanceBelow } }: ConditionContext): Promise<readonly EndedAlert[]> {
  const alerts: EndedAlert[] = [];
  const amounts = listAmounts(balanceBelow);
  for (const level of ALL_LEVELS)
    alerts.push(...(await read(RESTORED_BALANCES, [amounts[level] ?? null, now, getLevelMarks(level)])).map(toRestoredBalance));
  return alerts;
}

function toRestoredBalance(row: Row): EndedAlert {
  const [balance, resolveAmount] = [toAmount(row.balance), toAmount(row.enough)];
  return toResolvedAlert(
    row,
    `Account ${readTextOrNull(row.name)} ${describeResolution(balance, resolveAmount, readTextOrNull(row.threshold))}.`,
  );
}

/** Distinguishes a lowered threshold from added money. */
function describeResolution(balance: bigint, resolveAmount: bigint, threshold: string | null): string {
  if (resolveAmount === 0n || balance < resolveAmount) return 'is no longer monitored';
  const balanceText = `has $${formatShortDollars(formatDollars(balance))}`;
  return threshold !== null && balance < parseDollars(threshold)
    ? `${balanceText}, which is above its new threshold`
    : `${balanceText} again`;
}

const toAmount = (column: unknown): bigint => (column === null ? 0n : readInteger(column));

/** Keys and accounts whose caps matter. */
const CAPPED = {
  keys: 'keys.cap_micros IS NOT NULL AND keys.revoked_at IS NULL AND keys.replaced_by IS NULL AND (keys.expires_at IS NULL OR keys.expires_at > ?4)',
  accounts: 'coalesce(cap_day, cap_week, cap_month, cap_never) IS NOT NULL AND accounts.suspended_at IS NULL',
};
const buildCappedSql = (keyCondition: string, accountCondition: string): string =>
  `${buildCapUsageSql('keys', CAPPED.keys + keyCondition)} UNION ALL ${buildCapUsageSql('accounts', CAPPED.accounts + accountCondition)}`;

export const USED_CAPS = `
  SELECT caps.id AS id, period, micros, used, keys.name AS name, accounts.name AS account
  FROM (${buildCappedSql('', '')}) AS caps LEFT JOIN keys ON keys.id = caps.id JOIN accounts ON accounts.id = coalesce(keys.account_id, caps.id)
  WHERE used > 0 AND used >= micros * CAST(?5 AS BIGINT) / 100 AND ${buildNotOpenSql('cap_used', 'caps.id || CAST(?6 AS TEXT)')}
  ORDER BY caps.id, used * 1.0 / micros DESC LIMIT ${MAX_BATCH}`;

export async function findUsedCaps({ read, now, settings }: ConditionContext): Promise<readonly DetectedAlert[]> {
  const alerts: DetectedAlert[] = [];
  for (const [level, percent] of listPercents(settings).entries()) {
    const rows = await read(USED_CAPS, [...getCapStarts(now), now, percent, getLevelMarks(level)]);
    // The first of each is the one used most.
    const fullestCaps = new Map(rows.toReversed().map((row) => [readText(row.id), row]));
    alerts.push(...Array.from(fullestCaps.values(), (row) => toUsedCap(row, percent, level)));
  }
  return alerts;
}

/** The lowest share first. */
const listPercents = ({ capUsedAbove }: Config['alerts']): readonly number[] =>
  [capUsedAbove]
    .flat()
    .map((share) => Math.round(share * PERCENT))
    .toSorted((one, other) => one - other);

function toUsedCap(row: Row, percent: number, level: number): DetectedAlert {
  const [cap, used] = [readInteger(row.micros), readInteger(row.used)];
  const value = formatDollars(used);
  const [keyName, account] = [readTextOrNull(row.name), readText(row.account)];
  const share = cap > 0n ? ` (${(used * BigInt(PERCENT)) / cap}%, threshold ${percent}%)` : '';
  const subject = keyName === null ? `Account ${account}` : `Key ${keyName} of account ${account}`;
  // `as`: the statement names only these periods.
  const capText = formatCap({ micros: cap, period: readText(row.period) as Period });
  const message = `${subject} has used $${formatShortDollars(value)}${share} of its spending cap of ${capText}.`;
  const threshold = formatDollars((cap * BigInt(percent)) / BigInt(PERCENT));
  return { kind: 'cap_used', subject: readText(row.id), level, name: keyName ?? account, message, value, threshold };
}

export const FREED_CAPS = `
  SELECT ${COLUMNS}
  FROM alerts
  WHERE alerts.kind = 'cap_used' AND resolved_at IS NULL AND alerts.subject = ${SUBJECT_SQL} || CAST(?6 AS TEXT) AND NOT EXISTS (
    SELECT 1 FROM (${buildCappedSql(` AND keys.id = ${SUBJECT_SQL}`, ` AND accounts.id = ${SUBJECT_SQL}`)}) AS caps
    WHERE used >= micros * CAST(?5 AS BIGINT) / 100)
  ORDER BY alerts.id LIMIT ${MAX_BATCH}`;

export async function findFreedCaps({ read, now, settings }: ConditionContext): Promise<readonly EndedAlert[]> {
  const alerts: EndedAlert[] = [];
  const percents = listPercents(settings).map((percent) => Math.max(1, percent - CAP_SLACK));
  for (const level of ALL_LEVELS)
    alerts.push(...(await read(FREED_CAPS, [...getCapStarts(now), now, percents[level] ?? null, getLevelMarks(level)])).map(toFreedCap));
  return alerts;
}

const toFreedCap = (row: Row): EndedAlert =>
  toResolvedAlert(
    row,
    `${getAlertTarget({ kind: 'cap_used', subject: readText(row.subject) }) === 'account' ? 'Account' : 'Key'} ${readTextOrNull(row.name)} is below its alert threshold again: the spending cap was raised or reset, or it is no longer in use.`,
  );

export const UNAVAILABLE_UPSTREAMS = `
  SELECT subject, min(since) AS since, min(detail) AS detail FROM alert_sightings
  WHERE seen_at >= ?1 AND since <= ?2 AND ${buildNotOpenSql('upstream_unavailable', 'alert_sightings.subject')}
  GROUP BY subject ORDER BY subject LIMIT ${MAX_BATCH}`;

export async function findUnavailableUpstreams({
  read,
  now,
  settings: { upstreamUnavailableForMs },
}: ConditionContext): Promise<readonly DetectedAlert[]> {
  return (await read(UNAVAILABLE_UPSTREAMS, [now - MAX_OBSERVATION_AGE_MS, now - upstreamUnavailableForMs])).map((row) => {
    const since = new Date(readNumber(row.since)).toISOString();
    const message = `Upstream ${readText(row.subject)} has been unavailable since ${since}: ${readText(row.detail)}.`;
    return { kind: 'upstream_unavailable', subject: readText(row.subject), name: null, message, value: null, threshold: null };
  });
}

export const RECOVERED_UPSTREAMS = `
  SELECT ${COLUMNS} FROM alerts
  WHERE kind = 'upstream_unavailable' AND resolved_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM alert_sightings WHERE alert_sightings.subject = alerts.subject AND seen_at >= ?1)
  ORDER BY id LIMIT ${MAX_BATCH}`;

/** Waits until the upstream has been available for as long, so that one successful probe doesn't resolve the alert. */
export async function findRecoveredUpstreams({
  read,
  now,
  settings: { upstreamUnavailableForMs },
}: ConditionContext): Promise<readonly EndedAlert[]> {
  const rows = await read(RECOVERED_UPSTREAMS, [now - Math.max(MAX_OBSERVATION_AGE_MS, upstreamUnavailableForMs)]);
  return rows.map((row) => toResolvedAlert(row, `Upstream ${readText(row.subject)} has recovered.`));
}

export const DIFFERING_HOURS = `
  SELECT count(*) AS hours, min(hour) AS first, CAST(sum(booked - summed) AS BIGINT) AS difference
  FROM activity_checks WHERE hour >= ?1 AND booked <> summed`;

async function readDifferingHours({ read, now }: ConditionContext): Promise<Row> {
  const [row] = await read(DIFFERING_HOURS, [now - DAY_MS]);
  return row ?? {};
}

/** Checks the hours that were compared in the last day. */
export async function findLedgerMismatches(context: ConditionContext): Promise<readonly DetectedAlert[]> {
  const row = await readDifferingHours(context);
  if (readNumber(row.hours) === 0) return [];
  const [value, first] = [formatDollars(readInteger(row.difference)), new Date(readNumber(row.first)).toISOString()];
  const message = `The ledger and the request log disagree by $${value.replace('-', '')} over ${readNumber(row.hours)} of the last 24 hours, starting ${first}. Run "modelgate ledger reconcile", then "modelgate usage rebuild".`;
  return [{ kind: 'ledger_mismatch', subject: '', name: null, message, value, threshold: null }];
}

export const OPEN_LEDGER_MISMATCHES = `SELECT ${COLUMNS} FROM alerts WHERE kind = 'ledger_mismatch' AND resolved_at IS NULL ORDER BY id LIMIT ${MAX_BATCH}`;

export async function findResolvedMismatches(context: ConditionContext): Promise<readonly EndedAlert[]> {
  const openRows = await context.read(OPEN_LEDGER_MISMATCHES, []);
  if (openRows.length === 0 || readNumber((await readDifferingHours(context)).hours) > 0) return [];
  return openRows.map((row) => toResolvedAlert(row, 'The ledger and the request log agree for all of the last 24 hours.'));
}

/** Lists the problems that need an operator: alerts, upstreams that are cooling down, ledger differences, low balances, and expiring keys. */

import type { Attention } from '../../../contract/admin/overview.ts';
import { listExpiringKeys } from '../../access/issue-key.ts';
import { formatKeyName } from '../../access/read-names.ts';
import type { AlertKind } from '../../config/schema-alerts.ts';
import { formatCents, formatDollars } from '../../money/dollars.ts';
import { listLowBalances } from '../../money/low-balances.ts';
import { getAlertTarget } from '../../records/alerts/alert-target.ts';
import { listOpenAlertKeys, listUnattended, readUnavailableSince } from '../../records/alerts/list-alerts.ts';
import { countRecentCalls } from '../../records/outage-calls.ts';
import type { OtherNode } from './node-report.ts';
import type { Operations } from './operations.ts';
import { type CoolingModel, listCoolingModels, readOutageImpact } from './outages.ts';
import { writeTime } from './times.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

const EXPIRY_NOTICE_MS = 7 * DAY_MS;

/** A difference of zero, in dollars. */
export const ZERO_DOLLARS = '0.000000';

const MAX_ACCOUNTS = 20;

/** Defaults of fields that only some problems have. */
const noDetails = { available: null, expires_at: null, impact: null, since: null } as const;
const aboutGateway = { ...noDetails, target: 'gateway', subject: null, name: null } as const;

/** `difference` is the ledger total minus the request log total, in dollars. Null if they weren't compared. */
export async function collectAttention(
  operations: Operations,
  others: readonly OtherNode[],
  difference: string | null,
): Promise<Attention[]> {
  const coolingModels = listCoolingModels(operations, others);
  const sinceByUpstream = await readUnavailableSince(operations.activity.ask, operations.now());
  const outages = { coolingModels, sinceByUpstream };
  const upstreams = await listUpstreamAttention(operations, outages);
  const accounts = await listAccountAttention(operations);
  const entries = [
    ...upstreams,
    ...(await listCallAttention(operations, upstreams)),
    ...listGatewayAttention(operations, others, difference),
    ...accounts,
    ...(await listKeyAttention(operations)),
  ];
  const urgentAccounts = new Set(accounts.filter((one) => one.is_urgent).map(({ subject }) => subject));
  const alerts = await listAlertAttention(operations, outages);
  const all = [
    ...alerts.map((one) => ({ ...one, is_urgent: one.is_urgent || (one.target === 'account' && urgentAccounts.has(one.subject)) })),
    ...(await omitOpenAlerts(operations, entries)),
  ];
  return all.toSorted((one, other) => Number(other.is_urgent) - Number(one.is_urgent));
}

interface Outages {
  readonly coolingModels: readonly CoolingModel[];
  /** Since when each upstream has had a model that is cooling down. */
  readonly sinceByUpstream: ReadonlyMap<string, number>;
}

const hasStuckModels = (impact: Attention['impact']): boolean => impact !== null && impact.models.length > 0;

const MAX_ALERTS = 10;

/** Returns an entry for each of the newest unattended alerts, and one for all others, because there can be as many as accounts. */
async function listAlertAttention(operations: Operations, { coolingModels, sinceByUpstream }: Outages): Promise<Attention[]> {
  const { count, newest } = await listUnattended(operations.activity.ask, operations.now(), MAX_ALERTS);
  const entries: Attention[] = [];
  for (const { kind, subject, name, value, openedAt, message } of newest) {
    const target = getAlertTarget({ kind, subject });
    const isUpstream = target === 'upstream';
    // An alert opens after the outage has lasted for a while.
    const since = (isUpstream && sinceByUpstream.get(subject)) || openedAt;
    const impact = isUpstream ? await readOutageImpact(operations, coolingModels, { upstream: subject, since }) : null;
    entries.push({
      ...noDetails,
      kind: 'alerts_open',
      target,
      subject: subject === '' ? null : subject,
      name: name ?? (subject === '' ? null : subject),
      available: kind === 'balance_low' ? value : null,
      is_urgent: hasStuckModels(impact),
      impact,
      since: writeTime(since),
      message,
    });
  }
  const omittedCount = count - newest.length;
  if (omittedCount > 0) {
    const message = omittedCount === 1 ? '1 more alert is open.' : `${omittedCount} more alerts are open.`;
    entries.push({ ...aboutGateway, kind: 'alerts_open', is_urgent: false, message });
  }
  return entries;
}

/** The alert kind for the same problem. */
const alertKindByAttention: Readonly<Partial<Record<Attention['kind'], AlertKind>>> = {
  upstream_unavailable: 'upstream_unavailable',
  balance_low: 'balance_low',
  ledger_mismatch: 'ledger_mismatch',
};

/** Omits problems with an open alert: the alert is listed instead, or someone is handling it. */
async function omitOpenAlerts({ activity }: Operations, entries: readonly Attention[]): Promise<readonly Attention[]> {
  const openAlerts = await listOpenAlertKeys(
    activity.ask,
    entries.flatMap(({ kind, subject }) => (alertKindByAttention[kind] ? [subject ?? ''] : [])),
  );
  return entries.filter(({ kind, subject }) => !openAlerts.has(`${alertKindByAttention[kind]} ${subject ?? ''}`));
}

/** Lists each upstream once. */
async function listUpstreamAttention(operations: Operations, { coolingModels, sinceByUpstream }: Outages): Promise<Attention[]> {
  const entries: Attention[] = [];
  for (const [upstream, models] of Map.groupBy(coolingModels, (model) => model.upstream)) {
    const since = sinceByUpstream.get(upstream);
    const impact = await readOutageImpact(operations, coolingModels, { upstream, since });
    entries.push({
      ...noDetails,
      kind: 'upstream_unavailable',
      target: 'upstream',
      subject: upstream,
      name: upstream,
      is_urgent: hasStuckModels(impact),
      impact,
      since: since === undefined ? null : writeTime(since),
      message: formatCooldown(upstream, models),
    });
  }
  return entries;
}

const MAX_LISTED_MODELS = 5;

function formatCooldown(upstream: string, models: readonly CoolingModel[]): string {
  const names = models.slice(0, MAX_LISTED_MODELS).map(({ upstreamModel }) => upstreamModel);
  const moreText = models.length > MAX_LISTED_MODELS ? ` and ${models.length - MAX_LISTED_MODELS} more` : '';
  const rateLimitText = models.length === 1 ? 'was rate limited.' : 'were rate limited.';
  const reason = models.every(({ state }) => state === 'closed') ? rateLimitText : 'failed several times in a row.';
  const seconds = Math.ceil(Math.min(...models.map(({ restMs }) => restMs)) / 1_000);
  const nextAttempt = seconds > 0 ? `The next attempt is in ${formatWait(seconds)}.` : 'A test call is in flight.';
  const process = models[0]?.process ?? null;
  const reporter = process === null ? '' : ` Reported by process ${process}.`;
  return `${names.join(', ')}${moreText} at ${upstream} ${reason} ${nextAttempt}${reporter}`;
}

/** In minutes from two minutes up. */
function formatWait(seconds: number): string {
  if (seconds < 120) return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
  return `${Math.ceil(seconds / 60)} minutes`;
}

const RECENT_MS = 5 * MINUTE_MS;
/** Of a thousand calls. Among fewer calls than `MIN_CALLS`, a share means little. */
const MAX_FAILED_PER_MILLE = 20;
const MIN_CALLS = 20;

/** Lists upstreams whose calls fail now, except those where that is known already. */
async function listCallAttention({ activity, now }: Operations, upstreams: readonly Attention[]): Promise<Attention[]> {
  const urgentUpstreams = new Set(upstreams.filter((one) => one.is_urgent).map(({ subject }) => subject));
  const recent = await countRecentCalls(activity.ask, now() - RECENT_MS);
  return recent
    .filter(
      ({ upstream, calls, failed }) =>
        !urgentUpstreams.has(upstream) && calls >= MIN_CALLS && failed * 1_000 >= calls * MAX_FAILED_PER_MILLE,
    )
    .map(({ upstream, calls, failed }) => ({
      ...(upstream === null ? aboutGateway : ({ ...noDetails, target: 'upstream', subject: upstream, name: upstream } as const)),
      kind: 'calls_failing',
      is_urgent: true,
      message: `${failed} of ${calls} calls in the last 5 minutes failed.`,
    }));
}

function listGatewayAttention({ gateway }: Operations, others: readonly OtherNode[], difference: string | null): Attention[] {
  const ownCharges = gateway ? [{ where: 'this process', waiting: gateway.waitingCharges() }] : [];
  const reportedCharges = others.map(({ id, facts }) => ({ where: `process ${id}`, waiting: facts?.waitingCharges ?? null }));
  const entries: Attention[] = [...ownCharges, ...reportedCharges].flatMap(({ where, waiting }) => {
    if (waiting === null || waiting === 0) return [];
    const charges = waiting === 1 ? '1 charge is' : `${waiting} charges are`;
    const message = `${charges} pending on the disk of ${where}, because the database doesn't accept them.`;
    return [{ ...aboutGateway, kind: 'charges_pending', is_urgent: true, message }];
  });
  const ownLimitsSince = gateway?.ownLimitsSince() ?? null;
  if (ownLimitsSince !== null) {
    const message = "The shared counter of limits can't be reached, so each process enforces its share of them.";
    entries.push({ ...aboutGateway, kind: 'limits_unshared', is_urgent: false, since: writeTime(ownLimitsSince), message });
  }
  if (difference !== null && difference !== ZERO_DOLLARS) {
    const amount = difference.replace('-', '');
    const excess = difference === amount ? 'exceeds the request log total by' : 'is below the request log total by';
    const message = `The ledger total ${excess} $${amount}. Run "modelgate ledger reconcile", then "modelgate usage rebuild".`;
    entries.push({ ...aboutGateway, kind: 'ledger_mismatch', is_urgent: false, message });
  }
  return entries;
}

async function listAccountAttention({ activity, ledger, now }: Operations): Promise<Attention[]> {
  if (!ledger) return [];
  const at = now();
  const lowBalances = await listLowBalances(activity.ask, { since: at - (at % DAY_MS) - DAY_MS, now: at, limit: MAX_ACCOUNTS });
  return lowBalances.map(({ accountId, name, available, spent }) => ({
    ...noDetails,
    kind: 'balance_low',
    target: 'account',
    subject: accountId,
    name,
    available: formatDollars(available),
    is_urgent: available <= 0n,
    message: `Account ${name} has ${formatCents(available)} left and spent ${formatCents(spent)} in the last day.`,
  }));
}

const MAX_KEYS = 5;

async function listKeyAttention({ activity, now }: Operations): Promise<Attention[]> {
  const at = now();
  const { count, soonest } = await listExpiringKeys(activity.ask, { now: at, until: at + EXPIRY_NOTICE_MS, limit: MAX_KEYS });
  const entries = soonest.map(({ id, name, account, expiresAt }): Attention => {
    const expiry = writeTime(expiresAt);
    return {
      ...noDetails,
      kind: 'keys_expiring',
      target: 'key',
      subject: id,
      name: formatKeyName(account, name),
      expires_at: expiry,
      is_urgent: false,
      message: `Key ${name} of account ${account} expires at ${expiry}.`,
    };
  });
  const omittedCount = count - soonest.length;
  if (omittedCount > 0) {
    const message = `${omittedCount} more ${omittedCount === 1 ? 'key expires' : 'keys expire'} within 7 days.`;
    entries.push({ ...aboutGateway, kind: 'keys_expiring', is_urgent: false, message });
  }
  return entries;
}

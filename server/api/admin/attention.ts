/** Lists what needs an operator's attention: alerts, upstreams that are cooling down, ledger differences, low balances, and expiring keys. */

import type { Attention } from '../../../contract/admin/overview.ts';
import { countExpiringKeys } from '../../access/issue-key.ts';
import type { AlertKind } from '../../config/schema-server.ts';
import { formatDollars, formatShortDollars } from '../../money/dollars.ts';
import { listLowBalances } from '../../money/low-balances.ts';
import { listOpenAlertKeys, listUnattended, readUnavailableSince } from '../../records/alerts/list-alerts.ts';
import { isCoolingDown, type OtherNode } from './node-report.ts';
import type { Operations } from './operations.ts';
import type { ServedModelState } from './running-gateway.ts';
import { writeTime } from './times.ts';

const DAY_MS = 86_400_000;

const EXPIRY_NOTICE_MS = 7 * DAY_MS;

/** A difference of zero, in dollars. */
export const ZERO_DOLLARS = '0.000000';

const MAX_ACCOUNTS = 20;

/** `difference` is the ledger total minus the request log total, in dollars. Null if they weren't compared. */
export async function collectAttention(
  operations: Operations,
  others: readonly OtherNode[],
  difference: string | null,
): Promise<Attention[]> {
  const entries = [
    ...(await listUpstreamAttention(operations, others)),
    ...listLedgerAttention(operations, others, difference),
    ...(await listAccountAttention(operations)),
    ...(await listKeyAttention(operations)),
  ];
  return [...(await listAlertAttention(operations)), ...(await omitOpenAlerts(operations, entries))];
}

const MAX_ALERTS = 10;

/** Returns an entry for each of the newest unattended alerts, and one for all others, because there can be as many as accounts. */
async function listAlertAttention({ activity, now }: Operations): Promise<Attention[]> {
  const { count, newest } = await listUnattended(activity.ask, now(), MAX_ALERTS);
  const entries = newest.map(({ subject, openedAt, message }): Attention => {
    return { kind: 'alerts_open', subject: subject === '' ? null : subject, since: writeTime(openedAt), message };
  });
  const omittedCount = count - newest.length;
  if (omittedCount > 0) {
    const message = omittedCount === 1 ? '1 more alert is open.' : `${omittedCount} more alerts are open.`;
    entries.push({ kind: 'alerts_open', subject: null, since: null, message });
  }
  return entries;
}

/** The alert kind for the same problem. */
const alertKindByAttention: Readonly<Partial<Record<Attention['kind'], AlertKind>>> = {
  upstream_unavailable: 'upstream_unavailable',
  balance_low: 'balance_low',
  ledger_mismatch: 'ledger_mismatch',
};

/** Omits problems with an open alert: the alert is listed instead, or someone takes care of it. */
async function omitOpenAlerts({ activity }: Operations, entries: readonly Attention[]): Promise<readonly Attention[]> {
  const openAlerts = await listOpenAlertKeys(
    activity.ask,
    entries.flatMap(({ kind, subject }) => (alertKindByAttention[kind] ? [subject ?? ''] : [])),
  );
  return entries.filter(({ kind, subject }) => !openAlerts.has(`${alertKindByAttention[kind]} ${subject ?? ''}`));
}

interface CoolingModel extends ServedModelState {
  /** Null for this process. */
  readonly process: string | null;
}

/** Lists each upstream once. A model that cools down in several processes is reported with this process's state, otherwise with the first other process's. */
async function listUpstreamAttention({ gateway, activity, now }: Operations, others: readonly OtherNode[]): Promise<Attention[]> {
  const ownModels =
    gateway
      ?.places()
      .filter(isCoolingDown)
      .map((place) => ({ ...place, process: null })) ?? [];
  const reportedModels = others.flatMap(({ id, facts }) =>
    (facts?.upstreams ?? []).flatMap(({ name, places }) => places.map((place) => ({ ...place, upstream: name, process: id }))),
  );
  const models = new Map<string, CoolingModel>();
  for (const model of [...ownModels, ...reportedModels]) {
    const id = `${model.upstream} ${model.upstreamModel}`;
    if (!models.has(id)) models.set(id, model);
  }
  const sinceByUpstream = await readUnavailableSince(activity.ask, now());
  return [...Map.groupBy(models.values(), ({ upstream }) => upstream)].map(([upstream, places]) => {
    const startedAt = sinceByUpstream.get(upstream);
    return {
      kind: 'upstream_unavailable',
      subject: upstream,
      since: startedAt === undefined ? null : writeTime(startedAt),
      message: formatCooldown(upstream, places),
    };
  });
}

const MAX_LISTED_MODELS = 5;

function formatCooldown(upstream: string, models: readonly CoolingModel[]): string {
  const names = models.slice(0, MAX_LISTED_MODELS).map(({ upstreamModel }) => upstreamModel);
  const moreText = models.length > MAX_LISTED_MODELS ? ` and ${models.length - MAX_LISTED_MODELS} more` : '';
  const rateLimitText = models.length === 1 ? 'was rate limited.' : 'were rate limited.';
  const reason = models.every(({ state }) => state === 'closed') ? rateLimitText : 'failed several times in a row.';
  const seconds = Math.ceil(Math.min(...models.map(({ restMs }) => restMs)) / 1_000);
  const nextAttempt =
    seconds > 0 ? `The next attempt is in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.` : 'A test call is in flight.';
  const process = models[0]?.process ?? null;
  const reporter = process === null ? '' : ` Reported by process ${process}.`;
  return `${names.join(', ')}${moreText} at ${upstream} ${reason} ${nextAttempt}${reporter}`;
}

function listLedgerAttention({ gateway }: Operations, others: readonly OtherNode[], difference: string | null): Attention[] {
  const ownCharges = gateway ? [{ where: 'this process', waiting: gateway.waitingCharges() }] : [];
  const reportedCharges = others.map(({ id, facts }) => ({ where: `process ${id}`, waiting: facts?.waitingCharges ?? null }));
  const entries: Attention[] = [...ownCharges, ...reportedCharges].flatMap(({ where, waiting }) => {
    if (waiting === null || waiting === 0) return [];
    const charges = waiting === 1 ? '1 charge is' : `${waiting} charges are`;
    const message = `${charges} pending on the disk of ${where}, because the database doesn't accept them.`;
    return [{ kind: 'charges_pending', subject: null, since: null, message }];
  });
  if (difference !== null && difference !== ZERO_DOLLARS) {
    const amount = difference.replace('-', '');
    const excess = difference === amount ? 'exceeds the request log total by' : 'is below the request log total by';
    const message = `The ledger total ${excess} $${amount}. Run "modelgate ledger reconcile", then "modelgate activity rebuild".`;
    entries.push({ kind: 'ledger_mismatch', subject: null, since: null, message });
  }
  return entries;
}

async function listAccountAttention({ activity, ledger, now }: Operations): Promise<Attention[]> {
  if (!ledger) return [];
  const at = now();
  const lowBalances = await listLowBalances(activity.ask, { since: at - (at % DAY_MS) - DAY_MS, now: at, limit: MAX_ACCOUNTS });
  return lowBalances.map(({ accountId, name, available, spent }) => {
    const [left, used] = [available, spent].map((micros) => formatShortDollars(formatDollars(micros)));
    return {
      kind: 'balance_low',
      subject: accountId,
      since: null,
      message: `Account ${name} has $${left} left and spent $${used} in the last day.`,
    };
  });
}

async function listKeyAttention({ activity, now }: Operations): Promise<Attention[]> {
  const at = now();
  const keyCount = await countExpiringKeys(activity.ask, at, at + EXPIRY_NOTICE_MS);
  if (keyCount === 0) return [];
  const message = keyCount === 1 ? '1 key expires within 7 days.' : `${keyCount} keys expire within 7 days.`;
  return [{ kind: 'keys_expiring', subject: null, since: null, message }];
}

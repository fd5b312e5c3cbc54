/** What an operator should look at, the most urgent first. Each question is bounded, and none is asked once a row. */
import type { Attention } from '../../contract/admin/overview.ts';
import { countExpiring } from '../access/expiring-keys.ts';
import { countOpen } from '../alerts/read.ts';
import { listLowBalances } from '../ledger/low-balances.ts';
import { formatDollars } from '../ledger/money.ts';
import { isResting, type OtherNode } from './node-report.ts';
import type { Operations } from './operations.ts';
import type { PlaceState } from './running.ts';
import { writeTime } from './values.ts';

const DAY_MS = 86_400_000;
const SOON_MS = 7 * DAY_MS;
/** No difference, in dollars. */
export const NOTHING = '0.000000';
const MOST_ACCOUNTS = 20;

/** `difference`: what the ledger has more than the request log, in dollars; null when nothing was compared. */
export async function readAttention(operations: Operations, others: readonly OtherNode[], difference: string | null): Promise<Attention[]> {
  return [
    ...(await ofAlerts(operations)),
    ...ofUpstreams(operations, others),
    ...ofBooks(operations, others, difference),
    ...(await ofAccounts(operations)),
    ...(await ofKeys(operations)),
  ];
}

/** One for all of them: there may be as many as accounts. */
async function ofAlerts({ activity }: Operations): Promise<Attention[]> {
  const open = await countOpen(activity.ask);
  if (open === null) return [];
  const { count, since, message } = open;
  const text = count === 1 ? `An alert is open: ${message}` : `${count} alerts are open; the newest: ${message}`;
  return [{ kind: 'alerts_open', subject: null, since: writeTime(since), message: text }];
}

/** A place that rests in several processes is named once, as this process sees it or else the first other. */
function ofUpstreams({ gateway }: Operations, others: readonly OtherNode[]): Attention[] {
  const own =
    gateway
      ?.places()
      .filter(isResting)
      .map((place) => ({ ...place, process: null })) ?? [];
  const elsewhere = others.flatMap(({ id, facts }) =>
    (facts?.upstreams ?? []).flatMap(({ name, places }) => places.map((place) => ({ ...place, upstream: name, process: id }))),
  );
  const named = new Map<string, Attention>();
  for (const { upstream, upstreamModel, process, ...place } of [...own, ...elsewhere]) {
    const id = `${upstream} ${upstreamModel}`;
    const message = `${upstreamModel} at ${upstream} ${restText(place)}${process === null ? '' : `, as process ${process} sees it`}.`;
    if (!named.has(id)) named.set(id, { kind: 'upstream_rests', subject: upstream, since: null, message });
  }
  return [...named.values()];
}

function restText({ state, restMs }: Pick<PlaceState, 'state' | 'restMs'>): string {
  const seconds = Math.ceil(restMs / 1_000);
  const when = seconds > 0 ? `is tried again in ${seconds} s` : 'is being tried again';
  return `${state === 'closed' ? 'asked for a pause' : 'failed several times in a row'}, and ${when}`;
}

function ofBooks({ gateway }: Operations, others: readonly OtherNode[], difference: string | null): Attention[] {
  const own = gateway ? [{ where: 'this process', waiting: gateway.waitingCharges() }] : [];
  const told = others.map(({ id, facts }) => ({ where: `process ${id}`, waiting: facts?.waitingCharges ?? null }));
  const found: Attention[] = [...own, ...told].flatMap(({ where, waiting }) => {
    if (waiting === null || waiting === 0) return [];
    const message = `${waiting} charges wait on the disk of ${where}, because the store does not take them.`;
    return [{ kind: 'charges_wait', subject: null, since: null, message }];
  });
  if (difference !== null && difference !== NOTHING) {
    const message = `The ledger has ${difference} dollars more than the request log. See modelgate ledger reconcile, and activity rebuild.`;
    found.push({ kind: 'books_differ', subject: null, since: null, message });
  }
  return found;
}

async function ofAccounts({ activity, ledger, now }: Operations): Promise<Attention[]> {
  if (!ledger) return [];
  const at = now();
  const low = await listLowBalances(activity.ask, { since: at - (at % DAY_MS) - DAY_MS, now: at, limit: MOST_ACCOUNTS });
  return low.map(({ accountId, name, available, spent }) => ({
    kind: 'account_low',
    subject: accountId,
    since: null,
    message: `The account ${name} has ${formatDollars(available)} dollars left, and spent ${formatDollars(spent)} since yesterday.`,
  }));
}

async function ofKeys({ activity, now }: Operations): Promise<Attention[]> {
  const at = now();
  const keys = await countExpiring(activity.ask, at, at + SOON_MS);
  if (keys === 0) return [];
  const message = keys === 1 ? 'One key expires within seven days.' : `${keys} keys expire within seven days.`;
  return [{ kind: 'keys_expire', subject: null, since: null, message }];
}

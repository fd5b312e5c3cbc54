/** What an operator should look at, the most urgent first. Each question is bounded, and none is asked once a row. */
import type { Attention } from '../../contract/admin/overview.ts';
import { countExpiring } from '../access/expiring-keys.ts';
import { countOpen } from '../alerts/read.ts';
import { listLowBalances } from '../ledger/low-balances.ts';
import { formatDollars } from '../ledger/money.ts';
import type { Operations } from './operations.ts';
import { writeTime } from './values.ts';

const DAY_MS = 86_400_000;
const SOON_MS = 7 * DAY_MS;
/** No difference, in dollars. */
export const NOTHING = '0.000000';
const MOST_ACCOUNTS = 20;

/** `difference`: what the ledger has more than the request log, in dollars; null when nothing was compared. */
export async function readAttention(operations: Operations, difference: string | null): Promise<Attention[]> {
  return [
    ...(await ofAlerts(operations)),
    ...ofUpstreams(operations),
    ...ofBooks(operations, difference),
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

function ofUpstreams({ gateway }: Operations): Attention[] {
  const resting = gateway?.places().filter(({ state, restMs }) => state !== 'closed' || restMs > 0) ?? [];
  return resting.map((place) => {
    const seconds = Math.ceil(place.restMs / 1_000);
    const when = seconds > 0 ? `is tried again in ${seconds} s` : 'is being tried again';
    const why = place.state === 'closed' ? 'asked for a pause' : 'failed several times in a row';
    const message = `${place.upstreamModel} at ${place.upstream} ${why}, and ${when}.`;
    return { kind: 'upstream_rests', subject: place.upstream, since: null, message };
  });
}

function ofBooks({ gateway }: Operations, difference: string | null): Attention[] {
  const waiting = gateway?.waitingCharges() ?? 0;
  const found: Attention[] = [];
  if (waiting > 0) {
    const message = `${waiting} charges wait on the disk of this process, because the store does not take them.`;
    found.push({ kind: 'charges_wait', subject: null, since: null, message });
  }
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

/** What the first start leaves behind, also where it was cut off: an account with a key and a balance that the demo can spend. */
import { firstNames, type Issuer, issueFirstKey } from '../access/issue.ts';
import { parseDollars } from '../ledger/money.ts';
import type { LedgerStore } from '../ledger/store.ts';
import { adoptKey, type ChosenKey, SEEDED_NAME } from './chosen-key.ts';

/** What the demo may spend. */
const OPENING_BALANCE = parseDollars('100');

export interface FirstStart {
  /** A key that the operator chose in place of a random one. */
  readonly chosen?: ChosenKey | undefined;
  /** Of the first account, in millionths of a dollar; a hundred dollars where left out. */
  readonly balance?: bigint;
}

/** The first key, at the first start alone; one that was chosen at every start. */
export async function completeFirstStart(
  issuer: Issuer,
  ledger: LedgerStore | null,
  { chosen, balance = OPENING_BALANCE }: FirstStart = {},
): Promise<string | undefined> {
  const first = chosen === undefined ? await issueFirstKey(issuer) : await adoptKey(chosen, issuer);
  const made = first && 'isNewAccount' in first && !first.isNewAccount ? undefined : first?.accountId;
  const accountId = made ?? (ledger && (await findUnpaid(issuer, ledger)));
  if (!ledger || !accountId || balance === 0n) return first?.key;
  // Under its name it is booked once, however often it is tried.
  await ledger.adjust({
    accountId,
    transfer: `opening:${accountId}`,
    kind: 'top_up',
    at: issuer.now(),
    amount: balance,
    note: 'to try the gateway with',
  });
  return first?.key;
}

/** The first account, where it has nothing: it may be that a start ended between its key and its balance. */
async function findUnpaid({ store }: Issuer, ledger: LedgerStore): Promise<string | undefined> {
  const account = await store.findAccount(firstNames.accountName);
  if (!account) return undefined;
  const balance = await ledger.balance(account.id);
  if (balance?.balance !== 0n || balance.held !== 0n) return undefined;
  // An account that an operator made, with keys of its own, gets what the operator gives it.
  const [oldest] = await store.listKeys(account.id);
  return oldest?.name === firstNames.name || oldest?.name === SEEDED_NAME ? account.id : undefined;
}

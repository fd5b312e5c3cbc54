/** What the first start creates, even when it is interrupted: an account with a key and a balance for the demo. */
import { firstNames, type Issuer, issueFirstKey } from '../access/issue.ts';
import { parseDollars } from '../ledger/money.ts';
import type { LedgerStore } from '../ledger/store.ts';
import { adoptKey, type ChosenKey, SEEDED_NAME } from './chosen-key.ts';

/** The opening balance for the demo. */
const OPENING_BALANCE = parseDollars('100');

export interface FirstStart {
  /** A key that the operator chose instead of a random one. */
  readonly chosen?: ChosenKey | undefined;
  /** Opening balance of the first account, in millionths of a dollar; a hundred dollars by default. */
  readonly balance?: bigint;
}

/** The first key: only at the first start, or at every start when the operator chose it. */
export async function completeFirstStart(
  issuer: Issuer,
  ledger: LedgerStore | null,
  { chosen, balance = OPENING_BALANCE }: FirstStart = {},
): Promise<string | undefined> {
  const first = chosen === undefined ? await issueFirstKey(issuer) : await adoptKey(chosen, issuer);
  const made = first && 'isNewAccount' in first && !first.isNewAccount ? undefined : first?.accountId;
  const accountId = made ?? (ledger && (await findUnpaid(issuer, ledger)));
  if (!ledger || !accountId || balance === 0n) return first?.key;
  // The transfer id makes repeated attempts book it only once.
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

/** The first account, when it has no money: a start may have ended between key and balance. */
async function findUnpaid({ store }: Issuer, ledger: LedgerStore): Promise<string | undefined> {
  const account = await store.findAccount(firstNames.accountName);
  if (!account) return undefined;
  const balance = await ledger.balance(account.id);
  if (balance?.balance !== 0n || balance.held !== 0n) return undefined;
  // An account that an operator created gets no money here.
  const [oldest] = await store.listKeys(account.id);
  return oldest?.name === firstNames.name || oldest?.name === SEEDED_NAME ? account.id : undefined;
}

/** Accounts that have no money or soon have none: less is left than they spent lately, or hardly anything and a call of theirs was refused. */
import { number, text } from '../storage/postgres/rows.ts';
import type { Read } from '../storage/shared-reads.ts';

export interface LowBalance {
  readonly accountId: string;
  readonly name: string;
  /** In micro-dollars, as `spent`. */
  readonly available: bigint;
  readonly spent: bigint;
}

/** A dollar, in micro-dollars. */
const HARDLY_ANYTHING = 1_000_000;

/** The lowest first, without those that a subscription pays for. `since`: begin of a UTC day, in milliseconds since 1970. */
export async function listLowBalances(read: Read, { since, now, limit }: Record<'since' | 'now' | 'limit', number>): Promise<LowBalance[]> {
  const rows = await read(
    `SELECT accounts.id AS id, accounts.name AS name, balance - held AS available, spent
     FROM (SELECT account_id, CAST(sum(charged) AS BIGINT) AS spent, sum(refused) AS refused FROM account_days WHERE day >= ?1 GROUP BY account_id) AS spending
       JOIN balances ON balances.account_id = spending.account_id JOIN accounts ON accounts.id = spending.account_id
     WHERE suspended_at IS NULL AND (balance - held < spent OR refused > 0 AND balance - held < ${HARDLY_ANYTHING}) AND NOT EXISTS (
       SELECT 1 FROM subscriptions WHERE subscriptions.account_id = accounts.id AND starts_at <= ?2
         AND (ends_at IS NULL OR ends_at > ?2) AND cancelled_at IS NULL)
     ORDER BY available, id LIMIT ?3`,
    [since, now, limit],
  );
  return rows.map((row) => ({
    accountId: text(row.id),
    name: text(row.name),
    available: BigInt(number(row.available)),
    spent: BigInt(number(row.spent)),
  }));
}

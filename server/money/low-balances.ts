/** Lists accounts with a low balance. */
import type { Read } from '../store/audit.ts';
import { readNumber, readText } from '../store/rows.ts';

interface LowBalance {
  readonly accountId: string;
  readonly name: string;
  /** In micro-dollars, like `spent`. */
  readonly available: bigint;
  readonly spent: bigint;
}

/** One dollar, in micro-dollars. */
const ONE_DOLLAR_MICROS = 1_000_000;

/**
 * Lists the lowest balances first, without accounts that a subscription pays for. `since`: start of a UTC day, in milliseconds since
 * 1970.
 */
export async function listLowBalances(read: Read, { since, now, limit }: Record<'since' | 'now' | 'limit', number>): Promise<LowBalance[]> {
  const rows = await read(
    `SELECT accounts.id AS id, accounts.name AS name, balance - held AS available, spent
     FROM (SELECT account_id, CAST(sum(charged) AS BIGINT) AS spent, sum(rejected) AS rejected FROM account_days WHERE day >= ?1 GROUP BY account_id) AS spending
       JOIN balances ON balances.account_id = spending.account_id JOIN accounts ON accounts.id = spending.account_id
     WHERE suspended_at IS NULL AND (balance - held < spent OR rejected > 0 AND balance - held < ${ONE_DOLLAR_MICROS}) AND NOT EXISTS (
       SELECT 1 FROM subscriptions WHERE subscriptions.account_id = accounts.id AND starts_at <= ?2
         AND (ends_at IS NULL OR ends_at > ?2) AND cancelled_at IS NULL)
     ORDER BY available, id LIMIT ?3`,
    [since, now, limit],
  );
  return rows.map((row) => ({
    accountId: readText(row.id),
    name: readText(row.name),
    available: BigInt(readNumber(row.available)),
    spent: BigInt(readNumber(row.spent)),
  }));
}

/** Billing for the calls of one account, on a ledger in memory that can be made to fail. */
import { onTestFinished } from 'vitest';
import type { Config } from '../../server/config/config.ts';
import { type Money, openMoney } from '../../server/money/money.ts';
import type { LedgerStore } from '../../server/money/store.ts';
import { StorageError } from '../../server/store/errors.ts';
import { openMemory, topUp } from './money/open.ts';
import { openLines } from './settings.ts';

export interface Till {
  readonly money: Money;
  readonly ledger: LedgerStore;
  readonly lines: readonly Record<string, unknown>[];
  /** From now on this step fails as on a store that is down; null: none fails. */
  fail(step: 'reserve' | 'post' | 'void' | 'activeSubscription' | 'all' | null): void;
}

/** `balance` of the account `ada`, in micro-dollars. */
export async function openTill(config: Config, balance = 1_000_000n): Promise<Till> {
  const { ledger } = openMemory('ada');
  if (balance > 0n) await topUp(ledger, 'ada', balance);
  let failing: string | null = null;
  const up = async <T>(step: string, work: () => Promise<T>): Promise<T> => {
    if (failing === step || failing === 'all') throw new StorageError('the store is down');
    return work();
  };
  const reached: LedgerStore = {
    ...ledger,
    reserve: (order) => up('reserve', () => ledger.reserve(order)),
    post: (posting) => up('post', () => ledger.post(posting)),
    void: (...ending) => up('void', () => ledger.void(...ending)),
    findActiveSubscription: (...asked) => up('activeSubscription', () => ledger.findActiveSubscription(...asked)),
  };
  const { log, lines } = openLines();
  const money = await openMoney({ config, ledger: reached, log });
  onTestFinished(async () => {
    // Holds that a test left open on purpose are not awaited.
    money.open.clear();
    failing = null;
    await money.close();
  });
  return {
    money,
    ledger,
    lines,
    fail: (step) => {
      failing = step;
    },
  };
}

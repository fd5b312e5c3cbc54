/** Opens the money parts of this process: the ledger, the price book, the outbox, and their recovery. */

import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import { type Outbox, openOutbox } from '../store/outbox/outbox.ts';
import type { Log } from '../telemetry/log.ts';
import { type ConfiguredPrice, openPriceBook, type PriceBook, STANDARD_PRICE_LIST } from './price-book.ts';
import { HEARTBEAT_INTERVAL_MS, openRecovery, type Recovery } from './recovery.ts';
import type { LedgerStore } from './store.ts';

export interface Money {
  readonly ledger: LedgerStore;
  readonly prices: PriceBook;
  readonly outbox: Outbox;
  /** The ID of this process, which owns its holds. */
  readonly node: string;
  readonly log: Log;
  readonly now: () => number;
  /** How long a hold waits for the store before the request is rejected, and a charge before it goes to the outbox. */
  readonly waitMs: number;
  /** Request IDs of this process's open holds. */
  readonly open: Set<string>;
  readonly voidHold: Recovery['voidHold'];
  /**
   * Applies the prices of another configuration, and calls `swap` in the same turn of the event loop. Rejects and does neither if the
   * prices can't be stored.
   */
  applyConfig(config: Config, swap: () => void): Promise<void>;
  /** Waits for open holds to end, posts the charges in the outbox unless the store is down, then closes. */
  close(): Promise<void>;
}

interface MoneyOptions {
  readonly config: Config;
  readonly ledger: LedgerStore;
  readonly log: Log;
  /** Whether other processes may use the same database. Defaults to false. */
  readonly isShared?: boolean;
  /** State that each heartbeat reports to operators. Undefined to report nothing. */
  readonly report?: () => string | undefined;
}

/**
 * Time for the last settlements, in addition to the wait for the store. Only requests with a late client disconnect need it. All others
 * settle before their responses end.
 */
const CLOSE_GRACE_MS = 2_000;

export async function openMoney({ config, ledger, log, isShared = false, report = () => undefined }: MoneyOptions): Promise<Money> {
  const now = Date.now;
  const { timeoutMs: waitMs } = config.database;
  const node = `node_${randomBytes(9).toString('hex')}`;
  const outbox = openOutbox({ folder: config.data });
  if (outbox.damaged > 0) log.error({ lines: outbox.damaged }, "outbox contains settlements that can't be read; inspect its files");
  const openRequestIds = new Set<string>();
  const recovery = openRecovery({ ledger, outbox, node, log, now, waitMs, isShared, report });
  await recovery.tick();
  const prices = await openPriceBook(ledger, listConfiguredPrices(config), now);
  const timer = setInterval(() => {
    recovery.tick().catch((error: unknown) => log.error({ err: error }, "ledger didn't respond"));
  }, HEARTBEAT_INTERVAL_MS).unref();
  return {
    ledger,
    prices,
    outbox,
    node,
    log,
    now,
    waitMs,
    open: openRequestIds,
    voidHold: recovery.voidHold,
    applyConfig: (next, swap) => prices.change(listConfiguredPrices(next), swap),
    async close() {
      clearInterval(timer);
      prices.close();
      for (const deadline = performance.now() + waitMs + CLOSE_GRACE_MS; openRequestIds.size > 0 && performance.now() < deadline; )
        await wait(10);
      await recovery.stop();
      await outbox.close();
    },
  };
}

function listConfiguredPrices({ models, priceLists }: Config): ConfiguredPrice[] {
  const standardPrices = models.flatMap(({ id, prices }) =>
    prices === undefined ? [] : [{ priceList: STANDARD_PRICE_LIST, model: id, prices }],
  );
  const listPrices = Object.entries(priceLists).flatMap(([priceList, byModel]) =>
    Object.entries(byModel).map(([model, prices]) => ({ priceList, model, prices })),
  );
  // `as`: the schema's types aren't read-only, but the configuration is frozen.
  return [...standardPrices, ...listPrices] as ConfiguredPrice[];
}

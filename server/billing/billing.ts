/** Opens billing: the ledger, the prices in force, the outbox of unposted charges, and the recovery that runs every few seconds (promises G1 to G4). */
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import { type ConfiguredPrice, openPriceBook, type PriceBook, STANDARD } from '../ledger/price-book.ts';
import type { LedgerStore } from '../ledger/store.ts';
import { type Outbox, openOutbox } from '../storage/outbox/outbox.ts';
import type { Log } from '../telemetry/log.ts';
import { BEAT_MS, type Keeper, openKeeper } from './recovery.ts';

export interface Money {
  readonly ledger: LedgerStore;
  readonly prices: PriceBook;
  readonly outbox: Outbox;
  /** The id of this process: the owner of its holds. */
  readonly node: string;
  readonly log: Log;
  readonly now: () => number;
  /** How long a hold waits for the store before the request is refused, and a charge before it goes to the outbox. */
  readonly waitMs: number;
  /** Request ids of this process's holds that have not ended. */
  readonly open: Set<string>;
  readonly giveBack: Keeper['giveBack'];
  /** Puts the prices of another configuration in force, and calls `swap` in the same turn of the event loop. Rejects and does neither when the prices cannot be stored. */
  adopt(config: Config, swap: () => void): Promise<void>;
  /** Waits for open holds to end and posts the charges of the outbox, as far as the store allows, then closes. */
  close(): Promise<void>;
}

export interface MoneyParts {
  readonly config: Config;
  readonly ledger: LedgerStore;
  readonly log: Log;
  /** Whether other processes may use the same database; absent: no. */
  readonly isShared?: boolean;
  /** What each heartbeat tells operators; undefined: nothing. */
  readonly report?: () => string | undefined;
}

/** Time for the last settlements, beyond the wait for the store. Only requests whose callers disconnected late need it: all others are settled before their answers end. */
const LAST_SETTLES_MS = 2_000;

export async function openMoney({ config, ledger, log, isShared = false, report = () => undefined }: MoneyParts): Promise<Money> {
  const now = Date.now;
  const { timeoutMs: waitMs } = config.database;
  const node = `node_${randomBytes(9).toString('hex')}`;
  const outbox = openOutbox({ folder: config.data });
  if (outbox.damaged > 0)
    log.error({ lines: outbox.damaged }, 'the outbox holds settlements that cannot be read; look for them in its files');
  const open = new Set<string>();
  const keeper = openKeeper({ ledger, outbox, node, log, now, waitMs, isShared, report });
  await keeper.beat();
  const prices = await openPriceBook(ledger, configuredPrices(config), now);
  const timer = setInterval(() => {
    keeper.beat().catch((error: unknown) => log.error({ err: error }, 'the ledger did not answer'));
  }, BEAT_MS).unref();
  return {
    ledger,
    prices,
    outbox,
    node,
    log,
    now,
    waitMs,
    open,
    giveBack: keeper.giveBack,
    adopt: (next, swap) => prices.change(configuredPrices(next), swap),
    async close() {
      clearInterval(timer);
      prices.close();
      for (const end = performance.now() + waitMs + LAST_SETTLES_MS; open.size > 0 && performance.now() < end; ) await wait(10);
      await keeper.leave();
      await outbox.close();
    },
  };
}

function configuredPrices({ models, priceLists }: Config): ConfiguredPrice[] {
  const standard = models.flatMap(({ id, prices }) => (prices === undefined ? [] : [{ priceList: STANDARD, model: id, prices }]));
  const others = Object.entries(priceLists).flatMap(([priceList, byModel]) =>
    Object.entries(byModel).map(([model, prices]) => ({ priceList, model, prices })),
  );
  // The schema's types are not read-only; the configuration itself is frozen.
  return [...standard, ...others] as ConfiguredPrice[];
}

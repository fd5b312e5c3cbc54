/** Recovery of the ledger: posts charges from the outbox, gives back holds that could not be given back before, expires holds of dead processes (promises G1 and G2). */

import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import { formatDollars } from '../ledger/charge.ts';
import { type ConfiguredPrice, openPriceBook, type PriceBook, STANDARD } from '../ledger/price-book.ts';
import type { LedgerStore, Orphan, Posting, SettleResult } from '../ledger/store.ts';
import { StorageError, within } from '../storage/errors.ts';
import { type Outbox, openOutbox } from '../storage/outbox/outbox.ts';
import type { Log } from '../telemetry/log.ts';

interface Release {
  readonly requestId: string;
  readonly at: number;
  readonly outcome: string;
  readonly attempts?: Posting['attempts'];
}

interface Keeper {
  /**
   * Voids a hold, or one that may have been made: now, else as soon as the store is back. When this process ends before that, other processes expire it.
   * Resolves with what the store said, null while it hasn't.
   */
  giveBack(release: Release): Promise<SettleResult | null>;
  /** One round of recovery, to be called every few seconds. Rejects when the store is down. */
  beat(): Promise<void>;
  /** Runs the last round, after all requests have ended. Never rejects: the next start completes what this one could not. */
  leave(): Promise<void>;
}

export interface KeeperParts {
  readonly ledger: Pick<LedgerStore, 'post' | 'void' | keyof Watched>;
  readonly outbox: Outbox;
  readonly node: string;
  readonly log: Log;
  readonly now: () => number;
  /** How long giving back a hold waits for the store before it is put off. */
  readonly waitMs: number;
  /** Whether other processes may use the same store. */
  readonly isShared: boolean;
  /** Returns the state that the process reports to operators with each heartbeat. Absent or undefined to report nothing. */
  readonly report?: () => string | undefined;
}

type Watched = Pick<LedgerStore, 'heartbeat' | 'sweep' | 'leave'>;

export const BEAT_MS = 5_000;
/** Three missed heartbeats. */
const DEAD_AFTER_MS = 3 * BEAT_MS;

type Watcher = Pick<KeeperParts, 'node' | 'log' | 'isShared' | 'report'> & { readonly ledger: Watched };

/**
 * Sends the heartbeat of this process, and expires the holds of processes that sent none while this one watched. A process that has just started, or
 * missed heartbeats itself (the store was down, the machine slept), first watches for `DEAD_AFTER_MS`: the others may be as late as itself.
 */
function openWatch({ ledger, node, log, isShared, report: logFailure }: Watcher): () => Promise<void> {
  let lastBeat: number | null = null;
  let watchingSince = Number.NEGATIVE_INFINITY;
  return async () => {
    const at = await ledger.heartbeat(node, undefined, logFailure?.());
    const wasSilent = lastBeat === null ? isShared : at - lastBeat >= DEAD_AFTER_MS;
    if (wasSilent) watchingSince = at;
    lastBeat = at;
    if (at - watchingSince >= DEAD_AFTER_MS) await report(ledger.sweep(node, at, at - DEAD_AFTER_MS), log);
  };
}

/** The heartbeat of a process without billing: without one, other processes would take over its idempotency keys. */
export async function openPulse(parts: Watcher): Promise<{ close(): Promise<void> }> {
  const { ledger, node, log } = parts;
  const beat = openWatch(parts);
  const logFailure = (error: unknown): void => log.error({ err: error }, 'heartbeat failed');
  await beat();
  const timer = setInterval(() => void beat().catch(logFailure), BEAT_MS).unref();
  return {
    async close() {
      clearInterval(timer);
      await report(ledger.leave(node, Date.now()), log).catch(logFailure);
    },
  };
}

export function openKeeper(parts: KeeperParts): Keeper {
  const { ledger, outbox, node, log, now } = parts;
  const owed = openOwed(parts);
  const watch = openWatch(parts);
  let running: Promise<void> | null = null;
  /** Runs before holds are expired: a hold whose charge waits in the outbox must not expire. */
  const catchUp = async (): Promise<void> => {
    if (outbox.size > 0) await replayOutbox(ledger, outbox, log);
    await owed.settle();
  };
  const beat = async (): Promise<void> => {
    await catchUp();
    await watch();
  };
  return {
    giveBack: owed.giveBack,
    beat() {
      running ??= beat().finally(() => {
        running = null;
      });
      return running;
    },
    async leave() {
      try {
        await running?.catch(() => undefined);
        await catchUp();
        // The holds that remain belong to no request anymore.
        await report(ledger.leave(node, now()), log);
      } catch (error) {
        log.error({ err: error }, "ledger didn't respond");
      }
    },
  };
}

interface Owed {
  readonly giveBack: Keeper['giveBack'];
  /** Gives back all of them. Rejects when the store is still down. */
  settle(): Promise<void>;
}

/** The most holds that are given back in one commit. */
const OWED_AT_ONCE = 100;

/** Holds that are still to be given back. Kept in memory only: when the process ends, they expire, with the same effect. */
function openOwed({ ledger, log, waitMs }: Pick<KeeperParts, 'log' | 'waitMs'> & { readonly ledger: Pick<LedgerStore, 'void'> }): Owed {
  let owed: Release[] = [];
  const settle = async (): Promise<void> => {
    while (owed.length > 0) {
      const some = owed.slice(0, OWED_AT_ONCE);
      await Promise.all(some.map(({ requestId, at, outcome, attempts }) => ledger.void(requestId, at, outcome, attempts)));
      // Releases that came in the meantime are after these in the list.
      owed = owed.slice(some.length);
    }
  };
  return {
    settle,
    async giveBack(release) {
      const { requestId, at, outcome, attempts } = release;
      return await within(ledger.void(requestId, at, outcome, attempts), waitMs).catch((cause: unknown) => {
        log.error({ id: requestId, err: cause }, 'ledger unavailable; the hold will be released later');
        owed.push(release);
        return null;
      });
    },
  };
}

async function report(expired: AsyncIterable<readonly Orphan[]>, log: Log): Promise<void> {
  for await (const orphans of expired)
    for (const { requestId, accountId, node, held } of orphans)
      log.warn({ id: requestId, accountId, node, held: formatDollars(held) }, 'hold of a dead process expired');
}

/** Posts the charges of the outbox. Rejects when the store is down. A charge that the ledger rejects for another reason stays in the outbox and blocks no other. */
async function replayOutbox(ledger: Pick<LedgerStore, 'post'>, outbox: Outbox, log: Log): Promise<void> {
  try {
    const settlements = await outbox.replay(async (record) => {
      // Only this program writes the outbox, and each record has a checksum.
      const posting = record as Posting;
      reportSettled(posting, await ledger.post(posting), log);
    });
    log.info({ settlements }, 'outbox replayed');
  } catch (error) {
    if (error instanceof StorageError) throw error;
    log.error({ err: error }, 'ledger rejected settlements from the outbox');
  }
}

/** Logs what an operator has to know about a charge: late, over its hold, or not posted. */
export function reportSettled({ requestId: id, cost }: Posting, result: SettleResult, log: Log): void {
  if (result.kind === 'settled' && result.isLate)
    log.warn(
      { id, charged: formatDollars(result.charged), overrun: formatDollars(result.overrun) },
      'charge arrived after its hold expired',
    );
  else if (result.kind === 'settled' && result.overrun > 0n)
    log.warn({ id, overrun: formatDollars(result.overrun) }, 'usage exceeded the hold');
  if (result.kind === 'earlier' && result.state !== 'posted')
    log.error({ id, state: result.state, cost: formatDollars(cost) }, 'charge arrived after its hold ended; not posted');
  if (result.kind === 'unknown') log.error({ id, cost: formatDollars(cost) }, 'charge has no hold; not posted');
}

export interface Money {
  readonly ledger: LedgerStore;
  readonly prices: PriceBook;
  readonly outbox: Outbox;
  /** The ID of this process: the owner of its holds. */
  readonly node: string;
  readonly log: Log;
  readonly now: () => number;
  /** How long a hold waits for the store before the request is rejected, and a charge before it goes to the outbox. */
  readonly waitMs: number;
  /** Request IDs of this process's holds that haven't ended. */
  readonly open: Set<string>;
  readonly giveBack: Keeper['giveBack'];
  /** Puts the prices of another configuration in force, and calls `swap` in the same turn of the event loop. Rejects and does neither when the prices can't be stored. */
  adopt(config: Config, swap: () => void): Promise<void>;
  /** Waits for open holds to end and posts the charges of the outbox, as far as the store allows, then closes. */
  close(): Promise<void>;
}

interface MoneyParts {
  readonly config: Config;
  readonly ledger: LedgerStore;
  readonly log: Log;
  /** Whether other processes may use the same database; absent: no. */
  readonly isShared?: boolean;
  /** State that each heartbeat reports to operators. Undefined to report nothing. */
  readonly report?: () => string | undefined;
}

/** Time for the last settlements, beyond the wait for the store. Only requests whose callers disconnected late need it: all others are settled before their responses end. */
const LAST_SETTLES_MS = 2_000;

export async function openMoney({ config, ledger, log, isShared = false, report = () => undefined }: MoneyParts): Promise<Money> {
  const now = Date.now;
  const { timeoutMs: waitMs } = config.database;
  const node = `node_${randomBytes(9).toString('hex')}`;
  const outbox = openOutbox({ folder: config.data });
  if (outbox.damaged > 0) log.error({ lines: outbox.damaged }, "outbox contains settlements that can't be read; inspect its files");
  const open = new Set<string>();
  const keeper = openKeeper({ ledger, outbox, node, log, now, waitMs, isShared, report });
  await keeper.beat();
  const prices = await openPriceBook(ledger, configuredPrices(config), now);
  const timer = setInterval(() => {
    keeper.beat().catch((error: unknown) => log.error({ err: error }, "ledger didn't respond"));
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
  // The schema's types aren't read-only; the configuration itself is frozen.
  return [...standard, ...others] as ConfiguredPrice[];
}

interface Reporting {
  by(write: () => string): void;
  /** Undefined if nothing is reported. Never throws: a failing report must not stop the heartbeat. */
  logFailure(): string | undefined;
}

export function openReporting(log: Log): Reporting {
  let write: (() => string) | undefined;
  return {
    by(chosen) {
      write = chosen;
    },
    logFailure() {
      try {
        return write?.();
      } catch (err) {
        log.error({ err }, 'publishing the process state failed');
        return undefined;
      }
    },
  };
}

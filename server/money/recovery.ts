/** Recovers the ledger: posts charges from the outbox, releases holds whose release failed, and expires holds of dead processes (promises G1 and G2). */

import { StorageError, withStoreTimeout } from '../store/errors.ts';
import type { Outbox } from '../store/outbox/outbox.ts';
import type { Log } from '../telemetry/log.ts';
import { formatDollars } from './dollars.ts';
import type { LedgerStore, Orphan, Posting, SettleResult } from './store.ts';

interface HoldRelease {
  readonly requestId: string;
  readonly at: number;
  readonly outcome: string;
  readonly attempts?: Posting['attempts'];
}

export interface Recovery {
  /**
   * Voids a hold, even if it's unknown whether it was made. Retries when the store recovers. If this process ends before that, other
   * processes expire the hold.
   * Resolves with the store's result, or null if the void is still pending.
   */
  voidHold(release: HoldRelease): Promise<SettleResult | null>;
  /** Runs one round of recovery. Call it every few seconds. Rejects if the store is down. */
  tick(): Promise<void>;
  /** Runs the last round, after all requests have ended. Never rejects. The next start completes unfinished work. */
  stop(): Promise<void>;
}

export interface RecoveryOptions {
  readonly ledger: Pick<LedgerStore, 'post' | 'void' | keyof HeartbeatMethods>;
  readonly outbox: Outbox;
  readonly node: string;
  readonly log: Log;
  readonly now: () => number;
  /** How long the release of a hold waits for the store before it's postponed. */
  readonly waitMs: number;
  /** Whether other processes may use the same store. */
  readonly isShared: boolean;
  /** Returns the state that the process reports to operators with each heartbeat. Omitted or undefined to report nothing. */
  readonly report?: () => string | undefined;
}

type HeartbeatMethods = Pick<LedgerStore, 'heartbeat' | 'sweep' | 'removeNode'>;

export const HEARTBEAT_INTERVAL_MS = 5_000;
/** Three missed heartbeats. */
const DEAD_AFTER_MS = 3 * HEARTBEAT_INTERVAL_MS;

type HeartbeatWatchOptions = Pick<RecoveryOptions, 'node' | 'log' | 'isShared' | 'report'> & { readonly ledger: HeartbeatMethods };

/**
 * Sends this process's heartbeat, and expires the holds of processes that sent none while this one watched.
 * A process that has just started, or missed heartbeats itself, first watches for `DEAD_AFTER_MS`.
 * If the store was down or the machine slept, the other processes may be just as late.
 */
function createHeartbeat({ ledger, node, log, isShared, report }: HeartbeatWatchOptions): () => Promise<void> {
  let lastHeartbeatAt: number | null = null;
  let watchingSince = Number.NEGATIVE_INFINITY;
  return async () => {
    const at = await ledger.heartbeat(node, undefined, report?.());
    const wasSilent = lastHeartbeatAt === null ? isShared : at - lastHeartbeatAt >= DEAD_AFTER_MS;
    if (wasSilent) watchingSince = at;
    lastHeartbeatAt = at;
    if (at - watchingSince >= DEAD_AFTER_MS) await logOrphans(ledger.sweep(node, at, at - DEAD_AFTER_MS), log);
  };
}

/** The heartbeat of a process without billing. Without it, other processes would take over its idempotency keys. */
export async function startHeartbeat(options: HeartbeatWatchOptions): Promise<{ close(): Promise<void> }> {
  const { ledger, node, log } = options;
  const heartbeat = createHeartbeat(options);
  const logFailure = (error: unknown): void => log.error({ err: error }, 'heartbeat failed');
  await heartbeat();
  const timer = setInterval(() => void heartbeat().catch(logFailure), HEARTBEAT_INTERVAL_MS).unref();
  return {
    async close() {
      clearInterval(timer);
      await logOrphans(ledger.removeNode(node, Date.now()), log).catch(logFailure);
    },
  };
}

export function openRecovery(options: RecoveryOptions): Recovery {
  const { ledger, outbox, node, log, now } = options;
  const pendingVoids = openPendingVoids(options);
  const sendHeartbeat = createHeartbeat(options);
  let currentTick: Promise<void> | null = null;
  /** Runs before holds expire, because a hold with a charge in the outbox must not expire. */
  const catchUp = async (): Promise<void> => {
    if (outbox.size > 0) await replayOutbox(ledger, outbox, log);
    await pendingVoids.settle();
  };
  const runTick = async (): Promise<void> => {
    await catchUp();
    await sendHeartbeat();
  };
  return {
    voidHold: pendingVoids.voidHold,
    tick() {
      currentTick ??= runTick().finally(() => {
        currentTick = null;
      });
      return currentTick;
    },
    async stop() {
      try {
        await currentTick?.catch(() => undefined);
        await catchUp();
        // The remaining holds no longer belong to a request.
        await logOrphans(ledger.removeNode(node, now()), log);
      } catch (error) {
        log.error({ err: error }, "ledger didn't respond");
      }
    },
  };
}

interface PendingVoids {
  readonly voidHold: Recovery['voidHold'];
  /** Releases all pending holds. Rejects if the store is still down. */
  settle(): Promise<void>;
}

/** The maximum number of holds released in one commit. */
const MAX_CONCURRENT_VOIDS = 100;

/** Holds that are still to be released. Kept only in memory, because they expire with the same effect when the process ends. */
function openPendingVoids({
  ledger,
  log,
  waitMs,
}: Pick<RecoveryOptions, 'log' | 'waitMs'> & { readonly ledger: Pick<LedgerStore, 'void'> }): PendingVoids {
  let releases: HoldRelease[] = [];
  const flush = async (): Promise<void> => {
    while (releases.length > 0) {
      const batch = releases.slice(0, MAX_CONCURRENT_VOIDS);
      await Promise.all(batch.map(({ requestId, at, outcome, attempts }) => ledger.void(requestId, at, outcome, attempts)));
      // Releases added during the loop come after these in the list.
      releases = releases.slice(batch.length);
    }
  };
  return {
    settle: flush,
    async voidHold(release) {
      const { requestId, at, outcome, attempts } = release;
      return await withStoreTimeout(ledger.void(requestId, at, outcome, attempts), waitMs).catch((cause: unknown) => {
        log.error({ id: requestId, err: cause }, 'ledger unavailable; the hold will be released later');
        releases.push(release);
        return null;
      });
    },
  };
}

async function logOrphans(orphanBatches: AsyncIterable<readonly Orphan[]>, log: Log): Promise<void> {
  for await (const orphans of orphanBatches)
    for (const { requestId, accountId, node, held } of orphans)
      log.warn({ id: requestId, accountId, node, held: formatDollars(held) }, 'hold of a dead process expired');
}

/**
 * Posts the charges of the outbox. Rejects if the store is down. A charge that the ledger rejects for another reason stays in the outbox
 * and doesn't block others.
 */
async function replayOutbox(ledger: Pick<LedgerStore, 'post'>, outbox: Outbox, log: Log): Promise<void> {
  try {
    const settlements = await outbox.replay(async (record) => {
      // `as`: only the gateway writes the outbox, and each record has a checksum.
      const posting = record as Posting;
      logSettlement(posting, await ledger.post(posting), log);
    });
    log.info({ settlements }, 'outbox replayed');
  } catch (error) {
    if (error instanceof StorageError) throw error;
    log.error({ err: error }, 'ledger rejected settlements from the outbox');
  }
}

/** Logs charges that operators need to know about: late, above the hold, or not posted. */
export function logSettlement({ requestId: id, cost }: Posting, result: SettleResult, log: Log): void {
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

interface HeartbeatReporter {
  setWriter(write: () => string): void;
  /** Undefined if nothing is reported. Never throws, because a failing report must not stop the heartbeat. */
  logFailure(): string | undefined;
}

export function createHeartbeatReporter(log: Log): HeartbeatReporter {
  let formatReport: (() => string) | undefined;
  return {
    setWriter(writer) {
      formatReport = writer;
    },
    logFailure() {
      try {
        return formatReport?.();
      } catch (err) {
        log.error({ err }, 'publishing the process state failed');
        return undefined;
      }
    },
  };
}

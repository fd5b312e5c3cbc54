/** The ledger at work: who holds what, prices in force, what waits in the spool, and whose holds are orphans (promises G1 to G4). */
import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Config } from './config.ts';
import { formatDollars } from './ledger/money.ts';
import { type ConfiguredPrice, openPriceBook, type PriceBook, STANDARD } from './ledger/price-book.ts';
import { openSqliteLedger } from './ledger/sqlite.ts';
import type { LedgerSteps } from './ledger/steps.ts';
import type { LedgerStore, Orphan, Posting } from './ledger/store.ts';
import { openSpool, type Spool } from './storage/spool.ts';
import type { StepRunner } from './storage/steps.ts';
import type { Log } from './telemetry/log.ts';

export interface Money {
  readonly ledger: LedgerStore;
  readonly prices: PriceBook;
  readonly spool: Spool;
  /** This process, as the holder of its holds. */
  readonly node: string;
  readonly log: Log;
  readonly now: () => number;
  close(): Promise<void>;
}

export interface MoneyParts {
  readonly config: Config;
  readonly connection: DatabaseSync;
  readonly steps: Pick<StepRunner<LedgerSteps>, 'run'>;
  readonly log: Log;
}

const BEAT_MS = 5_000;
/** Three beats that were missed. */
const DEAD_AFTER_MS = 15_000;

export async function openMoney({ config, connection, steps, log }: MoneyParts): Promise<Money> {
  const now = Date.now;
  const node = `node_${randomBytes(9).toString('hex')}`;
  const ledger = openSqliteLedger({ connection, steps });
  const spool = openSpool({ folder: config.data });
  if (spool.damaged > 0) log.error({ lines: spool.damaged }, 'the spool holds settlements that cannot be read; look for them in its files');
  /** Before any sweep: a hold whose charge waits in the spool must not expire. */
  const replaySpool = async (): Promise<void> => {
    if (spool.size > 0) log.info({ settlements: await spool.replay((record) => replay(ledger, record)) }, 'the spool was replayed');
  };
  const beat = async (): Promise<void> => {
    await replaySpool();
    report(await ledger.heartbeat(node, now(), now() - DEAD_AFTER_MS), log);
  };
  await beat();
  const prices = await openPriceBook(ledger, configuredPrices(config), now);
  const timer = setInterval(() => {
    beat().catch((error: unknown) => log.error({ err: error }, 'the ledger did not answer'));
  }, BEAT_MS).unref();
  return {
    ...{ ledger, prices, spool, node, log, now },
    async close() {
      clearInterval(timer);
      prices.close();
      try {
        await replaySpool();
        // Requests have ended by now: what is still held belongs to nobody.
        report(await ledger.leave(node, now()), log);
      } catch (error) {
        // The next start replays before it sweeps.
        log.error({ err: error }, 'the ledger did not answer');
      }
      await spool.close();
    },
  };
}

function report(orphans: readonly Orphan[], log: Log): void {
  for (const { requestId, accountId, node, held } of orphans)
    log.warn({ id: requestId, accountId, node, held: formatDollars(held) }, 'a hold without its process has expired');
}

type Spooled =
  | { readonly kind: 'post'; readonly posting: Posting }
  | { readonly kind: 'void'; readonly requestId: string; readonly at: number; readonly outcome: string };

async function replay(ledger: LedgerStore, record: unknown): Promise<void> {
  // Written by this program alone, each line with its checksum.
  const spooled = record as Spooled;
  if (spooled.kind === 'post') await ledger.post(spooled.posting);
  else await ledger.void(spooled.requestId, spooled.at, spooled.outcome);
}

function configuredPrices({ models, priceLists }: Config): ConfiguredPrice[] {
  const standard = models.flatMap(({ id, prices }) => (prices === undefined ? [] : [{ priceList: STANDARD, model: id, prices }]));
  const others = Object.entries(priceLists).flatMap(([priceList, byModel]) =>
    Object.entries(byModel).map(([model, prices]) => ({ priceList, model, prices })),
  );
  // The configuration is frozen all through; the schema's own types are not read-only.
  return [...standard, ...others] as ConfiguredPrice[];
}

/** `modelgate ledger close`: archives past calls, then removes them and keeps their totals. */

import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type BookedCharge,
  type ChargeCursor,
  deleteFreeCharges,
  foldCharges,
  type LedgerClosing,
  readBalances,
} from '../../money/ledger-closing.ts';
import { type AuditEntry, writeAudit } from '../../store/audit.ts';
import type { Plan } from '../../store/plan.ts';
import { hasDatabase } from '../../store/sqlite/database.ts';
import type { AdminOptions } from './admin-command.ts';
import { CommandError } from './command-error.ts';
import { findDatabase, formatAddress } from './database-address.ts';
import {
  ENTRIES_PER_SLICE,
  FIRST_CURSOR,
  formatManifest,
  type Manifest,
  readSlices,
  toLedgerClosing,
  writeOrReuseLedgerArchive,
} from './ledger-archive.ts';
import { assertLedgerConsistent, type LedgerConnection, openLedgerConnection } from './ledger-connection.ts';
import { printResult } from './print-result.ts';
import { findRunningGateways } from './running-gateways.ts';

export interface CloseOptions extends AdminOptions {
  /** ISO 8601. */
  readonly before: string;
  readonly archive: string;
}

const DAY_MS = 86_400_000;
/** After this time, the periods of caps and subscriptions are over, and the request log has deleted its rows. */
const MIN_DAYS = 35;

export async function runLedgerClose(options: CloseOptions): Promise<void> {
  const address = findDatabase(options);
  const before = Date.parse(options.before);
  const latestAllowed = Date.now() - MIN_DAYS * DAY_MS;
  if (before > latestAllowed) {
    const day = new Date(latestAllowed).toISOString().slice(0, 10);
    throw new CommandError(`The calls of the last ${MIN_DAYS} days can't be closed. Use --before ${day} or an earlier day.`);
  }
  if (address.kind === 'sqlite' && !hasDatabase(address.folder))
    throw new CommandError(`No database found in ${address.folder}. Specify the gateway's data folder with --data.`);
  const folder = resolve(options.shell.folder, options.archive);
  const isInUse = (await findRunningGateways(address)).length > 0;
  const connection = await openLedgerConnection(address);
  try {
    const manifest = await writeOrReuseLedgerArchive(connection, before, folder);
    await removeArchivedCharges(
      connection,
      { ...toLedgerClosing(manifest), entriesAtOnce: isInUse ? ENTRIES_PER_SLICE_IN_USE : ENTRIES_PER_SLICE },
      isInUse,
    );
    await assertLedgerConsistent(connection, { isFull: true });
    await connection.change(() => writeAudit(toAuditEntry(manifest)));
    const compactHint = address.kind === 'sqlite' ? 'To shrink the database file, stop the gateway and run: modelgate db compact\n' : '';
    printResult(
      options,
      { folder, ...manifest },
      `Ledger closed: ${formatAddress(address)}.\n${formatManifest(manifest, folder)}${compactHint}`,
    );
  } finally {
    await connection.close();
  }
}
const ENTRIES_PER_SLICE_IN_USE = 1_000;

const toAuditEntry = ({ before, calls, charged, overrun, files }: Manifest): AuditEntry => ({
  actor: 'cli',
  action: 'ledger.close',
  target: before,
  details: { calls, charged, overrun, sha256: files['charges.csv.gz'].sha256 },
  at: Date.now(),
});

/** Each pause is this many times as long as the step before it, so that calls can use the database most of the time. */
const PAUSE_FACTOR = 3;

async function removeArchivedCharges(connection: LedgerConnection, closing: LedgerClosing, isInUse: boolean): Promise<void> {
  const runStep = async <R>(plan: () => Plan<R>): Promise<R> => {
    const startedAt = performance.now();
    const result = await connection.change(plan);
    if (isInUse) await pause(PAUSE_FACTOR * (performance.now() - startedAt));
    return result;
  };
  const chargesById = new Map<string, BookedCharge>();
  for await (const { calls, sums } of readSlices(connection, closing)) {
    for (const [id, sum] of sums) chargesById.set(id, sum);
    const foldedCharges = calls.length > 0 ? await runStep(() => foldCharges(connection.db, calls, chargesById)) : [];
    for (const sum of foldedCharges) chargesById.set(sum.charge.requestId, sum);
  }
  for (const { accountId } of await connection.read(() => readBalances(closing)))
    for (let cursor: ChargeCursor | null = FIRST_CURSOR; cursor !== null; ) {
      const currentCursor: ChargeCursor = cursor;
      cursor = await runStep(() => deleteFreeCharges(connection.db, closing, accountId, currentCursor));
    }
}

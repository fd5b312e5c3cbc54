/** The charge of a request as soon as it has ended: callers may read the end of an answer a moment before. */
import { setTimeout as pause } from 'node:timers/promises';
import type { ChargeRecord, LedgerStore } from '../../server/ledger/store.ts';

/** For one that never ends; a busy machine settles late. */
const patienceMs = 30_000;

export async function endedCharge(ledger: LedgerStore, requestId: string): Promise<ChargeRecord> {
  const signal = AbortSignal.timeout(patienceMs);
  while (!signal.aborted) {
    const found = await ledger.findCharge(requestId);
    if (found && found.state !== 'held') return found;
    await pause(10);
  }
  throw new Error(`the money of ${requestId} is still held`);
}

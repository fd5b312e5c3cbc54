/** Waits for the charge of a request to end. A caller may read the end of an answer shortly before. */
import { setTimeout as pause } from 'node:timers/promises';
import type { ChargeRecord, LedgerStore } from '../../server/money/store.ts';

/** Milliseconds after which the wait fails. Long, because the machine may be busy. */
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

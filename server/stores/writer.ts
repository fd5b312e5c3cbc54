/** The thread that writes, as the product starts it: the steps of every room that keeps something on the embedded database. */
import { openAccessSteps } from '../access/steps.ts';
import { openHistorySteps } from '../history/sqlite.ts';
import { openIdempotencySteps } from '../idempotency/sqlite.ts';
import { openLedgerSteps } from '../ledger/steps.ts';
import { openRefusalSteps } from '../refusals/sqlite.ts';
import { joinSteps, serveSteps } from '../storage/sqlite/thread-worker.ts';

const openWriterSteps = joinSteps(
  // One line for each room.
  openAccessSteps,
  openHistorySteps,
  openIdempotencySteps,
  openLedgerSteps,
  openRefusalSteps,
);

/** For the event loop's side. Only the type may be imported: this module serves as soon as it is loaded. */
export type WriterSteps = ReturnType<typeof openWriterSteps>;

serveSteps(openWriterSteps);

/** The steps of all folders that write to the embedded database. */
import { openAccessSteps } from '../access/write-steps.ts';
import { openActivitySteps } from '../activity/sqlite.ts';
import { openAlertSteps } from '../alerts/sqlite.ts';
import { openHistorySteps } from '../history/sqlite.ts';
import { openIdempotencySteps } from '../idempotency/sqlite.ts';
import { openLedgerSteps } from '../ledger/sqlite.ts';
import { openSessionSteps } from '../sessions/sqlite.ts';
import { joinSteps } from '../storage/sqlite/database.ts';

export const openWriterSteps = joinSteps(
  // One line per folder.
  openAccessSteps,
  openActivitySteps,
  openAlertSteps,
  openHistorySteps,
  openIdempotencySteps,
  openLedgerSteps,
  openSessionSteps,
);

export type WriterSteps = ReturnType<typeof openWriterSteps>;

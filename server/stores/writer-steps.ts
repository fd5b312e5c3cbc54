/** The steps of all folders that write to the embedded database. */
import { openAccessSteps } from '../access/write-steps.ts';
import { openActivitySteps } from '../activity/sqlite.ts';
import { alertRoom } from '../alerts/plans.ts';
import { openHistorySteps } from '../history/sqlite.ts';
import { idempotencyRoom } from '../idempotency/plans.ts';
import { openLedgerSteps } from '../ledger/sqlite.ts';
import { sessionRoom } from '../sessions/plans.ts';
import { joinSteps } from '../storage/sqlite/database.ts';

export const openWriterSteps = joinSteps(
  // One line per folder.
  openAccessSteps,
  openActivitySteps,
  alertRoom.steps,
  openHistorySteps,
  idempotencyRoom.steps,
  openLedgerSteps,
  sessionRoom.steps,
);

export type WriterSteps = ReturnType<typeof openWriterSteps>;

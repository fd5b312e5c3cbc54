/** The steps of all folders that write to the embedded database. */

import { accessRoom } from '../access/plans.ts';
import { openActivitySteps } from '../activity/sqlite.ts';
import { alertRoom } from '../alerts/plans.ts';
import { historyRoom } from '../history/plans.ts';
import { idempotencyRoom } from '../idempotency/plans.ts';
import { openLedgerSteps } from '../ledger/sqlite.ts';
import { sessionRoom } from '../sessions/plans.ts';
import { joinSteps } from '../storage/sqlite/database.ts';

export const openWriterSteps = joinSteps(
  // One line per folder.
  accessRoom.steps,
  openActivitySteps,
  alertRoom.steps,
  historyRoom.steps,
  idempotencyRoom.steps,
  openLedgerSteps,
  sessionRoom.steps,
);

export type WriterSteps = ReturnType<typeof openWriterSteps>;

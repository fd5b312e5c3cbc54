/** The steps of all folders that write to the embedded database. */
import type { DatabaseSync } from 'node:sqlite';
import { accessRoom } from '../access/plans.ts';
import { activityRoom } from '../activity/plans.ts';
import { alertRoom } from '../alerts/plans.ts';
import { historyRoom } from '../history/plans.ts';
import { idempotencyRoom } from '../ledger/idempotency.ts';
import { type LedgerSteps, openLedgerSteps } from '../ledger/sqlite.ts';
import { sessionRoom } from '../sessions/plans.ts';

const rooms = [accessRoom, activityRoom, alertRoom, historyRoom, idempotencyRoom, sessionRoom];

/** The steps of a room begin with its name, so no two have the same. */
export function openWriterSteps(connection: DatabaseSync): LedgerSteps {
  return Object.assign(openLedgerSteps(connection), ...rooms.map(({ steps }) => steps(connection)));
}

export type WriterSteps = LedgerSteps;

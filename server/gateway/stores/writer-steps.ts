/** The steps of all folders that write to the embedded database. */
import type { DatabaseSync } from 'node:sqlite';
import { accessStoreDefinition } from '../../access/plans.ts';
import { sessionStoreDefinition } from '../../access/sessions/plans.ts';
import { historyStoreDefinition } from '../../history/plans.ts';
import { runStoreDefinition } from '../../history/run-store.ts';
import { idempotencyStoreDefinition } from '../../money/idempotency.ts';
import { type LedgerSteps, openLedgerSteps } from '../../money/sqlite.ts';
import { alertStoreDefinition } from '../../records/alerts/plans.ts';
import { activityStoreDefinition } from '../../records/plans.ts';

const storeDefinitions = [
  accessStoreDefinition,
  activityStoreDefinition,
  alertStoreDefinition,
  historyStoreDefinition,
  idempotencyStoreDefinition,
  runStoreDefinition,
  sessionStoreDefinition,
];

/** The steps of a store start with its name, so no two have the same name. */
export function openWriterSteps(connection: DatabaseSync): LedgerSteps {
  return Object.assign(openLedgerSteps(connection), ...storeDefinitions.map(({ steps }) => steps(connection)));
}

export type WriterSteps = LedgerSteps;

/** Refused requests on the embedded database. */
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { StepRunner } from '../storage/sqlite/write-operations.ts';
import { type KeptAttempt, MOST_SWEPT, type Refusal, type RefusalStore } from './store.ts';

const COLUMNS = 'request_id, created_at, account_id, key_id, operation, model, status, code, param, message, attempts';

interface Adding {
  readonly refusals: readonly Refusal[];
  readonly most: number;
}

/** The writes, on one connection; none of them begins or ends a transaction. */
export type RefusalSteps = ReturnType<typeof openRefusalSteps>;

export function openRefusalSteps(connection: DatabaseSync) {
  const insert = connection.prepare(`INSERT OR IGNORE INTO refusals (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  // Rows are numbered in order, and only the oldest are deleted, so the newest number bounds how many there are.
  const cut = connection.prepare(`
    DELETE FROM refusals
    WHERE id IN (SELECT id FROM refusals WHERE id <= (SELECT max(id) FROM refusals) - ? ORDER BY id LIMIT ${MOST_SWEPT})`);
  const expire = connection.prepare(`
    DELETE FROM refusals WHERE id IN (SELECT id FROM refusals ORDER BY id LIMIT ${MOST_SWEPT}) AND created_at < ?`);
  return {
    keepRefusals({ refusals, most }: Adding): void {
      for (const one of refusals) {
        const { requestId, createdAt, accountId, keyId, operation, model, status, code, param, message, attempts } = one;
        insert.run(requestId, createdAt, accountId, keyId, operation, model, status, code, param, message, JSON.stringify(attempts));
      }
      cut.run(most);
    },
    /** The number of deleted rows. */
    sweepRefusals: ({ before, most }: { readonly before: number; readonly most: number }): number =>
      Number(expire.run(before).changes) + Number(cut.run(most).changes),
  };
}

export interface RefusalPlace {
  /** For reads. */
  readonly connection: DatabaseSync;
  readonly steps: Pick<StepRunner<RefusalSteps>, 'run'>;
}

export function openSqliteRefusals({ connection, steps }: RefusalPlace): RefusalStore {
  const one = connection.prepare(`SELECT ${COLUMNS} FROM refusals WHERE request_id = ?`);
  return {
    add: (refusals, most) => steps.run('keepRefusals', { refusals, most }),
    find: async (requestId) => asRefusal(one.get(requestId)),
    async sweep(before, most) {
      while ((await steps.run('sweepRefusals', { before, most })) >= MOST_SWEPT);
    },
  };
}

const textOrNull = (value: SQLOutputValue | undefined): string | null => (typeof value === 'string' ? value : null);

function asRefusal(row: Record<string, SQLOutputValue> | undefined): Refusal | undefined {
  if (row === undefined) return undefined;
  return {
    requestId: String(row.request_id),
    createdAt: Number(row.created_at),
    accountId: textOrNull(row.account_id),
    keyId: textOrNull(row.key_id),
    operation: textOrNull(row.operation),
    model: textOrNull(row.model),
    status: Number(row.status),
    code: String(row.code),
    param: textOrNull(row.param),
    message: String(row.message),
    // `as`: the statement above wrote it.
    attempts: JSON.parse(String(row.attempts)) as KeptAttempt[],
  };
}

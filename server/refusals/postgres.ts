/** Refused requests on PostgreSQL, of all processes in one table. */
import type { Postgres } from '../storage/postgres/pool.ts';
import { canBeKept, number, type Row, text, textOrNull } from '../storage/postgres/rows.ts';
import { type KeptAttempt, MOST_SWEPT, type Refusal, type RefusalStore } from './store.ts';

const COLUMNS = 'request_id, created_at, account_id, key_id, operation, model, status, code, param, message, attempts';

const insert = {
  name: 'keep_refusals',
  text: `
    INSERT INTO refusals (${COLUMNS})
    SELECT * FROM unnest($1::TEXT[], $2::BIGINT[], $3::TEXT[], $4::TEXT[], $5::TEXT[], $6::TEXT[], $7::BIGINT[], $8::TEXT[], $9::TEXT[], $10::TEXT[], $11::TEXT[])
    ON CONFLICT (request_id) DO NOTHING`,
};
/** Rows are numbered in order, and only the oldest are deleted, so the newest number bounds how many there are. Rows that another process is deleting are skipped. */
const cut = {
  name: 'cut_refusals',
  text: `
    DELETE FROM refusals WHERE id IN (
      SELECT id FROM refusals WHERE id <= (SELECT max(id) FROM refusals) - $1::BIGINT ORDER BY id LIMIT ${MOST_SWEPT} FOR UPDATE SKIP LOCKED
    ) RETURNING id`,
};
const expire = {
  text: `
    DELETE FROM refusals WHERE created_at < $1 AND id IN (
      SELECT id FROM refusals ORDER BY id LIMIT ${MOST_SWEPT} FOR UPDATE SKIP LOCKED
    ) RETURNING id`,
};
const one = { name: 'refusal', text: `SELECT ${COLUMNS} FROM refusals WHERE request_id = $1` };

export function openPostgresRefusals(postgres: Postgres): RefusalStore {
  return {
    async add(refusals, most) {
      const column = <T>(read: (refusal: Refusal) => T): T[] => refusals.map(read);
      await postgres.query(insert, [
        column(({ requestId }) => requestId),
        column(({ createdAt }) => createdAt),
        column(({ accountId }) => accountId),
        column(({ keyId }) => keyId),
        column(({ operation }) => operation),
        column(({ model }) => model),
        column(({ status }) => status),
        column(({ code }) => code),
        column(({ param }) => param),
        column(({ message }) => message),
        column(({ attempts }) => JSON.stringify(attempts)),
      ]);
      await postgres.query(cut, [most]);
    },
    async find(requestId) {
      if (!canBeKept(requestId)) return undefined;
      const [row] = await postgres.query(one, [requestId]);
      return row && asRefusal(row);
    },
    async sweep(before, most) {
      for (let swept = MOST_SWEPT; swept >= MOST_SWEPT; ) {
        const [expired, over] = [await postgres.work(expire, [before]), await postgres.work(cut, [most])];
        swept = expired.length + over.length;
      }
    },
  };
}

function asRefusal(row: Row): Refusal {
  return {
    requestId: text(row.request_id),
    createdAt: number(row.created_at),
    accountId: textOrNull(row.account_id),
    keyId: textOrNull(row.key_id),
    operation: textOrNull(row.operation),
    model: textOrNull(row.model),
    status: number(row.status),
    code: text(row.code),
    param: textOrNull(row.param),
    message: text(row.message),
    // `as`: the statement above wrote it.
    attempts: JSON.parse(text(row.attempts)) as KeptAttempt[],
  };
}

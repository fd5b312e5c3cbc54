/** Reads charges from PostgreSQL for receipts: one by its request id, or those of an account, newest first. */
import type { Postgres } from '../../storage/postgres/pool.ts';
import { canBeKept, flag, integer, number, numberOrNull, type Row, text, textOrNull } from '../../storage/postgres/rows.ts';
import type { ChargeQuery, ChargeRecord, ChargeState, KeptAttempt, Metered } from '../store.ts';

const COLUMNS = `request_id, account_id, key_id, model, operation, price_version, multiplier, state, source, held, charged, overrun,
  usage, estimated, outcome, created_at, settled_at`;
const one = { name: 'charge', text: `SELECT ${COLUMNS} FROM charges WHERE request_id = $1` };
const attempts = { text: 'SELECT attempts FROM attempts WHERE request_id = $1' };
const place = { text: 'SELECT created_at FROM charges WHERE request_id = $1 AND account_id = $2' };
const page = `SELECT ${COLUMNS} FROM charges WHERE account_id = $1 AND created_at >= $2 AND created_at < $3`;

export function openCharges(postgres: Pick<Postgres, 'query' | 'work'>) {
  return {
    async listAttempts(requestId: string): Promise<readonly KeptAttempt[]> {
      if (!canBeKept(requestId)) return [];
      const [row] = await postgres.query(attempts, [requestId]);
      // Written with the settlement of this request, from the same type.
      return row ? (JSON.parse(text(row.attempts)) as KeptAttempt[]) : [];
    },
    async findCharge(requestId: string): Promise<ChargeRecord | undefined> {
      if (!canBeKept(requestId)) return undefined;
      const [row] = await postgres.query(one, [requestId]);
      return row && asCharge(row);
    },
    async listCharges({
      accountId,
      keyId,
      from = 0,
      to = Number.MAX_SAFE_INTEGER,
      limit,
      after,
    }: ChargeQuery): Promise<readonly ChargeRecord[]> {
      if (![accountId, keyId ?? '', after ?? ''].every(canBeKept)) return [];
      const values: (string | number)[] = [accountId, from, to];
      const value = (given: string | number): string => `$${values.push(given)}`;
      const rules: string[] = [];
      if (keyId !== undefined) rules.push(`key_id = ${value(keyId)}`);
      if (after !== undefined) {
        const [start] = await postgres.query(place, [after, accountId]);
        // The id of another account counts as unknown: the page after it is empty.
        if (!start) return [];
        rules.push(`(created_at, request_id) < (${value(number(start.created_at))}, ${value(after)})`);
      }
      const order = `ORDER BY created_at DESC, request_id DESC LIMIT ${value(limit)}`;
      return (await postgres.work({ text: `${[page, ...rules].join(' AND ')} ${order}` }, values)).map(asCharge);
    },
  };
}

function asCharge(row: Row): ChargeRecord {
  const usage = textOrNull(row.usage);
  return {
    requestId: text(row.request_id),
    accountId: text(row.account_id),
    keyId: text(row.key_id),
    model: text(row.model),
    operation: text(row.operation),
    priceVersion: number(row.price_version),
    multiplier: number(row.multiplier),
    // The table lets in no other word.
    state: text(row.state) as ChargeState,
    source: text(row.source),
    held: integer(row.held),
    charged: integer(row.charged),
    overrun: integer(row.overrun),
    // Written by the post of this request, from the same type.
    metered: usage === null ? null : (JSON.parse(usage) as Metered),
    isEstimated: flag(row.estimated),
    outcome: textOrNull(row.outcome),
    createdAt: number(row.created_at),
    settledAt: numberOrNull(row.settled_at),
  };
}

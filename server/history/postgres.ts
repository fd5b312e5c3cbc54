/** The store of responses on PostgreSQL (specification 2.4: stored by default, chained from by id). */
import type { Fields } from '../../contract/rule.ts';
import type { Postgres } from '../storage/postgres/pool.ts';
import { canBeKept, number, type Row, text, textOrNull } from '../storage/postgres/rows.ts';
import { type HistoryStore, outputOf, type StoredResponse } from './store.ts';

/** Longest chain that is followed, as on the embedded database. */
const mostLinks = 10_000;
const columns = 'account_id, id, previous_id, upstream, created_at, input, response';

const save = {
  name: 'save_response',
  text: `
    WITH saved AS (
      INSERT INTO responses (${columns}) VALUES ($1, $2, $3, $4, $5, $6, $7)
      ON CONFLICT (account_id, id) DO UPDATE SET previous_id = excluded.previous_id, upstream = excluded.upstream,
        created_at = excluded.created_at, input = excluded.input, response = excluded.response
    )
    INSERT INTO response_items (account_id, id, response_id, item) SELECT $1, i.id, $2, i.item FROM unnest($8::TEXT[], $9::TEXT[]) AS i (id, item)
    ON CONFLICT (account_id, id) DO UPDATE SET response_id = excluded.response_id, item = excluded.item`,
};
const one = { name: 'response', text: `SELECT ${columns} FROM responses WHERE account_id = $1 AND id = $2` };
const chained = {
  text: `
    WITH RECURSIVE chain (depth, ${columns}) AS (
      SELECT 0, ${columns} FROM responses WHERE account_id = $1 AND id = $2
      UNION ALL
      SELECT chain.depth + 1, r.account_id, r.id, r.previous_id, r.upstream, r.created_at, r.input, r.response
      FROM chain JOIN responses AS r ON r.account_id = chain.account_id AND r.id = chain.previous_id
      WHERE chain.depth < ${mostLinks}
    )
    SELECT ${columns} FROM chain ORDER BY depth DESC`,
};
const item = {
  text: `
    SELECT item, upstream FROM response_items AS i JOIN responses AS r ON r.account_id = i.account_id AND r.id = i.response_id
    WHERE i.account_id = $1 AND i.id = $2`,
};
const remove = { text: 'DELETE FROM responses WHERE account_id = $1 AND id = $2 RETURNING id' };
/** So many at a time, and what another process sweeps is left to it. */
const mostSwept = 500;
const sweep = {
  text: `
    DELETE FROM responses WHERE (account_id, id) IN (
      SELECT account_id, id FROM responses WHERE created_at < $1 LIMIT ${mostSwept} FOR UPDATE SKIP LOCKED
    ) RETURNING id`,
};

export function openPostgresHistory(postgres: Postgres): HistoryStore {
  return {
    async save({ accountId, id, previousId, upstream, createdAt, input, response }) {
      const items = itemsOf(response);
      const [ids, texts] = [items.map(([itemId]) => itemId), items.map(([, written]) => written)];
      const values = [accountId, id, previousId, upstream, createdAt, JSON.stringify(input), JSON.stringify(response)];
      await postgres.work(save, [...values, ids, texts]);
    },
    async find(accountId, id) {
      if (!canBeKept(id)) return undefined;
      const [row] = await postgres.work(one, [accountId, id]);
      return row && asRecord(row);
    },
    async chain(accountId, id) {
      return canBeKept(id) ? (await postgres.work(chained, [accountId, id])).map(asRecord) : [];
    },
    async findItem(accountId, id) {
      if (!canBeKept(id)) return undefined;
      const [row] = await postgres.work(item, [accountId, id]);
      return row && { item: parse(row.item) as Fields, upstream: text(row.upstream) };
    },
    async remove(accountId, id) {
      return canBeKept(id) && (await postgres.query(remove, [accountId, id])).length > 0;
    },
    async sweep(before) {
      for (let swept = 0; ; ) {
        const gone = await postgres.work(sweep, [before]);
        swept += gone.length;
        if (gone.length < mostSwept) return swept;
      }
    },
  };
}

/** Id and text of each output item; of two with one id the last. One whose id no column takes can be asked for by nobody. */
function itemsOf(response: Fields): (readonly [id: string, item: string])[] {
  const items = new Map<string, string>();
  for (const output of outputOf(response)) {
    if (typeof output.id === 'string' && canBeKept(output.id)) items.set(output.id, JSON.stringify(output));
  }
  return [...items];
}

/** What is parsed was written above. */
const parse = (value: unknown): unknown => JSON.parse(text(value));

function asRecord(row: Row): StoredResponse {
  return {
    accountId: text(row.account_id),
    id: text(row.id),
    previousId: textOrNull(row.previous_id),
    upstream: text(row.upstream),
    createdAt: number(row.created_at),
    input: parse(row.input) as Fields[],
    response: parse(row.response) as Fields,
  };
}

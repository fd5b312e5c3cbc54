/** The store of responses on PostgreSQL. */
import type { Fields } from '../../contract/rule.ts';
import { MAX_SWEPT } from '../storage/audit.ts';
import { canBeKept, number, type Row, text, textOrNull } from '../storage/postgres/connections.ts';
import type { Postgres } from '../storage/postgres/pool.ts';
import {
  BYTES,
  chainOf,
  type HistoryStore,
  MAX_CHAIN,
  OUTLINE,
  packShape,
  type StoredResponse,
  type StoredText,
  type StoredTurn,
  writeResponse,
} from './recorder.ts';

const COLUMNS = 'account_id, id, previous_id, upstream, created_at, input, response';

const save = {
  name: 'save_response',
  text: `
    WITH saved AS (
      INSERT INTO responses (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7)
      ON CONFLICT (account_id, id) DO UPDATE SET previous_id = excluded.previous_id, upstream = excluded.upstream,
        created_at = excluded.created_at, input = excluded.input, response = excluded.response
    ),
    outlined AS (
      INSERT INTO response_outlines (account_id, response_id, output_at, output_bytes, outline) VALUES ($1, $2, $10, $11, $12)
      ON CONFLICT (account_id, response_id) DO UPDATE
        SET output_at = excluded.output_at, output_bytes = excluded.output_bytes, outline = excluded.outline
    )
    INSERT INTO response_items (account_id, id, response_id, item) SELECT $1, i.id, $2, i.item FROM unnest($8::TEXT[], $9::TEXT[]) AS i (id, item)
    ON CONFLICT (account_id, id) DO UPDATE SET response_id = excluded.response_id, item = excluded.item`,
};
const one = { name: 'response', text: `SELECT ${COLUMNS} FROM responses WHERE account_id = $1 AND id = $2` };
const upstream = { text: 'SELECT upstream FROM responses WHERE account_id = $1 AND id = $2' };
const answer = { text: 'SELECT response FROM responses WHERE account_id = $1 AND id = $2' };

const CHAIN = chainOf('$1', '$2');
/** A range of the bytes of a text. */
const cutOf = (column: string, start: string, length: string) =>
  `convert_from(substring(convert_to(${column}, 'UTF8') FROM ${start}::INTEGER FOR ${length}::INTEGER), 'UTF8')`;

const extent = {
  text: `
    WITH RECURSIVE chain (depth, account_id, previous_id, bytes) AS (
      SELECT 0, r.account_id, r.previous_id, ${BYTES} FROM responses AS r ${OUTLINE} WHERE r.account_id = $1 AND r.id = $2
      UNION ALL
      SELECT chain.depth + 1, r.account_id, r.previous_id, chain.bytes + ${BYTES}
      FROM chain JOIN responses AS r ON r.account_id = chain.account_id AND r.id = chain.previous_id ${OUTLINE}
      WHERE chain.bytes <= $3 AND chain.depth < ${MAX_CHAIN}
    )
    SELECT (depth + 1)::BIGINT AS links, bytes, previous_id FROM chain ORDER BY depth DESC LIMIT 1`,
};
const turns = {
  text: `${CHAIN}
    SELECT r.id, r.upstream, r.input, CASE WHEN o.outline IS NULL THEN r.response END AS response,
      CASE WHEN o.outline IS NOT NULL THEN ${cutOf('r.response', '(o.output_at + 1)', 'o.output_bytes')} END AS output
    FROM chain JOIN responses AS r ON r.account_id = chain.account_id AND r.id = chain.id ${OUTLINE}
    ORDER BY chain.depth DESC`,
};
const shapes = { text: `${CHAIN} SELECT r.id, o.outline FROM chain AS r ${OUTLINE} ORDER BY r.depth DESC` };
const slices = {
  input: { text: `SELECT ${cutOf('input', '$3', '$4')} AS text FROM responses WHERE account_id = $1 AND id = $2` },
  output: { text: `SELECT ${cutOf('response', '$3', '$4')} AS text FROM responses WHERE account_id = $1 AND id = $2` },
};
const itemBytes = {
  text: 'SELECT id, octet_length(item)::BIGINT AS bytes FROM response_items WHERE account_id = $1 AND id = ANY ($2::TEXT[])',
};
const items = {
  text: `
    SELECT i.id, i.item, r.upstream FROM response_items AS i JOIN responses AS r ON r.account_id = i.account_id AND r.id = i.response_id
    WHERE i.account_id = $1 AND i.id = ANY ($2::TEXT[])`,
};
const kept = { name: 'kept_bytes', text: 'SELECT bytes FROM kept_bytes WHERE account_id = $1' };
const remove = { text: 'DELETE FROM responses WHERE account_id = $1 AND id = $2 RETURNING id' };
/** Rows that another process is sweeping are skipped. */
const sweep = {
  text: `
    DELETE FROM responses WHERE (account_id, id) IN (
      SELECT account_id, id FROM responses WHERE created_at < $1 LIMIT ${MAX_SWEPT} FOR UPDATE SKIP LOCKED
    ) RETURNING id`,
};

export function openPostgresHistory(postgres: Postgres): HistoryStore {
  const { work } = postgres;
  const of = async (statement: { readonly text: string }, accountId: string, id: string, ...more: number[]): Promise<readonly Row[]> =>
    canBeKept(id) ? work(statement, [accountId, id, ...more]) : [];
  const itemsBy = (statement: { readonly text: string }, accountId: string, ids: readonly string[]) =>
    work(statement, [accountId, ids.filter(canBeKept)]);
  return {
    async save(record) {
      const { accountId, id, previousId, upstream, createdAt } = record;
      const { input, response, outputAt, outputBytes, shape, items: made } = writeResponse(record);
      const [ids, texts] = itemsOf(made);
      const packed = packShape(shape);
      await work(save, [accountId, id, previousId, upstream, createdAt, input, response, ids, texts, outputAt, outputBytes, packed]);
    },
    async find(accountId, id) {
      const [row] = await of(one, accountId, id);
      return row && asRecord(row);
    },
    async upstreamOf(accountId, id) {
      const [row] = await of(upstream, accountId, id);
      return row && text(row.upstream);
    },
    async response(accountId, id) {
      const [row] = await of(answer, accountId, id);
      return row && Buffer.from(text(row.response));
    },
    async measure(accountId, id, maxBytes) {
      const [row] = await of(extent, accountId, id, maxBytes);
      return row && { links: number(row.links), bytes: number(row.bytes), previousId: textOrNull(row.previous_id) };
    },
    chain: async (accountId, id) => (await of(turns, accountId, id)).map(asTurn),
    shapes: async (accountId, id) => (await of(shapes, accountId, id)).map((row) => ({ id: text(row.id), shape: textOrNull(row.outline) })),
    async slice(accountId, { responseId, part, start, end }) {
      const [row] = await of(slices[part], accountId, responseId, start + 1, end - start);
      return row && Buffer.from(text(row.text));
    },
    measureItems: async (accountId, ids) =>
      new Map((await itemsBy(itemBytes, accountId, ids)).map((row) => [text(row.id), number(row.bytes)])),
    findItems: async (accountId, ids) =>
      new Map((await itemsBy(items, accountId, ids)).map((row) => [text(row.id), { item: text(row.item), upstream: text(row.upstream) }])),
    async keptBytes(accountId) {
      const [row] = await work(kept, [accountId]);
      return row ? number(row.bytes) : 0;
    },
    remove: async (accountId, id) => canBeKept(id) && (await postgres.query(remove, [accountId, id])).length > 0,
    sweep: async (before) => (await work(sweep, [before])).length,
  };
}

const asTurn = (row: Row): StoredTurn => ({
  id: text(row.id),
  upstream: text(row.upstream),
  input: text(row.input),
  output: textOrNull(row.output),
  response: textOrNull(row.response),
});

/** Ids and texts of the output items; of two with the same id, the last. An item whose id no column can hold is left out: no request can refer to it. */
function itemsOf(made: readonly (readonly [id: string, item: StoredText])[]): readonly [ids: string[], items: string[]] {
  const found = new Map<string, string>();
  // PostgreSQL takes the elements of a text array as strings, not as bytes.
  for (const [id, item] of made) if (canBeKept(id)) found.set(id, item.toString());
  return [[...found.keys()], [...found.values()]];
}

/** `save` wrote this JSON. */
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

/** Stored responses in the database. */
import type { Fields } from '../primitives/fields.ts';
import { MAX_SWEPT } from '../storage/audit.ts';
import { big, type Dialect, openRoom, type Query, sql } from '../storage/plan.ts';
import { canBeKept, number, type Row, text, textOrNull } from '../storage/rows.ts';
import {
  BYTES,
  CHAIN,
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
const ONE = 'FROM responses WHERE account_id = ?1 AND id = ?2';

/** A response as it is written: JSON texts, since cloning objects is slow; a large one as bytes, whose memory moves to the thread without a copy. */
interface ResponseRow extends Pick<StoredResponse, 'accountId' | 'id' | 'previousId' | 'upstream' | 'createdAt'> {
  readonly input: StoredText;
  readonly response: StoredText;
  readonly outputAt: number;
  readonly outputBytes: number;
  readonly outline: string;
  /** Id and text of each output item. */
  readonly items: readonly (readonly [id: string, item: StoredText])[];
}

type HistoryRoom = Omit<HistoryStore, 'save'> & { saveRow(row: ResponseRow): Promise<void> };

/** A trigger deletes an older response of the same ID, together with its items. A text may be bound as bytes. */
const INSERT = `INSERT INTO responses (${COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, CAST(?6 AS TEXT), CAST(?7 AS TEXT))`;
const INSERT_OUTLINE =
  'INSERT INTO response_outlines (account_id, response_id, output_at, output_bytes, outline) VALUES (?1, ?2, ?3, ?4, ?5)';
const INSERT_ITEM = 'INSERT OR REPLACE INTO response_items (account_id, id, response_id, item) VALUES (?1, ?2, ?3, CAST(?4 AS TEXT))';
/** All in one message, since the caller waits for it. */
const SAVE_SHARED = `
  WITH saved AS (
    INSERT INTO responses (${COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
    ON CONFLICT (account_id, id) DO UPDATE SET previous_id = excluded.previous_id, upstream = excluded.upstream,
      created_at = excluded.created_at, input = excluded.input, response = excluded.response
  ),
  outlined AS (
    INSERT INTO response_outlines (account_id, response_id, output_at, output_bytes, outline) VALUES (?1, ?2, ?10, ?11, ?12)
    ON CONFLICT (account_id, response_id) DO UPDATE
      SET output_at = excluded.output_at, output_bytes = excluded.output_bytes, outline = excluded.outline
  )
  INSERT INTO response_items (account_id, id, response_id, item) SELECT ?1, i.id, ?2, i.item FROM unnest(?8::TEXT[], ?9::TEXT[]) AS i (id, item)
  ON CONFLICT (account_id, id) DO UPDATE SET response_id = excluded.response_id, item = excluded.item`;

const RESPONSE_FIELDS = ['accountId', 'id', 'previousId', 'upstream', 'createdAt', 'input', 'response'] as const;
const responseValues = (row: ResponseRow) => RESPONSE_FIELDS.map((name) => row[name]);

function saveShared(row: ResponseRow): Query {
  // Of two with the same ID, the last. An item whose ID no column can hold is omitted: no request can refer to it.
  const made = new Map(row.items.flatMap(([name, item]) => (canBeKept(name) ? [[name, item.toString()] as const] : [])));
  const lists = [[...made.keys()], [...made.values()]] as const;
  return big('save_response', SAVE_SHARED, ...responseValues(row), ...lists, row.outputAt, row.outputBytes, row.outline);
}

/** A range of the bytes of a text; on the embedded database without making a string. */
const cutOf = ({ isShared }: Dialect, column: string, start: string, length: string): string =>
  isShared
    ? `convert_from(substring(convert_to(${column}, 'UTF8') FROM (${start})::INTEGER FOR (${length})::INTEGER), 'UTF8')`
    : `substr(CAST(${column} AS BLOB), ${start}, ${length})`;

const EXTENT = `
  WITH RECURSIVE chain (depth, account_id, previous_id, bytes) AS (
    SELECT 0, r.account_id, r.previous_id, ${BYTES} FROM responses AS r ${OUTLINE} WHERE r.account_id = ?1 AND r.id = ?2
    UNION ALL
    SELECT chain.depth + 1, r.account_id, r.previous_id, chain.bytes + ${BYTES}
    FROM chain JOIN responses AS r ON r.account_id = chain.account_id AND r.id = chain.previous_id ${OUTLINE}
    WHERE chain.bytes <= ?3 AND chain.depth < ${MAX_CHAIN}
  )
  SELECT CAST(depth + 1 AS BIGINT) AS links, bytes, previous_id FROM chain ORDER BY chain.depth DESC LIMIT 1`;
const turnsSql = (db: Dialect): string => `${CHAIN}
  SELECT r.id, r.upstream, r.input, CASE WHEN o.outline IS NULL THEN r.response END AS response,
    CASE WHEN o.outline IS NOT NULL THEN CAST(${cutOf(db, 'r.response', 'o.output_at + 1', 'o.output_bytes')} AS TEXT) END AS output
  FROM chain JOIN responses AS r ON r.account_id = chain.account_id AND r.id = chain.id ${OUTLINE}
  ORDER BY chain.depth DESC`;

const room = openRoom<HistoryRoom>(
  'history',
  {
    reads: ['find', 'upstreamOf', 'response', 'measure', 'chain', 'shapes', 'slice', 'measureItems', 'findItems', 'keptBytes'],
    noTransaction: ['saveRow', 'remove', 'sweep'],
    // `as`: the arguments of that method.
    given: (method, args) => (method === 'saveRow' ? memoryOf(args[0] as ResponseRow) : []),
  },
  (db) => ({
    saveRow: function* (row) {
      if (db.isShared) return void (yield saveShared(row));
      const { accountId, id } = row;
      yield sql(INSERT, ...responseValues(row));
      yield sql(INSERT_OUTLINE, accountId, id, row.outputAt, row.outputBytes, row.outline);
      for (const [itemId, item] of row.items) yield sql(INSERT_ITEM, accountId, itemId, id, item);
    },
    find: function* (accountId, id) {
      return (yield big('response', `SELECT ${COLUMNS} ${ONE}`, accountId, id)).map(toRecord)[0];
    },
    upstreamOf: function* (accountId, id) {
      return (yield sql(`SELECT upstream ${ONE}`, accountId, id)).map((row) => text(row.upstream))[0];
    },
    response: function* (accountId, id) {
      const bytes = db.isShared ? 'response' : 'CAST(response AS BLOB)';
      return (yield sql(`SELECT ${bytes} AS bytes ${ONE}`, accountId, id)).map(toBytes)[0];
    },
    measure: function* (accountId, id, maxBytes) {
      const [row] = yield sql(EXTENT, accountId, id, maxBytes);
      return row && { links: number(row.links), bytes: number(row.bytes), previousId: textOrNull(row.previous_id) };
    },
    chain: function* (accountId, id) {
      return (yield sql(turnsSql(db), accountId, id)).map(toTurn);
    },
    shapes: function* (accountId, id) {
      const rows = yield sql(`${CHAIN} SELECT r.id, o.outline FROM chain AS r ${OUTLINE} ORDER BY r.depth DESC`, accountId, id);
      return rows.map((row) => ({ id: text(row.id), shape: textOrNull(row.outline) }));
    },
    slice: function* (accountId, { responseId, part, start, end }) {
      const cut = cutOf(db, part === 'input' ? 'input' : 'response', '?3', '?4');
      return (yield sql(`SELECT ${cut} AS bytes ${ONE}`, accountId, responseId, start + 1, end - start)).map(toBytes)[0];
    },
    measureItems: function* (accountId, ids) {
      const sizes = `SELECT id, CAST(octet_length(item) AS BIGINT) AS bytes FROM response_items WHERE account_id = ?1 AND id IN ${db.list('?2')}`;
      return new Map((yield sql(sizes, accountId, ids)).map((row) => [text(row.id), number(row.bytes)]));
    },
    findItems: function* (accountId, ids) {
      const items = `
        SELECT i.id, i.item, r.upstream FROM response_items AS i JOIN responses AS r ON r.account_id = i.account_id AND r.id = i.response_id
        WHERE i.account_id = ?1 AND i.id IN ${db.list('?2')}`;
      return new Map(
        (yield sql(items, accountId, ids)).map((row) => [text(row.id), { item: text(row.item), upstream: text(row.upstream) }]),
      );
    },
    keptBytes: function* (accountId) {
      const [row] = yield big('kept_bytes', 'SELECT bytes FROM kept_bytes WHERE account_id = ?1', accountId);
      return row ? number(row.bytes) : 0;
    },
    remove: function* (accountId, id) {
      return (yield sql(`DELETE ${ONE} RETURNING id`, accountId, id)).length > 0;
    },
    sweep: function* (before) {
      const old = `SELECT account_id, id FROM responses WHERE created_at < ?1 LIMIT ${MAX_SWEPT} ${db.lockFree}`;
      return (yield sql(`DELETE FROM responses WHERE (account_id, id) IN (${old}) RETURNING id`, before)).length;
    },
  }),
);

const withSave = (store: HistoryRoom): HistoryStore => ({
  ...store,
  async save(record) {
    const { accountId, id, previousId, upstream, createdAt } = record;
    const { shape, ...written } = writeResponse(record);
    await store.saveRow({ accountId, id, previousId, upstream, createdAt, ...written, outline: packShape(shape) });
  },
});

export const historyRoom = {
  steps: room.steps,
  onSqlite: (place: Parameters<typeof room.onSqlite>[0]) => withSave(room.onSqlite(place)),
  onPostgres: (...[postgres]: Parameters<typeof room.onPostgres>) => withSave(room.onPostgres(postgres)),
};

const memoryOf = ({ input, response, items }: ResponseRow): ArrayBuffer[] =>
  [input, response, ...items.map(([, item]) => item)].flatMap((written) => (typeof written === 'string' ? [] : [written.buffer]));

const toTurn = (row: Row): StoredTurn => ({
  id: text(row.id),
  upstream: text(row.upstream),
  input: text(row.input),
  output: textOrNull(row.output),
  response: textOrNull(row.response),
});

/** PostgreSQL would send bytes as twice as many digits, so they come as a text. */
const toBytes = ({ bytes }: Row): Buffer =>
  bytes instanceof Uint8Array ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) : Buffer.from(text(bytes));

/** `save` wrote this JSON. */
const parse = (value: unknown): unknown => JSON.parse(text(value));

function toRecord(row: Row): StoredResponse {
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

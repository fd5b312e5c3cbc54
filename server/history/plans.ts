/** The database methods for stored responses. */
import type { Fields } from '../primitives/fields.ts';
import { type Dialect, defineStore, preparedLargeSql, type Query, sql } from '../store/plan.ts';
import { isStorableText, type Row, readNumber, readText, readTextOrNull } from '../store/rows.ts';

import { CHAIN_CTE, type HistoryStore, MAX_CHAIN, OUTLINE_JOIN, RESPONSE_BYTES_SQL, type StoredTurn } from './store.ts';
import { packShape, type StoredResponse, type StoredText, writeStoredResponse } from './stored-response.ts';

const COLUMNS = 'account_id, id, previous_id, upstream, created_at, input, response';
const FROM_ONE_RESPONSE = 'FROM responses WHERE account_id = ?1 AND id = ?2';

/**
 * A serialized response: JSON text, because cloning objects is slow. Large text is bytes, whose memory moves to the thread without a
 * copy.
 */
interface ResponseRow extends Pick<StoredResponse, 'accountId' | 'id' | 'previousId' | 'upstream' | 'createdAt'> {
  readonly input: StoredText;
  readonly response: StoredText;
  readonly outputAt: number;
  readonly outputBytes: number;
  readonly outline: string;
  /** ID and text of each output item. */
  readonly items: readonly (readonly [id: string, item: StoredText])[];
}

type HistoryQueries = Omit<HistoryStore, 'save'> & { saveRow(row: ResponseRow): Promise<void> };

/** A trigger deletes an older response with the same ID, including its items. Texts can be bound as bytes. */
const INSERT = `INSERT INTO responses (${COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, CAST(?6 AS TEXT), CAST(?7 AS TEXT))`;
const INSERT_OUTLINE =
  'INSERT INTO response_outlines (account_id, response_id, output_at, output_bytes, outline) VALUES (?1, ?2, ?3, ?4, ?5)';
const INSERT_ITEM = 'INSERT OR REPLACE INTO response_items (account_id, id, response_id, item) VALUES (?1, ?2, ?3, CAST(?4 AS TEXT))';
/** One statement for all tables saves round trips while the caller waits. */
const SAVE_RESPONSE_SHARED = `
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
const toResponseValues = (row: ResponseRow) => RESPONSE_FIELDS.map((name) => row[name]);

function createSharedSaveQuery(row: ResponseRow): Query {
  // The last of several items with the same ID wins. Items are omitted if no column can hold their ID, because no request can reference
  // them.
  const storableItems = new Map(row.items.flatMap(([name, item]) => (isStorableText(name) ? [[name, item.toString()] as const] : [])));
  const itemColumns = [[...storableItems.keys()], [...storableItems.values()]] as const;
  return preparedLargeSql(
    'save_response',
    SAVE_RESPONSE_SHARED,
    ...toResponseValues(row),
    ...itemColumns,
    row.outputAt,
    row.outputBytes,
    row.outline,
  );
}

/** Selects a range of a text's bytes. On the embedded database, without creating a string. */
const buildSubstringSql = ({ isShared }: Dialect, column: string, start: string, length: string): string =>
  isShared
    ? `convert_from(substring(convert_to(${column}, 'UTF8') FROM (${start})::INTEGER FOR (${length})::INTEGER), 'UTF8')`
    : `substr(CAST(${column} AS BLOB), ${start}, ${length})`;

/** Responses, and the events of recent ones. */
const COUNT_BYTES = `
  SELECT CAST(coalesce((SELECT bytes FROM kept_bytes WHERE account_id = ?1), 0)
    + coalesce((SELECT sum(bytes) FROM response_events WHERE account_id = ?1), 0) AS BIGINT) AS bytes`;

/** A response that runs in the background, and has no output yet, can't be continued. */
const MEASURE_CHAIN = `
  WITH RECURSIVE chain (depth, account_id, previous_id, bytes) AS (
    SELECT 0, r.account_id, r.previous_id, ${RESPONSE_BYTES_SQL} FROM responses AS r ${OUTLINE_JOIN} WHERE r.account_id = ?1 AND r.id = ?2
      AND NOT (coalesce(o.output_bytes, 0) = 2 AND EXISTS (
        SELECT 1 FROM response_runs AS u WHERE u.account_id = r.account_id AND u.response_id = r.id AND u.ended_at IS NULL))
    UNION ALL
    SELECT chain.depth + 1, r.account_id, r.previous_id, chain.bytes + ${RESPONSE_BYTES_SQL}
    FROM chain JOIN responses AS r ON r.account_id = chain.account_id AND r.id = chain.previous_id ${OUTLINE_JOIN}
    WHERE chain.bytes <= ?3 AND chain.depth < ${MAX_CHAIN}
  )
  SELECT CAST(depth + 1 AS BIGINT) AS links, bytes, previous_id FROM chain ORDER BY chain.depth DESC LIMIT 1`;
const buildTurnsSql = (db: Dialect): string => `${CHAIN_CTE}
  SELECT r.id, r.upstream, r.input, CASE WHEN o.outline IS NULL THEN r.response END AS response,
    CASE WHEN o.outline IS NOT NULL THEN CAST(${buildSubstringSql(db, 'r.response', 'o.output_at + 1', 'o.output_bytes')} AS TEXT) END AS output
  FROM chain JOIN responses AS r ON r.account_id = chain.account_id AND r.id = chain.id ${OUTLINE_JOIN}
  ORDER BY chain.depth DESC`;

const historyQueriesDefinition = defineStore<HistoryQueries>(
  'history',
  {
    reads: [
      'find',
      'findUpstream',
      'findResponseJson',
      'measureChain',
      'listChain',
      'listShapes',
      'readSlice',
      'measureItems',
      'findItems',
      'countStoredBytes',
    ],
    noTransaction: ['saveRow', 'remove', 'sweep'],
    // `as`: the type of this method's arguments.
    given: (method, args) => (method === 'saveRow' ? listBuffers(args[0] as ResponseRow) : []),
  },
  (db) => ({
    saveRow: function* (row) {
      if (db.isShared) return void (yield createSharedSaveQuery(row));
      const { accountId, id } = row;
      yield sql(INSERT, ...toResponseValues(row));
      yield sql(INSERT_OUTLINE, accountId, id, row.outputAt, row.outputBytes, row.outline);
      for (const [itemId, item] of row.items) yield sql(INSERT_ITEM, accountId, itemId, id, item);
    },
    find: function* (accountId, id) {
      return (yield preparedLargeSql('response', `SELECT ${COLUMNS} ${FROM_ONE_RESPONSE}`, accountId, id)).map(toRecord)[0];
    },
    findUpstream: function* (accountId, id) {
      return (yield sql(`SELECT upstream ${FROM_ONE_RESPONSE}`, accountId, id)).map((row) => readText(row.upstream))[0];
    },
    findResponseJson: function* (accountId, id) {
      const bytes = db.isShared ? 'response' : 'CAST(response AS BLOB)';
      return (yield sql(`SELECT ${bytes} AS bytes ${FROM_ONE_RESPONSE}`, accountId, id)).map(toBytes)[0];
    },
    measureChain: function* (accountId, id, maxBytes) {
      const [extentRow] = yield sql(MEASURE_CHAIN, accountId, id, maxBytes);
      return (
        extentRow && {
          links: readNumber(extentRow.links),
          bytes: readNumber(extentRow.bytes),
          previousId: readTextOrNull(extentRow.previous_id),
        }
      );
    },
    listChain: function* (accountId, id) {
      return (yield sql(buildTurnsSql(db), accountId, id)).map(toTurn);
    },
    listShapes: function* (accountId, id) {
      const rows = yield sql(`${CHAIN_CTE} SELECT r.id, o.outline FROM chain AS r ${OUTLINE_JOIN} ORDER BY r.depth DESC`, accountId, id);
      return rows.map((row) => ({ id: readText(row.id), shape: readTextOrNull(row.outline) }));
    },
    readSlice: function* (accountId, { responseId, part, start, end }) {
      const substringSql = buildSubstringSql(db, part === 'input' ? 'input' : 'response', '?3', '?4');
      return (yield sql(`SELECT ${substringSql} AS bytes ${FROM_ONE_RESPONSE}`, accountId, responseId, start + 1, end - start)).map(
        toBytes,
      )[0];
    },
    measureItems: function* (accountId, ids) {
      const sizesSql = `SELECT id, CAST(octet_length(item) AS BIGINT) AS bytes FROM response_items WHERE account_id = ?1 AND id IN ${db.list('?2')}`;
      return new Map((yield sql(sizesSql, accountId, ids)).map((row) => [readText(row.id), readNumber(row.bytes)]));
    },
    findItems: function* (accountId, ids) {
      const itemsSql = `
        SELECT i.id, i.item, r.upstream FROM response_items AS i JOIN responses AS r ON r.account_id = i.account_id AND r.id = i.response_id
        WHERE i.account_id = ?1 AND i.id IN ${db.list('?2')}`;
      return new Map(
        (yield sql(itemsSql, accountId, ids)).map((row) => [
          readText(row.id),
          { item: readText(row.item), upstream: readText(row.upstream) },
        ]),
      );
    },
    countStoredBytes: function* (accountId) {
      const [row] = yield preparedLargeSql('kept_bytes', COUNT_BYTES, accountId);
      return row ? readNumber(row.bytes) : 0;
    },
    remove: function* (accountId, id) {
      return (yield sql(`DELETE ${FROM_ONE_RESPONSE} RETURNING id`, accountId, id)).length > 0;
    },
    sweep: function* (before) {
      const expiredSql = `SELECT account_id, id FROM responses WHERE created_at < ?1 LIMIT ${db.maxSweptRows} ${db.lockFree}`;
      return (yield sql(`DELETE FROM responses WHERE (account_id, id) IN (${expiredSql}) RETURNING id`, before)).length;
    },
  }),
);

const addSave = (store: HistoryQueries): HistoryStore => ({
  ...store,
  async save(record) {
    const { accountId, id, previousId, upstream, createdAt } = record;
    const { shape, ...storedTexts } = writeStoredResponse(record);
    await store.saveRow({ accountId, id, previousId, upstream, createdAt, ...storedTexts, outline: packShape(shape) });
  },
});

export const historyStoreDefinition = {
  steps: historyQueriesDefinition.steps,
  onSqlite: (target: Parameters<typeof historyQueriesDefinition.onSqlite>[0]) => addSave(historyQueriesDefinition.onSqlite(target)),
  onPostgres: (...[postgres]: Parameters<typeof historyQueriesDefinition.onPostgres>) =>
    addSave(historyQueriesDefinition.onPostgres(postgres)),
};

const listBuffers = ({ input, response, items }: ResponseRow): ArrayBuffer[] =>
  [input, response, ...items.map(([, item]) => item)].flatMap((text) => (typeof text === 'string' ? [] : [text.buffer]));

const toTurn = (row: Row): StoredTurn => ({
  id: readText(row.id),
  upstream: readText(row.upstream),
  input: readText(row.input),
  output: readTextOrNull(row.output),
  response: readTextOrNull(row.response),
});

/** PostgreSQL would send bytes as twice as many digits, so it returns text. */
const toBytes = ({ bytes }: Row): Buffer =>
  bytes instanceof Uint8Array ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) : Buffer.from(readText(bytes));

/** `save` wrote this JSON. */
const parseJsonColumn = (value: unknown): unknown => JSON.parse(readText(value));

function toRecord(row: Row): StoredResponse {
  return {
    accountId: readText(row.account_id),
    id: readText(row.id),
    previousId: readTextOrNull(row.previous_id),
    upstream: readText(row.upstream),
    createdAt: readNumber(row.created_at),
    input: parseJsonColumn(row.input) as Fields[],
    response: parseJsonColumn(row.response) as Fields,
  };
}

/** The store of responses on the embedded database. */
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { Fields } from '../../contract/rule.ts';
import { MAX_SWEPT } from '../storage/audit.ts';
import type { StepRunner } from '../storage/sqlite/database.ts';
import {
  BYTES,
  chainOf,
  type HistoryStore,
  MAX_CHAIN,
  OUTLINE,
  packShape,
  type StoredResponse,
  type StoredText,
  writeResponse,
} from './recorder.ts';

const COLUMNS = 'account_id, id, previous_id, upstream, created_at, input, response';

/** A text parameter that may be bound as bytes. */
const TEXT = 'CAST(? AS TEXT)';

/** A response for the writing thread: JSON texts, since cloning objects is slow; a large one as bytes, whose memory moves to the thread without a copy. */
interface ResponseRow extends Omit<StoredResponse, 'input' | 'response'> {
  readonly input: string | Uint8Array;
  readonly response: string | Uint8Array;
  readonly outputAt: number;
  readonly outputBytes: number;
  readonly outline: string;
  /** Id and text of each output item. */
  readonly items: readonly (readonly [id: string, item: string | Uint8Array])[];
}

/** The steps that write, on one connection; none begins or ends a transaction. */
export type HistorySteps = ReturnType<typeof openHistorySteps>;

export function openHistorySteps(connection: DatabaseSync) {
  const insert = connection.prepare(`INSERT INTO responses (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ${TEXT}, ${TEXT})`);
  const insertOutline = connection.prepare(
    'INSERT INTO response_outlines (account_id, response_id, output_at, output_bytes, outline) VALUES (?, ?, ?, ?, ?)',
  );
  const insertItem = connection.prepare(
    `INSERT OR REPLACE INTO response_items (account_id, id, response_id, item) VALUES (?, ?, ?, ${TEXT})`,
  );
  const remove = connection.prepare('DELETE FROM responses WHERE account_id = ? AND id = ?');
  const sweep = connection.prepare(`
    DELETE FROM responses WHERE (account_id, id) IN (SELECT account_id, id FROM responses WHERE created_at < ? LIMIT ${MAX_SWEPT})`);
  return {
    saveResponse(row: ResponseRow): void {
      const { accountId, id, previousId, upstream, createdAt, input, response, items } = row;
      // A trigger deletes an older response of the same id, together with its items.
      insert.run(accountId, id, previousId, upstream, createdAt, input, response);
      insertOutline.run(accountId, id, row.outputAt, row.outputBytes, row.outline);
      for (const [itemId, item] of items) insertItem.run(accountId, itemId, id, item);
    },
    removeResponse: ({ accountId, id }: Pick<StoredResponse, 'accountId' | 'id'>): boolean => Number(remove.run(accountId, id).changes) > 0,
    sweepResponses: ({ before }: { readonly before: number }): number => Number(sweep.run(before).changes),
  };
}

export interface HistoryPlace {
  /** For reads. */
  readonly connection: DatabaseSync;
  readonly steps: Pick<StepRunner<HistorySteps>, 'run'>;
}

const CHAIN = chainOf('?', '?');
/** A range of the bytes of a text, read without making a string. */
const cutOf = (column: string) => `substr(CAST(${column} AS BLOB), ?, ?)`;

function prepareReads(connection: DatabaseSync) {
  return {
    one: connection.prepare(`SELECT ${COLUMNS} FROM responses WHERE account_id = ? AND id = ?`),
    upstream: connection.prepare('SELECT upstream FROM responses WHERE account_id = ? AND id = ?'),
    answer: connection.prepare('SELECT CAST(response AS BLOB) AS bytes FROM responses WHERE account_id = ? AND id = ?'),
    extent: connection.prepare(`
      WITH RECURSIVE chain (depth, account_id, previous_id, bytes) AS (
        SELECT 0, r.account_id, r.previous_id, ${BYTES} FROM responses AS r ${OUTLINE} WHERE r.account_id = ? AND r.id = ?
        UNION ALL
        SELECT chain.depth + 1, r.account_id, r.previous_id, chain.bytes + ${BYTES}
        FROM chain JOIN responses AS r ON r.account_id = chain.account_id AND r.id = chain.previous_id ${OUTLINE}
        WHERE chain.bytes <= ? AND chain.depth < ${MAX_CHAIN}
      )
      SELECT depth + 1 AS links, bytes, previous_id FROM chain ORDER BY depth DESC LIMIT 1`),
    turns: connection.prepare(`${CHAIN}
      SELECT chain.depth, r.id, r.upstream, r.input, CASE WHEN o.outline IS NULL THEN r.response END AS response,
        CASE WHEN o.outline IS NOT NULL THEN CAST(substr(CAST(r.response AS BLOB), o.output_at + 1, o.output_bytes) AS TEXT) END AS output
      FROM chain JOIN responses AS r ON r.account_id = chain.account_id AND r.id = chain.id ${OUTLINE}`),
    shapes: connection.prepare(`${CHAIN}
      SELECT r.depth, r.id, o.outline FROM chain AS r ${OUTLINE}`),
    input: connection.prepare(`SELECT ${cutOf('input')} AS bytes FROM responses WHERE account_id = ? AND id = ?`),
    output: connection.prepare(`SELECT ${cutOf('response')} AS bytes FROM responses WHERE account_id = ? AND id = ?`),
    itemBytes: connection.prepare(`
      SELECT id, octet_length(item) AS bytes FROM response_items WHERE account_id = ? AND id IN (SELECT value FROM json_each(?))`),
    items: connection.prepare(`
      SELECT i.id, i.item, r.upstream FROM response_items AS i JOIN responses AS r ON r.account_id = i.account_id AND r.id = i.response_id
      WHERE i.account_id = ? AND i.id IN (SELECT value FROM json_each(?))`),
    kept: connection.prepare('SELECT bytes FROM kept_bytes WHERE account_id = ?'),
  };
}

export function openHistoryStore({ connection, steps }: HistoryPlace): HistoryStore {
  const { one, upstream, answer, extent, turns, shapes, input, output, itemBytes, items, kept } = prepareReads(connection);
  return {
    async save(record) {
      const { shape, ...written } = writeResponse(record);
      const given = [written.input, written.response, ...written.items.map(([, item]) => item)].flatMap(memoryOf);
      await steps.run('saveResponse', { ...record, ...written, outline: packShape(shape) }, given);
    },
    find: async (accountId, id) => asRecord(one.get(accountId, id)),
    async upstreamOf(accountId, id) {
      const row = upstream.get(accountId, id);
      return row && String(row.upstream);
    },
    async response(accountId, id) {
      const row = answer.get(accountId, id);
      return bytesOf(row);
    },
    async measure(accountId, id, maxBytes) {
      const row = extent.get(accountId, id, maxBytes);
      return row && { links: Number(row.links), bytes: Number(row.bytes), previousId: textOrNull(row.previous_id) };
    },
    chain: async (accountId, id) =>
      oldestFirst(turns.all(accountId, id)).map((row) => ({
        id: String(row.id),
        upstream: String(row.upstream),
        input: String(row.input),
        output: textOrNull(row.output),
        response: textOrNull(row.response),
      })),
    shapes: async (accountId, id) =>
      oldestFirst(shapes.all(accountId, id)).map((row) => ({ id: String(row.id), shape: textOrNull(row.outline) })),
    async slice(accountId, { responseId, part, start, end }) {
      const row = (part === 'input' ? input : output).get(start + 1, end - start, accountId, responseId);
      return bytesOf(row);
    },
    measureItems: async (accountId, ids) =>
      new Map(itemBytes.all(accountId, JSON.stringify(ids)).map((row) => [String(row.id), Number(row.bytes)])),
    findItems: async (accountId, ids) =>
      new Map(
        items
          .all(accountId, JSON.stringify(ids))
          .map((row) => [String(row.id), { item: String(row.item), upstream: String(row.upstream) }]),
      ),
    keptBytes: async (accountId) => Number(kept.get(accountId)?.bytes ?? 0),
    remove: (accountId, id) => steps.run('removeResponse', { accountId, id }),
    sweep: (before) => steps.run('sweepResponses', { before }),
  };
}

const memoryOf = (text: StoredText): ArrayBuffer[] => (typeof text === 'string' ? [] : [text.buffer]);

type Row = Record<string, SQLOutputValue>;

const oldestFirst = (rows: Row[]): Row[] => rows.sort((one, other) => Number(other.depth) - Number(one.depth));
const textOrNull = (value: SQLOutputValue | undefined): string | null => (typeof value === 'string' ? value : null);

/** `save` wrote this JSON. */
const parse = (value: SQLOutputValue | undefined): unknown => JSON.parse(String(value));

function asRecord(row: Row | undefined): StoredResponse | undefined {
  if (row === undefined) return undefined;
  return {
    accountId: String(row.account_id),
    id: String(row.id),
    previousId: textOrNull(row.previous_id),
    upstream: String(row.upstream),
    createdAt: Number(row.created_at),
    input: parse(row.input) as Fields[],
    response: parse(row.response) as Fields,
  };
}

function bytesOf(row: Row | undefined): Buffer | undefined {
  if (!(row?.bytes instanceof Uint8Array)) return undefined;
  const { buffer, byteOffset, byteLength } = row.bytes;
  return Buffer.from(buffer, byteOffset, byteLength);
}

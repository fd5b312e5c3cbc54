/** The store of responses on the embedded database (specification 2.4: stored by default, chained from by id). */
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { Fields } from '../../contract/rule.ts';
import type { StepRunner } from '../storage/steps.ts';

/** One response as it was answered, and the input that was new in its request. Items are in the wire form of responses. */
export interface StoredResponse {
  readonly id: string;
  readonly accountId: string;
  readonly previousId: string | null;
  /** Name of the upstream that answered: its sealed thoughts are for it alone. */
  readonly upstream: string;
  /** Seconds since 1970. */
  readonly createdAt: number;
  readonly input: readonly Fields[];
  readonly response: Fields;
}

/** An output item, and the upstream that made it. */
export interface StoredOutput {
  readonly item: Fields;
  readonly upstream: string;
}

export interface HistoryStore {
  /** On disk when it resolves: a caller who then reads the terminal event can go on from it, also after a crash. */
  save(record: StoredResponse): Promise<void>;
  find(accountId: string, id: string): Promise<StoredResponse | undefined>;
  /** The response and all before it, oldest first; empty where there is none for this account. */
  chain(accountId: string, id: string): Promise<readonly StoredResponse[]>;
  /** An output item of any stored response of the account. */
  findItem(accountId: string, id: string): Promise<StoredOutput | undefined>;
  /** False where there was none. */
  remove(accountId: string, id: string): Promise<boolean>;
  /** Deletes what was made before this time, in seconds since 1970; returns how many. */
  sweep(before: number): Promise<number>;
}

/** Longest chain that is followed; past it the oldest turns are left out of no answer, the call is refused by its size instead. */
const MAX_CHAIN = 10_000;

const columns = 'account_id, id, previous_id, upstream, created_at, input, response';

/** In pieces: paid calls wait for whatever is being written. */
const SWEEP_AT_ONCE = 200;

/** A response as it goes to the thread that writes: texts, so that a long one is not cloned object by object. */
interface ResponseRow extends Omit<StoredResponse, 'input' | 'response'> {
  readonly input: string;
  readonly response: string;
  /** Id and text of each output item. */
  readonly items: readonly (readonly [id: string, item: string])[];
}

/** What writes, on one connection; none of it begins or ends a transaction. */
export type HistorySteps = ReturnType<typeof openHistorySteps>;

export function openHistorySteps(connection: DatabaseSync) {
  const insert = connection.prepare(`INSERT OR REPLACE INTO responses (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?)`);
  const insertItem = connection.prepare('INSERT OR REPLACE INTO response_items (account_id, id, response_id, item) VALUES (?, ?, ?, ?)');
  const remove = connection.prepare('DELETE FROM responses WHERE account_id = ? AND id = ?');
  const sweep = connection.prepare(`
    DELETE FROM responses WHERE (account_id, id) IN (SELECT account_id, id FROM responses WHERE created_at < ? LIMIT ${SWEEP_AT_ONCE})`);
  return {
    saveResponse({ accountId, id, previousId, upstream, createdAt, input, response, items }: ResponseRow): void {
      insert.run(accountId, id, previousId, upstream, createdAt, input, response);
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

export function openHistoryStore({ connection, steps }: HistoryPlace): HistoryStore {
  const one = connection.prepare(`SELECT ${columns} FROM responses WHERE account_id = ? AND id = ?`);
  const chained = connection.prepare(`
    WITH RECURSIVE chain (depth, ${columns}) AS (
      SELECT 0, ${columns} FROM responses WHERE account_id = ? AND id = ?
      UNION ALL
      SELECT chain.depth + 1, r.account_id, r.id, r.previous_id, r.upstream, r.created_at, r.input, r.response
      FROM chain JOIN responses AS r ON r.account_id = chain.account_id AND r.id = chain.previous_id
      WHERE chain.depth < ${MAX_CHAIN}
    )
    SELECT ${columns} FROM chain ORDER BY depth DESC`);
  const item = connection.prepare(`
    SELECT item, upstream FROM response_items JOIN responses ON responses.account_id = response_items.account_id AND responses.id = response_id
    WHERE response_items.account_id = ? AND response_items.id = ?`);

  return {
    async save(record) {
      const items = outputOf(record.response).flatMap((output): [string, string][] =>
        typeof output.id === 'string' ? [[output.id, JSON.stringify(output)]] : [],
      );
      const [input, response] = [JSON.stringify(record.input), JSON.stringify(record.response)];
      await steps.run('saveResponse', { ...record, input, response, items });
    },
    find: async (accountId, id) => asRecord(one.get(accountId, id)),
    chain: async (accountId, id) => chained.all(accountId, id).flatMap((row) => asRecord(row) ?? []),
    findItem: async (accountId, id) => {
      const row = item.get(accountId, id);
      return row === undefined ? undefined : { item: parse(row.item) as Fields, upstream: String(row.upstream) };
    },
    remove: (accountId, id) => steps.run('removeResponse', { accountId, id }),
    async sweep(before) {
      let total = 0;
      for (;;) {
        const swept = await steps.run('sweepResponses', { before });
        total += swept;
        if (swept < SWEEP_AT_ONCE) return total;
      }
    },
  };
}

/** The output items of a response object. */
export function outputOf(response: Fields): readonly Fields[] {
  // Only responses that were read as such are stored: their output is a list of objects.
  return Array.isArray(response.output) ? (response.output as Fields[]) : [];
}

/** What is parsed was written above. */
const parse = (value: SQLOutputValue | undefined): unknown => JSON.parse(String(value));

function asRecord(row: Record<string, SQLOutputValue> | undefined): StoredResponse | undefined {
  if (row === undefined) return undefined;
  return {
    accountId: String(row.account_id),
    id: String(row.id),
    previousId: row.previous_id === null ? null : String(row.previous_id),
    upstream: String(row.upstream),
    createdAt: Number(row.created_at),
    input: parse(row.input) as Fields[],
    response: parse(row.response) as Fields,
  };
}

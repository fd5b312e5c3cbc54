/** The store of response runs: which process runs a response, and the events that it has produced, in the order in which they were written. */

import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { type Dialect, defineStore, type Plan, preparedLargeSql, preparedSql, sql } from '../store/plan.ts';
import { type Row, readNumber, readNumberOrNull, readText } from '../store/rows.ts';

/** Events repeat most of their bytes, so packing costs less than writing them. */
export const packFrames = (frames: Buffer): Uint8Array => (frames.length === 0 ? frames : brotliCompressSync(frames, FASTEST));
export const unpackFrames = (packed: Uint8Array): Buffer => (packed.length === 0 ? Buffer.alloc(0) : brotliDecompressSync(packed));
const FASTEST = { params: { [constants.BROTLI_PARAM_QUALITY]: 0 } };

export interface RunKey {
  readonly accountId: string;
  readonly responseId: string;
}

/** Events that are written together. A block is the output of one step of the stream: one or more frames. */
export interface EventBatch {
  /** The number of blocks before this batch. */
  readonly firstBlock: number;
  readonly blocks: number;
  /** Complete frames, packed by `packFrames`. Empty if the batch only starts or ends the run. */
  readonly packed: Uint8Array;
}

export interface RunWrite extends RunKey, EventBatch {
  /** The process that runs the response. */
  readonly node: string;
  /** Milliseconds since 1970 if the run has ended. Null while it continues. */
  readonly endedAt: number | null;
}

export interface RunState {
  /** Milliseconds since 1970. Null while it runs. */
  readonly endedAt: number | null;
}

interface RunEvents extends RunState {
  /** The events from a block on, as many as fit into one read. */
  readonly batches: readonly EventBatch[];
}

export interface RunStore {
  /** Begins the run if it's new, adds events, and may end it. Returns false if the run has ended, or belongs to another process. */
  write(write: RunWrite): Promise<boolean>;
  /** Writes several runs in one transaction. */
  writeAll(writes: readonly RunWrite[]): Promise<void>;
  find(key: RunKey): Promise<RunState | undefined>;
  /** Undefined if the run is unknown, or its events were deleted. */
  readEvents(key: RunKey, fromBlock: number): Promise<RunEvents | undefined>;
  /** Asks the process of the run to cancel it. Returns false if it has ended. */
  cancel(key: RunKey, at: number): Promise<boolean>;
  /** Lists the runs of this process that another one was asked to cancel. */
  listCancelled(node: string): Promise<readonly RunKey[]>;
  /** Takes over runs of processes that are gone: those without a heartbeat, or all others if this process is the only one. */
  claimOrphans(node: string, isAlone: boolean): Promise<readonly RunKey[]>;
  remove(key: RunKey): Promise<void>;
  /** Deletes one batch of runs that ended before this time, in milliseconds since 1970. Returns the number deleted. */
  sweep(endedBefore: number): Promise<number>;
}

/** Batches in one read. */
const MAX_READ_BATCHES = 16;
/** The most runs of dead processes that one step claims. */
const MAX_CLAIMED_RUNS = 100;

const OF_ONE_RUN = 'WHERE account_id = ?1 AND response_id = ?2';
/** A process that was taken for dead must not write into a run that another one has ended. */
const UPSERT_RUN = `
  INSERT INTO response_runs (account_id, response_id, node, ended_at) VALUES (?1, ?2, ?3, ?4)
  ON CONFLICT (account_id, response_id) DO UPDATE SET ended_at = excluded.ended_at
    WHERE response_runs.node = excluded.node AND response_runs.ended_at IS NULL
  RETURNING account_id, response_id`;
const EVENT_COLUMNS = 'account_id, response_id, first_block, blocks, bytes, frames';
const INSERT_EVENTS = `INSERT INTO response_events (${EVENT_COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6)`;
/** One statement, because a run may write several times a second. */
const WRITE_SHARED = `
  WITH run AS (${UPSERT_RUN}),
  added AS (
    INSERT INTO response_events (${EVENT_COLUMNS})
    SELECT account_id, response_id, CAST(?5 AS BIGINT), CAST(?6 AS BIGINT), CAST(?7 AS BIGINT), ?8 FROM run WHERE CAST(?7 AS BIGINT) > 0
  )
  SELECT account_id FROM run`;
const FIND_RUN = `SELECT ended_at FROM response_runs ${OF_ONE_RUN}`;
const READ_EVENTS = `
  SELECT first_block, blocks, frames FROM response_events ${OF_ONE_RUN} AND first_block >= ?3 ORDER BY first_block LIMIT ${MAX_READ_BATCHES}`;
const buildClaimSql = ({ lockFree }: Dialect, isAlone: boolean): string => `
  UPDATE response_runs SET node = ?1 WHERE (account_id, response_id) IN (
    SELECT account_id, response_id FROM response_runs
    WHERE ended_at IS NULL AND node <> ?1 ${isAlone ? '' : 'AND node NOT IN (SELECT id FROM nodes)'} LIMIT ${MAX_CLAIMED_RUNS} ${lockFree}
  ) RETURNING account_id, response_id`;
const buildSweepSql = ({ lockFree, maxSweptRows }: Dialect): string => `
  DELETE FROM response_runs WHERE (account_id, response_id) IN (
    SELECT account_id, response_id FROM response_runs WHERE ended_at < ?1 LIMIT ${maxSweptRows} ${lockFree}
  ) RETURNING 1`;

export const runStoreDefinition = defineStore<RunStore>(
  'runs',
  {
    reads: ['find', 'readEvents', 'listCancelled'],
    noTransaction: ['write', 'cancel', 'claimOrphans', 'remove', 'sweep'],
  },
  (db) => ({
    write: (write) => planWrite(db, write),
    writeAll: function* (writes) {
      for (const write of writes) yield* planWrite(db, write);
    },
    find: function* ({ accountId, responseId }) {
      return (yield preparedSql('find_run', FIND_RUN, accountId, responseId)).map(toRunState)[0];
    },
    readEvents: function* ({ accountId, responseId }, fromBlock) {
      // The state first: a run that has ended has all its events.
      const [run] = yield preparedSql('find_run', FIND_RUN, accountId, responseId);
      const rows = run ? yield preparedLargeSql('read_events', READ_EVENTS, accountId, responseId, fromBlock) : [];
      return run && { ...toRunState(run), batches: rows.map(toBatch) };
    },
    cancel: function* ({ accountId, responseId }, at) {
      const cancelSql = `UPDATE response_runs SET cancelled_at = ?3 ${OF_ONE_RUN} AND ended_at IS NULL RETURNING 1`;
      return (yield sql(cancelSql, accountId, responseId, at)).length > 0;
    },
    listCancelled: function* (node) {
      return (yield sql(
        'SELECT account_id, response_id FROM response_runs WHERE node = ?1 AND ended_at IS NULL AND cancelled_at IS NOT NULL',
        node,
      )).map(toKey);
    },
    claimOrphans: function* (node, isAlone) {
      return (yield sql(buildClaimSql(db, isAlone), node)).map(toKey);
    },
    remove: function* ({ accountId, responseId }) {
      yield sql(`DELETE FROM response_runs ${OF_ONE_RUN}`, accountId, responseId);
    },
    sweep: function* (endedBefore) {
      return (yield sql(buildSweepSql(db), endedBefore)).length;
    },
  }),
);

function* planWrite(db: Dialect, { accountId, responseId, node, endedAt, firstBlock, blocks, packed }: RunWrite): Plan<boolean> {
  const run = [accountId, responseId, node, endedAt] as const;
  const events = [firstBlock, blocks, packed.length, packed] as const;
  if (db.isShared) return (yield preparedLargeSql('write_run', WRITE_SHARED, ...run, ...events)).length > 0;
  const isOwn = (yield sql(UPSERT_RUN, ...run)).length > 0;
  if (isOwn && packed.length > 0) yield sql(INSERT_EVENTS, accountId, responseId, ...events);
  return isOwn;
}

const toKey = (row: Row): RunKey => ({ accountId: readText(row.account_id), responseId: readText(row.response_id) });

const toRunState = (row: Row): RunState => ({ endedAt: readNumberOrNull(row.ended_at) });

const toBatch = ({ first_block, blocks, frames }: Row): EventBatch => {
  if (!(frames instanceof Uint8Array)) throw new TypeError('a column of bytes holds no bytes');
  return { firstBlock: readNumber(first_block), blocks: readNumber(blocks), packed: frames };
};

/** The store of responses: its interface, and the SQL that walks a chain of responses. */
import type { StoredPart, StoredResponse } from './stored-response.ts';

/** A turn of a chain, as JSON text. */
export interface StoredTurn {
  readonly id: string;
  readonly upstream: string;
  readonly input: string;
  /** The list of output items. Null if only `response` contains it, as in responses stored by older versions. */
  readonly output: string | null;
  readonly response: string | null;
}

/** The length of a chain, up to the oldest measured link. */
export interface ChainExtent {
  readonly links: number;
  /** The stored size of the chain's items. */
  readonly bytes: number;
  /** The response before the oldest measured link. Null at the start of the conversation. */
  readonly previousId: string | null;
}

/** An output item as JSON text, and the upstream that created it. */
export interface StoredOutput {
  readonly item: string;
  readonly upstream: string;
}

/** The item locations of one turn. Null if an older version stored the turn. */
export interface ShapedTurn {
  readonly id: string;
  readonly shape: string | null;
}

/** A byte range of the stored input (`input`), or of the stored response, which contains the output (`output`). */
export interface StoredSlice {
  readonly responseId: string;
  readonly part: StoredPart;
  readonly start: number;
  readonly end: number;
}

/** A request that reads stored responses. */
export interface HistoryReader {
  readonly accountId: string;
  /** Reserves memory for stored bytes before they're read, and throws if the memory is exhausted. Null if memory isn't counted. */
  readonly share: { acquireStored(bytes: number): void } | null;
}

export interface HistoryStore {
  /**
   * Resolves once the response is on disk. A caller who then reads the terminal event can continue from this response, even after a
   * crash.
   */
  save(record: StoredResponse): Promise<void>;
  find(accountId: string, id: string): Promise<StoredResponse | undefined>;
  /** Reads only the upstream's name. */
  findUpstream(accountId: string, id: string): Promise<string | undefined>;
  /** The JSON text of the response, as bytes. */
  findResponseJson(accountId: string, id: string): Promise<Buffer | undefined>;
  /** Follows the chain back from a response to its start, or until it exceeds `maxBytes`. Undefined if the account has no such response. */
  measureChain(accountId: string, id: string, maxBytes: number): Promise<ChainExtent | undefined>;
  /** Returns the response and all responses before it, oldest first. Empty if the account has no such response. */
  listChain(accountId: string, id: string): Promise<readonly StoredTurn[]>;
  /** Returns the same chain without texts. */
  listShapes(accountId: string, id: string): Promise<readonly ShapedTurn[]>;
  /** Undefined if the response was deleted. */
  readSlice(accountId: string, slice: StoredSlice): Promise<Buffer | undefined>;
  /** Returns the sizes of output items stored for the account, by ID. Omits unknown IDs. */
  measureItems(accountId: string, ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  findItems(accountId: string, ids: readonly string[]): Promise<ReadonlyMap<string, StoredOutput>>;
  /** Returns the total stored bytes of the account. */
  countStoredBytes(accountId: string): Promise<number>;
  /** Returns false if the response doesn't exist. */
  remove(accountId: string, id: string): Promise<boolean>;
  /** Deletes one batch of responses created before this time, in seconds since 1970. Returns the number deleted, 0 if none are left. */
  sweep(createdBefore: number): Promise<number>;
}

/** The longest supported chain. A longer one is rejected. */
export const MAX_CHAIN = 10_000;

/** Selects the ID of every link of a chain, without texts. The parameters are the account and the newest response. */
export const CHAIN_CTE = `
  WITH RECURSIVE chain (depth, account_id, id, previous_id) AS (
    SELECT 0, account_id, id, previous_id FROM responses WHERE account_id = ?1 AND id = ?2
    UNION ALL
    SELECT chain.depth + 1, r.account_id, r.id, r.previous_id
    FROM chain JOIN responses AS r ON r.account_id = chain.account_id AND r.id = chain.previous_id
    WHERE chain.depth < ${MAX_CHAIN}
  )`;

/** Reads no text, because both engines store the length of a text alongside it. */
export const RESPONSE_BYTES_SQL = 'octet_length(r.input) + coalesce(o.output_bytes, octet_length(r.response))';

export const OUTLINE_JOIN = 'LEFT JOIN response_outlines AS o ON o.account_id = r.account_id AND o.response_id = r.id';

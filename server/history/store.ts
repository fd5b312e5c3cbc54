/** The store of responses: read whole, in chains, and item by item. */
import type { Fields } from '../../contract/rule.ts';

/** A response as the caller received it, and the new input of its request. Items are in the wire format of responses. */
export interface StoredResponse {
  readonly id: string;
  readonly accountId: string;
  readonly previousId: string | null;
  /** Name of the upstream that answered: only this upstream can read its encrypted reasoning. */
  readonly upstream: string;
  /** Seconds since 1970. */
  readonly createdAt: number;
  readonly input: readonly Fields[];
  readonly response: Fields;
}

/** A turn of a chain, as JSON texts. */
export interface StoredTurn {
  readonly id: string;
  readonly upstream: string;
  readonly input: string;
  /** The list of output items; null when only `response` holds it, as older versions stored it. */
  readonly output: string | null;
  readonly response: string | null;
}

/** The length of a chain, as far back as it was measured. */
export interface Extent {
  readonly links: number;
  /** The stored size of its items. */
  readonly bytes: number;
  /** The response before the oldest measured link; null at the beginning of the conversation. */
  readonly previousId: string | null;
}

/** An output item as JSON text, and the upstream that made it. */
export interface StoredOutput {
  readonly item: string;
  readonly upstream: string;
}

/** The places of the items of one turn; null when an older version stored the turn. */
export interface ShapedTurn {
  readonly id: string;
  readonly shape: string | null;
}

export type Part = 'input' | 'output';

/** A range of bytes of the stored input (`input`), or of the stored response, which holds the output (`output`). */
export interface Slice {
  readonly responseId: string;
  readonly part: Part;
  readonly start: number;
  readonly end: number;
}

/** A request that reads stored responses. */
export interface Reader {
  readonly accountId: string;
  /** Counts stored bytes before they are read, and throws when there is no room for them; null when they are not counted. */
  readonly share: { takeStored(bytes: number): void } | null;
}

export interface HistoryStore {
  /** On disk when it resolves: a caller who then reads the terminal event can continue from this response, even after a crash. */
  save(record: StoredResponse): Promise<void>;
  find(accountId: string, id: string): Promise<StoredResponse | undefined>;
  /** Reads only the name of the upstream. */
  upstreamOf(accountId: string, id: string): Promise<string | undefined>;
  /** The JSON text of the response, as bytes. */
  response(accountId: string, id: string): Promise<Buffer | undefined>;
  /** Follows the chain back from a response to its beginning, or until it exceeds `mostBytes`; undefined when the account has no such response. */
  measure(accountId: string, id: string, mostBytes: number): Promise<Extent | undefined>;
  /** The response and all before it, oldest first; empty when the account has no such response. */
  chain(accountId: string, id: string): Promise<readonly StoredTurn[]>;
  /** The same chain without its texts. */
  shapes(accountId: string, id: string): Promise<readonly ShapedTurn[]>;
  /** Undefined when the response was deleted. */
  slice(accountId: string, slice: Slice): Promise<Buffer | undefined>;
  /** Sizes of output items of the account's stored responses, by id; unknown ids are left out. */
  measureItems(accountId: string, ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  findItems(accountId: string, ids: readonly string[]): Promise<ReadonlyMap<string, StoredOutput>>;
  /** How much the account stores. */
  keptBytes(accountId: string): Promise<number>;
  /** False when there was no such response. */
  remove(accountId: string, id: string): Promise<boolean>;
  /** Deletes some of the responses created before this time, in seconds since 1970; returns how many, 0 when there are no more. */
  sweep(before: number): Promise<number>;
}

/** Longest chain that is followed; a longer one is refused. */
export const MAX_CHAIN = 10_000;

/** What was said, as stores keep it: whole, in chains, and item by item (stored by default, chained from by id). */
import type { Fields } from '../../contract/rule.ts';

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

/** A turn of a chain in its texts. */
export interface StoredTurn {
  readonly id: string;
  readonly upstream: string;
  readonly input: string;
  /** The list of output items; null where only `response` has it, as an older program wrote it. */
  readonly output: string | null;
  readonly response: string | null;
}

/** How far a chain goes back, as far as it was measured. */
export interface Extent {
  readonly links: number;
  /** Of its items, as they are stored. */
  readonly bytes: number;
  /** What the last link goes on from: null at the beginning of the conversation. */
  readonly previousId: string | null;
}

/** An output item in its text, and the upstream that made it. */
export interface StoredOutput {
  readonly item: string;
  readonly upstream: string;
}

/** Where the items of one turn stand; null as an older program wrote it. */
export interface ShapedTurn {
  readonly id: string;
  readonly shape: string | null;
}

export type Part = 'input' | 'output';

/** Bytes of the input of a response, or of the whole of it, in which its output stands. */
export interface Slice {
  readonly responseId: string;
  readonly part: Part;
  readonly start: number;
  readonly end: number;
}

/** A request that reads what is stored. */
export interface Reader {
  readonly accountId: string;
  /** Hears of stored bytes before they are read, and throws where there is no room for them; null where nobody counts. */
  readonly share: { takeStored(bytes: number): void } | null;
}

export interface HistoryStore {
  /** On disk when it resolves: a caller who then reads the terminal event can go on from it, also after a crash. */
  save(record: StoredResponse): Promise<void>;
  find(accountId: string, id: string): Promise<StoredResponse | undefined>;
  /** Nothing but that. */
  upstreamOf(accountId: string, id: string): Promise<string | undefined>;
  /** As it was answered: its text, in bytes. */
  response(accountId: string, id: string): Promise<Buffer | undefined>;
  /** Goes back from a response until there is nothing more, or more than so many bytes; undefined where there is none for this account. */
  measure(accountId: string, id: string, mostBytes: number): Promise<Extent | undefined>;
  /** The response and all before it, oldest first; empty where there is none for this account. */
  chain(accountId: string, id: string): Promise<readonly StoredTurn[]>;
  /** The same without what was said. */
  shapes(accountId: string, id: string): Promise<readonly ShapedTurn[]>;
  /** Undefined where the response is gone. */
  slice(accountId: string, slice: Slice): Promise<Buffer | undefined>;
  /** Bytes of output items of any stored response of the account, by their ids; without those that are unknown. */
  measureItems(accountId: string, ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  findItems(accountId: string, ids: readonly string[]): Promise<ReadonlyMap<string, StoredOutput>>;
  /** What the account keeps. */
  keptBytes(accountId: string): Promise<number>;
  /** False where there was none. */
  remove(accountId: string, id: string): Promise<boolean>;
  /** Deletes what was made before this time, in seconds since 1970; returns how many. */
  sweep(before: number): Promise<number>;
}

/** Longest chain that is followed; a longer one is refused. */
export const MAX_CHAIN = 10_000;

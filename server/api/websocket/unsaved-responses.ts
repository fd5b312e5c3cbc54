/** Keeps the conversations of responses with `store: false` in memory, so that a later turn on the same connection can continue them. */

/** The bytes that all connections of a process keep. */
export class UnsavedBytes {
  readonly max: number;
  used = 0;

  constructor(max: number) {
    this.max = max;
  }
}

export interface Conversation {
  /** The stored response that the items continue. Null at the start of a conversation. */
  readonly storedId: string | null;
  /** The input and output items, as JSON without the list's brackets. */
  readonly items: string;
  /** The lane that the response was created on. */
  readonly lane: string;
}

/** The conversations of one connection. The oldest are dropped first. */
export class UnsavedResponses {
  readonly #maxBytes: number;
  readonly #process: UnsavedBytes;
  readonly #byId = new Map<string, Conversation>();
  #bytes = 0;
  #isClosed = false;

  constructor(maxBytes: number, process: UnsavedBytes) {
    this.#maxBytes = maxBytes;
    this.#process = process;
  }

  find(id: string): Conversation | undefined {
    return this.#byId.get(id);
  }

  keep(id: string, conversation: Conversation): void {
    if (this.#isClosed) return;
    this.drop(id);
    this.#byId.set(id, conversation);
    this.#count(conversation.items.length);
    for (const oldest of this.#byId.keys()) {
      if (this.#bytes <= this.#maxBytes && this.#process.used <= this.#process.max) return;
      this.drop(oldest);
    }
  }

  drop(id: string): void {
    const conversation = this.#byId.get(id);
    if (!conversation) return;
    this.#byId.delete(id);
    this.#count(-conversation.items.length);
  }

  /** Drops all conversations, and stores no further turns. */
  close(): void {
    this.#isClosed = true;
    this.#byId.clear();
    this.#count(-this.#bytes);
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    this.#process.used += bytes;
  }
}

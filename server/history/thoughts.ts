/**
 * Keeps the encrypted reasoning of chat responses that call tools. Chat has no field for it, but a model that is served over responses needs it when the
 * results come back: it is kept for a day by the IDs of the calls, which the caller sends with the results (decision 0004).
 */
import type { Thought } from '../dialects/turn/translation.ts';
import type { TurnEvent } from '../dialects/turn/turn.ts';
import type { HistoryStore, Recording } from './recorder.ts';

/** The reasoning before each call, by the ID of the call. */
export type ThoughtsByCall = ReadonlyMap<string, readonly Thought[]>;

interface Kept {
  readonly accountId: string;
  /** The only one that can read it. */
  readonly upstream: string;
}

export interface ThoughtStore {
  /** What this upstream has made for the calls. Empty if the store fails: the call works without it. */
  find(kept: Kept, callIds: readonly string[]): Promise<ThoughtsByCall>;
  /** On disk when it resolves, unless the store fails or the account may store no more: then it is lost. Never rejects. */
  keep(kept: Kept, thoughts: ThoughtsByCall): Promise<void>;
}

interface Bounds {
  readonly days: number;
}

const DAY_SECONDS = 86_400;

/** `checkQuota` rejects when the account can't store so many bytes. */
export function openThoughts(
  store: Pick<HistoryStore, 'save' | 'findItems'>,
  { newId, bounds, checkQuota }: { newId(): string; bounds(): Bounds; checkQuota(accountId: string, bytes: number): Promise<void> },
): ThoughtStore {
  return {
    async find({ accountId, upstream }, callIds) {
      if (callIds.length === 0) return new Map();
      const found = await store.findItems(accountId, callIds.map(itemIdOf)).catch(() => NOTHING);
      return new Map(
        callIds.flatMap((callId) => {
          const kept = found.get(itemIdOf(callId));
          return kept?.upstream === upstream ? [[callId, readItem(kept.item)] as const] : [];
        }),
      );
    },
    async keep({ accountId, upstream }, thoughts) {
      const output = [...thoughts].map(([callId, kept]) => ({ id: itemIdOf(callId), type: 'reasoning', thoughts: kept }));
      // The sweep of stored responses deletes it with those that were made so many days ago.
      const createdAt = Math.floor(Date.now() / 1000) - (bounds().days - 1) * DAY_SECONDS;
      const record = { id: newId(), accountId, previousId: null, upstream, createdAt, input: [], response: { output } };
      await checkQuota(accountId, JSON.stringify(output).length)
        .then(() => store.save(record))
        .catch(() => undefined);
    },
  };
}

const NOTHING: ReadonlyMap<string, { readonly item: string; readonly upstream: string }> = new Map();

/** No item of an upstream has such an ID. */
const itemIdOf = (callId: string): string => `thoughts:${callId}`;

/** `keep` wrote this JSON. */
const readItem = (item: string): readonly Thought[] => (JSON.parse(item) as { readonly thoughts: readonly Thought[] }).thoughts;

/** Gathers the reasoning of one response, as its events come. */
export class ThoughtsOfAnswer {
  readonly #byCall = new Map<string, readonly Thought[]>();
  #paragraphs: string[] = [];
  #part: number | null = null;
  #waiting: Thought[] = [];

  see(event: TurnEvent): void {
    if (event.kind === 'reasoning') this.#add(event.part, event.text);
    else if (event.kind === 'encrypted') this.#close(event.encrypted);
    else if (event.kind === 'call' && this.#waiting.length > 0) {
      this.#byCall.set(event.callId, this.#waiting);
      this.#waiting = [];
    }
  }

  get byCall(): ThoughtsByCall {
    return this.#byCall;
  }

  #add(part: number, text: string): void {
    if (part === this.#part) this.#paragraphs[this.#paragraphs.length - 1] += text;
    else this.#paragraphs.push(text);
    this.#part = part;
  }

  #close(encrypted: string): void {
    this.#waiting.push({ summary: this.#paragraphs, encrypted });
    this.#paragraphs = [];
    this.#part = null;
  }
}

/** The reasoning that was kept from earlier responses of a chat, and the recording of this response. */
export interface KeptThoughts {
  readonly before: ThoughtsByCall;
  see(event: TurnEvent): void;
  /** Changes nothing of the response; it is saved before the end of the response is sent. */
  readonly recording: Recording;
}

export async function openKeptThoughts(store: ThoughtStore, kept: Kept, callIds: readonly string[]): Promise<KeptThoughts> {
  const before = await store.find(kept, callIds);
  const answer = new ThoughtsOfAnswer();
  const saved = async (): Promise<void> => {
    if (answer.byCall.size > 0) await store.keep(kept, answer.byCall);
  };
  return { before, see: (event) => answer.see(event), recording: { echo: {}, save: null, note: null, saved } };
}

/**
 * Turns whose client lost its connection. They go on for some seconds: a client that sends the same request again gets the events of the first one, and
 * doesn't pay twice.
 */

import { createHash } from 'node:crypto';
import { type Fields, isFields } from '../../primitives/fields.ts';
import type { TurnStream } from './turn-stream.ts';

/** How long a turn waits for its client to come back. Codex reconnects within a second. */
const WAIT_MS = 10_000;

/** What a turn was asked, without what differs between two attempts. */
export interface TurnRequest {
  readonly keyId: string;
  readonly fields: Fields;
  /** The items of the whole conversation, as JSON without the brackets of the list. */
  readonly items: string;
}

interface AbandonedTurn {
  readonly fingerprint: string;
  readonly stream: TurnStream;
  readonly timer: NodeJS.Timeout;
}

export class AbandonedTurns {
  readonly #byKey = new Map<string, AbandonedTurn[]>();

  /** Keeps the turn running until its client comes back, or the time is over. */
  add(request: TurnRequest, stream: TurnStream): void {
    stream.abandon();
    const { keyId } = request;
    const timer = setTimeout(() => {
      this.#remove(keyId, turn);
      stream.abort();
    }, WAIT_MS).unref();
    const turn: AbandonedTurn = { fingerprint: computeFingerprint(request), stream, timer };
    this.#byKey.set(keyId, [...(this.#byKey.get(keyId) ?? []), turn]);
  }

  /** Returns the abandoned turn of an equal request. */
  take(request: TurnRequest): TurnStream | undefined {
    const turns = this.#byKey.get(request.keyId);
    if (!turns) return undefined;
    const fingerprint = computeFingerprint(request);
    const turn = turns.find((each) => each.fingerprint === fingerprint && each.stream.isWhole);
    if (!turn) return undefined;
    clearTimeout(turn.timer);
    this.#remove(request.keyId, turn);
    return turn.stream;
  }

  /** Ends all turns. */
  close(): void {
    for (const turns of this.#byKey.values()) {
      for (const { timer, stream } of turns) {
        clearTimeout(timer);
        stream.abort();
      }
    }
    this.#byKey.clear();
  }

  #remove(keyId: string, turn: AbandonedTurn): void {
    const others = (this.#byKey.get(keyId) ?? []).filter((each) => each !== turn);
    if (others.length === 0) this.#byKey.delete(keyId);
    else this.#byKey.set(keyId, others);
  }
}

/** What a client repeats differently: a continuation becomes the whole conversation, whose items it writes in its own way. */
const IGNORED_FIELDS = new Set(['input', 'previous_response_id', 'client_metadata']);
const IGNORED_ITEM_FIELDS = new Set(['id', 'status', 'annotations', 'logprobs']);

function computeFingerprint({ fields, items }: TurnRequest): string {
  const settings = Object.fromEntries(Object.entries(fields).filter(([name]) => !IGNORED_FIELDS.has(name)));
  const conversation = (JSON.parse(`[${items}]`) as readonly unknown[]).map(normalize);
  return createHash('sha256')
    .update(JSON.stringify([sortFields(settings), conversation]))
    .digest('base64url');
}

const TEXT_TYPE = /^(?:input|output)_text$/;

/** Writes equal items equally: sorted fields, without those that only a response has, and texts as parts. */
function normalize(item: unknown): unknown {
  if (Array.isArray(item)) return item.map(normalize);
  if (!isFields(item)) return item;
  const entries = Object.entries(item).flatMap(([name, value]): [string, unknown][] => {
    const isEmpty = value === null || value === undefined || (Array.isArray(value) && value.length === 0);
    if (isEmpty || IGNORED_ITEM_FIELDS.has(name)) return [];
    if (name === 'content' && typeof value === 'string') return [[name, [{ text: value, type: 'text' }]]];
    if (name === 'type' && typeof value === 'string' && TEXT_TYPE.test(value)) return [[name, 'text']];
    // The default.
    if (name === 'type' && value === 'message') return [];
    return [[name, normalize(value)]];
  });
  return sortFields(Object.fromEntries(entries));
}

const sortFields = (fields: Fields): Fields => Object.fromEntries(Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1)));

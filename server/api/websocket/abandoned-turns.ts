/**
 * Turns whose client lost its connection. They continue for some seconds: a client that repeats the request gets the events of the first turn, and pays
 * only once.
 */

import { createHash } from 'node:crypto';
import { type Fields, isFields } from '../../primitives/fields.ts';
import type { TurnStream } from './turn-stream.ts';

/** How long a turn waits for its client to reconnect. Codex reconnects within a second. */
const WAIT_MS = 10_000;

/** The request of a turn, without the parts that differ between two attempts. */
export interface TurnRequest {
  readonly keyId: string;
  readonly fields: Fields;
  /** The items of the complete conversation, as JSON without the list's brackets. */
  readonly items: string;
}

interface AbandonedTurn {
  readonly fingerprint: string;
  readonly stream: TurnStream;
  readonly timer: NodeJS.Timeout;
}

export class AbandonedTurns {
  readonly #byKey = new Map<string, AbandonedTurn[]>();

  /** Keeps the turn running until its client reconnects or the time is over. */
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

  /** Returns the abandoned turn of an equal request, if any. */
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

/** Removes differences that clients introduce in a retry: instead of continuing, they send the complete conversation, with their own spelling of its items. */
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

/** Writes equal items equally: sorts fields, drops fields that only responses have, and writes texts as parts. */
function normalize(item: unknown): unknown {
  if (Array.isArray(item)) return item.map(normalize);
  if (!isFields(item)) return item;
  const entries = Object.entries(item).flatMap(([name, value]): [string, unknown][] => {
    const isEmpty = value === null || value === undefined || (Array.isArray(value) && value.length === 0);
    if (isEmpty || IGNORED_ITEM_FIELDS.has(name)) return [];
    if (name === 'content' && typeof value === 'string') return [[name, [{ text: value, type: 'text' }]]];
    if (name === 'type' && typeof value === 'string' && TEXT_TYPE.test(value)) return [[name, 'text']];
    // The default value.
    if (name === 'type' && value === 'message') return [];
    return [[name, normalize(value)]];
  });
  return sortFields(Object.fromEntries(entries));
}

const sortFields = (fields: Fields): Fields => Object.fromEntries(Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1)));

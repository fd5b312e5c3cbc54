/**
 * Keeps the fields of a chat response that its provider needs back in the next turn: Gemini's signatures and OpenRouter's reasoning details. The
 * Responses API has no fields for them, so its callers get them sealed in a reasoning item.
 */
import { type Fields, isFields, isSet } from '../../primitives/fields.ts';
import type { CanonicalEvent } from '../canonical/canonical-events.ts';
import type { ReasoningItem } from '../canonical/canonical-request.ts';
import { getReasoningProvider, packReasoning, unpackReasoning } from '../canonical/packed-reasoning.ts';
import type { WorkBudget } from '../canonical/work-budget.ts';
import { isText } from './normalize-completion.ts';

/** Gemini puts its signatures into this field of calls and messages. */
const SIGNED_FIELD = 'extra_content';
const DETAILS_FIELD = 'reasoning_details';

/** Signed fields per tool call, and for the message itself. */
interface SealedFields {
  readonly calls: readonly (readonly [callId: string, fields: Fields])[];
  readonly message: Fields;
}

/** The signed field of a call or message. Null if it contains no signature. */
export function readSigned(object: Fields): Fields | null {
  const extra = object[SIGNED_FIELD];
  const isSigned = isFields(extra) && isFields(extra.google) && isText(extra.google.thought_signature);
  return isSigned ? { [SIGNED_FIELD]: extra } : null;
}

/** The field that grows during a stream, per detail type. Encrypted details arrive complete. */
const growingFields: ReadonlyMap<unknown, string> = new Map([
  ['reasoning.text', 'text'],
  ['reasoning.summary', 'summary'],
]);

const toText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Merges the piece into the last detail. Null if the piece starts a new detail. */
function mergeDetail(last: Fields | undefined, piece: Fields): Fields | null {
  const field = growingFields.get(piece.type);
  if (last === undefined || field === undefined || last.type !== piece.type || last.index !== piece.index) return null;
  const setFields = Object.entries(piece).filter(([, value]) => isSet(value));
  return { ...last, ...Object.fromEntries(setFields), [field]: toText(last[field]) + toText(piece[field]) };
}

/** Collects the fields of a message from its pieces. */
export class MessageFields {
  readonly #details: Fields[] = [];
  #signed: Fields = {};

  collect(delta: Fields): void {
    this.#signed = readSigned(delta) ?? this.#signed;
    const pieces = delta[DETAILS_FIELD];
    if (!Array.isArray(pieces)) return;
    for (const [at, piece] of pieces.filter(isFields).entries()) this.#add(piece, at === 0);
  }

  /** The reasoning event that seals the fields of the message and its calls. Empty if there are none. */
  seal(calls: SealedFields['calls'], upstream: string): CanonicalEvent[] {
    const message = { ...this.#signed, ...(this.#details.length > 0 && { [DETAILS_FIELD]: this.#details }) };
    if (calls.length === 0 && Object.keys(message).length === 0) return [];
    return [
      { kind: 'encrypted', encrypted: packReasoning(getReasoningProvider('chat', upstream), { calls, message } satisfies SealedFields) },
    ];
  }

  /** Only the first detail of a chunk can continue the previous chunk. */
  #add(piece: Fields, isFirst: boolean): void {
    const mergedDetail = isFirst ? mergeDetail(this.#details.at(-1), piece) : null;
    if (mergedDetail === null) this.#details.push(piece);
    else this.#details[this.#details.length - 1] = mergedDetail;
  }
}

const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The fields in a reasoning item. Null if another upstream created it. A caller can forge it, so only these fields get into a message. */
export function unsealFields({ encrypted, path }: ReasoningItem, upstream: string, work: WorkBudget): SealedFields | null {
  const value = encrypted === null ? null : unpackReasoning(getReasoningProvider('chat', upstream), encrypted, work.forField(path));
  if (!isFields(value) || !isFields(value.message)) return null;
  const details = value.message[DETAILS_FIELD];
  const calls = toList(value.calls).flatMap((entry) => {
    const [callId, fields] = toList(entry);
    const signed = typeof callId === 'string' && isFields(fields) ? readSigned(fields) : null;
    return signed === null ? [] : [[String(callId), signed] as const];
  });
  return { calls, message: { ...readSigned(value.message), ...(Array.isArray(details) && { [DETAILS_FIELD]: details }) } };
}

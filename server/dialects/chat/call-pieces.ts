/** Joins the pieces of tool calls in a chat stream, also when an upstream sends the id or the name late, twice or never. */
import { hash } from 'node:crypto';
import { type Fields, isFields } from '../../../contract/rule.ts';
import type { TurnEvent } from '../turn/turn.ts';
import { InputDecoder } from './custom-input.ts';
import type { ChatToolNames } from './write-tools.ts';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
/** Some vendors send the arguments as an object. */
const argumentsOf = (value: unknown): string => (isFields(value) ? JSON.stringify(value) : textOf(value));

/** One call; it is opened when its name is known. */
interface Slot {
  id: string;
  /** Its index among the answer's calls; null while the name is not known. */
  index: number | null;
  readonly isCustom: boolean;
  decoder: InputDecoder | null;
  held: string;
  isEmpty: boolean;
}

interface CallContext {
  readonly names: ChatToolNames;
  /** Ids of earlier calls in the conversation: a vendor that counts from 0 in every answer repeats them. */
  readonly taken: ReadonlySet<string>;
}

export class CallPieces {
  readonly #names: ChatToolNames;
  readonly #taken: Set<string>;
  readonly #earlier: number;
  readonly #slots: Slot[] = [];
  /** The current call of each index in the stream. */
  readonly #current = new Map<number, Slot>();
  #opened = 0;

  constructor({ names, taken }: CallContext) {
    this.#names = names;
    this.#taken = new Set(taken);
    this.#earlier = taken.size;
  }

  get count(): number {
    return this.#opened;
  }

  take(delta: Fields, answerId: string): TurnEvent[] {
    const body = isFields(delta.function) ? delta.function : isFields(delta.custom) ? delta.custom : {};
    const name = textOf(body.name);
    const slot = this.#slotOf(delta, name);
    slot.id ||= textOf(delta.id);
    slot.held += argumentsOf(body.arguments ?? body.input);
    const opening = slot.index === null && name !== '' ? [this.#open(slot, name, answerId)] : [];
    return [...opening, ...drain(slot)];
  }

  /** The last events of the calls; null when a call never got its name. */
  close(isCut: boolean): TurnEvent[] | null {
    if (!isCut && this.#slots.some((slot) => slot.index === null)) return null;
    return this.#slots.flatMap((slot) => finish(slot, isCut));
  }

  /** Some vendors give every call the index 0: another id marks another call. */
  #slotOf(delta: Fields, name: string): Slot {
    const index = typeof delta.index === 'number' ? delta.index : this.#guessIndex(delta, name);
    const known = this.#current.get(index);
    const id = textOf(delta.id);
    const isAnother = known !== undefined && name !== '' && id !== '' && known.id !== '' && known.id !== id;
    if (known && !isAnother) return known;
    const slot: Slot = { id, index: null, isCustom: isFields(delta.custom), decoder: null, held: '', isEmpty: true };
    this.#slots.push(slot);
    this.#current.set(index, slot);
    return slot;
  }

  /** Without an index, a known id continues its call, another name begins a call, and any other piece continues the last one. */
  #guessIndex(delta: Fields, name: string): number {
    const id = textOf(delta.id);
    const same = id === '' ? undefined : [...this.#current].find(([, slot]) => slot.id === id);
    if (same) return same[0];
    const last = Math.max(-1, ...this.#current.keys());
    return name === '' && last >= 0 ? last : last + 1;
  }

  #open(slot: Slot, wireName: string, answerId: string): TurnEvent {
    const { form, name, namespace } = slot.isCustom
      ? { ...this.#names.read(wireName), form: 'custom' as const }
      : this.#names.read(wireName);
    slot.index = this.#opened++;
    if (form === 'custom' && !slot.isCustom) slot.decoder = new InputDecoder();
    return { kind: 'call', index: slot.index, form, callId: this.#callId(slot, answerId), name, namespace };
  }

  /** A generated id depends on the answer's id and the number of earlier calls: it is the same on every reading and new in every turn. */
  #callId({ id, index }: Slot, answerId: string): string {
    const made = () => `call_${hash('sha256', JSON.stringify([answerId, this.#earlier, index]), 'hex').slice(0, 24)}`;
    const callId = id === '' || this.#taken.has(id) ? made() : id;
    this.#taken.add(callId);
    return callId;
  }
}

function drain(slot: Slot): TurnEvent[] {
  if (slot.index === null || slot.held === '') return [];
  const text = slot.decoder ? slot.decoder.push(slot.held) : slot.held;
  slot.held = '';
  slot.isEmpty = false;
  return text === '' ? [] : [{ kind: 'arguments', index: slot.index, text }];
}

/** A function without arguments gets `{}`, since clients parse them; a call that was cut gets nothing. */
function finish({ index, decoder, isEmpty, isCustom }: Slot, isCut: boolean): TurnEvent[] {
  if (index === null) return [];
  const rest = decoder ? decoder.end() : isEmpty && !isCustom && !isCut ? '{}' : '';
  return rest === '' ? [] : [{ kind: 'arguments', index, text: rest }];
}

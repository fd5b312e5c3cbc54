/**
 * Joins the pieces of tool calls in a chat stream, also when an upstream sends the id or the name late, twice or never. Pieces of several calls
 * may interleave there; here a call waits until the one before it is over, since callers of the responses protocol read one item at a time.
 */
import { hash } from 'node:crypto';
import { type Fields, isFields } from '../../../contract/rule.ts';
import type { TurnEvent } from '../turn/turn.ts';
import { InputDecoder } from './custom-input.ts';
import { JsonEnd } from './json-end.ts';
import type { ChatToolNames } from './write-tools.ts';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
/** Some vendors send the arguments as an object. */
const argumentsOf = (value: unknown): string => (isFields(value) ? JSON.stringify(value) : textOf(value));

/** One call; it is opened when its name is known and the call before it is over. */
interface Slot {
  id: string;
  name: string;
  /** Its index among the answer's calls; null while it is not open. */
  index: number | null;
  decoder: InputDecoder | null;
  held: string;
  /** Null for free text, which has no end of its own. */
  readonly end: JsonEnd | null;
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
  /** The first call that may not be over. */
  #first = 0;

  constructor({ names, taken }: CallContext) {
    this.#names = names;
    this.#taken = new Set(taken);
    this.#earlier = taken.size;
  }

  get count(): number {
    return this.#opened;
  }

  /** Whether a call is missing some of its arguments: what comes beside it has to wait. */
  get isOpen(): boolean {
    const slot = this.#slots[this.#first];
    return slot !== undefined && !isOver(slot);
  }

  take(delta: Fields, answerId: string): TurnEvent[] {
    const body = isFields(delta.function) ? delta.function : isFields(delta.custom) ? delta.custom : {};
    const name = textOf(body.name);
    const slot = this.#slotOf(delta, name);
    slot.id ||= textOf(delta.id);
    slot.name ||= name;
    const text = argumentsOf(body.arguments ?? body.input);
    // White space behind complete arguments says nothing, and their call may be closed.
    if (!slot.end?.isWhole || text.trim() !== '') slot.held += text;
    slot.end?.push(text);
    return [...this.#advance(answerId), ...drain(slot)];
  }

  /** The last events of the calls; null when a call never got its name. */
  close(isCut: boolean, answerId: string): TurnEvent[] | null {
    if (!isCut && this.#slots.some(({ name }) => name === '')) return null;
    return this.#slots.slice(this.#first).flatMap((slot) => [...this.#open(slot, answerId), ...drain(slot), ...finish(slot, isCut)]);
  }

  /** Opens the calls whose turn has come. The last one stays open: more of it may come. */
  #advance(answerId: string): TurnEvent[] {
    const told: TurnEvent[] = [];
    for (let slot = this.#slots[this.#first]; slot; slot = this.#slots[++this.#first]) {
      told.push(...this.#open(slot, answerId), ...drain(slot));
      if (this.#first + 1 === this.#slots.length || !isOver(slot)) break;
      told.push(...finish(slot, false));
    }
    return told;
  }

  /** Some vendors give every call the index 0: another id marks another call. */
  #slotOf(delta: Fields, name: string): Slot {
    const index = typeof delta.index === 'number' ? delta.index : this.#guessIndex(delta, name);
    const known = this.#current.get(index);
    const id = textOf(delta.id);
    const isAnother = known !== undefined && name !== '' && id !== '' && known.id !== '' && known.id !== id;
    if (known && !isAnother) return known;
    const end = isFields(delta.custom) ? null : new JsonEnd();
    const slot: Slot = { id, name: '', index: null, decoder: null, held: '', end, isEmpty: true };
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

  #open(slot: Slot, answerId: string): TurnEvent[] {
    if (slot.index !== null || slot.name === '') return [];
    const read = this.#names.read(slot.name);
    const form = slot.end === null ? 'custom' : read.form;
    slot.index = this.#opened++;
    if (form === 'custom' && slot.end !== null) slot.decoder = new InputDecoder();
    return [{ kind: 'call', index: slot.index, form, callId: this.#callId(slot, answerId), name: read.name, namespace: read.namespace }];
  }

  /** A generated id depends on the answer's id and the number of earlier calls: it is the same on every reading and new in every turn. */
  #callId({ id, index }: Slot, answerId: string): string {
    const made = () => `call_${hash('sha256', JSON.stringify([answerId, this.#earlier, index]), 'hex').slice(0, 24)}`;
    const callId = id === '' || this.#taken.has(id) ? made() : id;
    this.#taken.add(callId);
    return callId;
  }
}

/** Whether another call may follow; it also ends free text. */
const isOver = ({ index, end }: Slot): boolean => index !== null && (end === null || end.isWhole);

function drain(slot: Slot): TurnEvent[] {
  if (slot.index === null || slot.held === '') return [];
  const text = slot.decoder ? slot.decoder.push(slot.held) : slot.held;
  slot.held = '';
  slot.isEmpty = false;
  return text === '' ? [] : [{ kind: 'arguments', index: slot.index, text }];
}

/** A function without arguments gets `{}`, since clients parse them; a call that was cut gets nothing. */
function finish({ index, decoder, isEmpty, end }: Slot, isCut: boolean): TurnEvent[] {
  if (index === null) return [];
  const rest = decoder ? decoder.end() : isEmpty && end !== null && !isCut ? '{}' : '';
  return rest === '' ? [] : [{ kind: 'arguments', index, text: rest }];
}

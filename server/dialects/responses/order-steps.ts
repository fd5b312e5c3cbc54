/** Walks a stream along its legal order, step by step: the writer may take no other step, and the check tells of one. */
import {
  ANY_OUTPUT,
  BEFORE_STREAM,
  type Follows,
  ITEM_ADDED,
  ITEM_DONE,
  itemOrder,
  KEEPALIVE,
  partStep,
  streamOrder,
  terminalEvents,
} from '../../../contract/response-order.ts';
import { type Fields, isFields } from '../../../contract/rule.ts';

interface ItemSteps {
  /** Null for items of hosted tools, whose events are the vendor's own. */
  readonly follows: Follows | null;
  step: string;
}

const terminal = new Set<string>(terminalEvents);

/** The step of an event: its type, and behind it the type of the part that it is about. */
export const stepOf = (event: Fields): string =>
  isFields(event.part) ? partStep(String(event.type), String(event.part.type)) : String(event.type);

export const isTerminal = (type: string): boolean => terminal.has(type);

function followsOf(item: unknown): Follows | null {
  const type = isFields(item) ? item.type : undefined;
  // Just looked up to be one of its own keys.
  return typeof type === 'string' && Object.hasOwn(itemOrder, type) ? itemOrder[type as keyof typeof itemOrder] : null;
}

export class OrderSteps {
  #step: string = BEFORE_STREAM;
  readonly #items: ItemSteps[] = [];
  /** The type of the last event that was in order. */
  last: string = BEFORE_STREAM;

  get isOver(): boolean {
    return terminal.has(this.#step);
  }

  /** What is wrong with the next event; null where it may follow. A wrong one is not a step. */
  take(event: Fields): string | null {
    const type = String(event.type);
    if (type === KEEPALIVE) return this.#step === BEFORE_STREAM || this.isOver ? this.#misplaced(type) : null;
    const isOutput = type === ITEM_ADDED || event.output_index !== undefined;
    const step = isOutput ? ANY_OUTPUT : type;
    if (!streamOrder[this.#step]?.includes(step)) return this.#misplaced(type);
    const wrong = isOutput ? this.#takeOutput(event, type) : this.#atEnd(type);
    if (wrong !== null) return wrong;
    this.#step = step;
    this.last = type;
    return null;
  }

  #misplaced(type: string): string {
    return `${type} may not follow ${this.last}`;
  }

  #takeOutput(event: Fields, type: string): string | null {
    if (type === ITEM_ADDED) return this.#addItem(event);
    const index = Number(event.output_index);
    const item = this.#items[index];
    if (!item) return `${type} before the item ${String(event.output_index)} was added`;
    const step = stepOf(event);
    if (item.step === ITEM_DONE) return `${step} after the item ${index} was done`;
    if (item.follows && !item.follows[item.step]?.includes(step)) return `${step} may not follow ${item.step} in the item ${index}`;
    item.step = step;
    return null;
  }

  #addItem({ output_index, item }: Fields): string | null {
    const expected = this.#items.length;
    if (output_index !== expected) return `output_index is ${String(output_index)}, not ${expected}`;
    const wrong = this.#whileOpen(ITEM_ADDED);
    if (wrong !== null) return wrong;
    this.#items.push({ follows: followsOf(item), step: ITEM_ADDED });
    return null;
  }

  #atEnd(type: string): string | null {
    return terminal.has(type) && type !== 'response.failed' ? this.#whileOpen(type) : null;
  }

  /** Only the last item can be open. A failure may leave it so; every other end has closed it. */
  #whileOpen(type: string): string | null {
    const last = this.#items.at(-1);
    const isOpen = last !== undefined && last.step !== ITEM_DONE;
    return isOpen ? `${type} while the item ${this.#items.length - 1} is open` : null;
  }
}

/** Checks what the events of one output item say: right item, right place, and an end that repeats what came before. */
import { type ContentOrder, contentOrder, ITEM_DONE, partStep } from '../../../contract/response-order.ts';
import { type Fields, isFields } from '../../../contract/rule.ts';
import { stepOf } from './order-steps.ts';

export interface CheckedItem {
  readonly index: number;
  readonly added: Fields;
  /** How many pieces of content were opened, by the name of their counter. */
  readonly counts: Map<string, number>;
  text: string;
  annotations: number;
  done: Fields | null;
}

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

interface Meaning {
  readonly content: ContentOrder;
  readonly role: 'opens' | 'delta' | 'marks' | 'done' | 'closes';
}

const roles = ['opens', 'delta', 'marks', 'done', 'closes'] as const;

/** What each step is to its content. */
const meanings = new Map<string, Meaning>(
  Object.entries<ContentOrder>(contentOrder).flatMap(([kind, content]) =>
    roles.flatMap((role): [string, Meaning][] => {
      const type = content[role];
      if (type === null) return [];
      return [[role === 'opens' || role === 'closes' ? partStep(type, kind) : type, { content, role }]];
    }),
  ),
);

export function openCheckedItem(event: Fields): CheckedItem {
  return { index: Number(event.output_index), added: fieldsOf(event.item), counts: new Map(), text: '', annotations: 0, done: null };
}

/** What is wrong with an event about this item that comes in its right order; null where nothing is. */
export function seeItem(item: CheckedItem, event: Fields): string | null {
  const step = stepOf(event);
  return step === ITEM_DONE ? seeDone(item, fieldsOf(event.item)) : seeContent(item, event, meanings.get(step));
}

function seeContent(item: CheckedItem, event: Fields, meaning: Meaning | undefined): string | null {
  if (event.item_id !== item.added.id) return `item_id ${String(event.item_id)} is not the id of the item ${item.index}`;
  if (!meaning) return null;
  return wrongPlace(item, event, meaning) ?? seeText(item, event, meaning);
}

function wrongPlace({ counts, index }: CheckedItem, event: Fields, { content: { counter }, role }: Meaning): string | null {
  if (counter === null) return null;
  const opened = (counts.get(counter) ?? 0) + (role === 'opens' ? 1 : 0);
  counts.set(counter, opened);
  return event[counter] === opened - 1 ? null : `${counter} is ${String(event[counter])}, not ${opened - 1}, in the item ${index}`;
}

function seeText(item: CheckedItem, event: Fields, { content: { field }, role }: Meaning): string | null {
  switch (role) {
    case 'opens':
      item.text = '';
      item.annotations = 0;
      return fieldsOf(event.part)[field] === '' ? null : `a part of the item ${item.index} opens with text in it`;
    case 'delta':
      item.text += String(event.delta);
      return null;
    case 'marks':
      return event.annotation_index === item.annotations++ ? null : `a gap in the annotation_index of the item ${item.index}`;
    default:
      return (role === 'done' ? event : fieldsOf(event.part))[field] === item.text
        ? null
        : `the end of a text in the item ${item.index} is not what its deltas were`;
  }
}

const lasting = ['id', 'type', 'call_id', 'name', 'namespace'];

function seeDone(item: CheckedItem, done: Fields): string | null {
  item.done = done;
  const changed = lasting.find((field) => done[field] !== item.added[field]);
  if (changed !== undefined) return `the item ${item.index} changed its ${changed} between added and done`;
  return done.status === 'in_progress' ? `the item ${item.index} is done and still in progress` : null;
}

/** The output of a response as it grows: which item is open, and what has to close before another may begin. */

import type { ResponseStreamEvent } from '../../../contract/responses/events.ts';
import { contentOrder, ITEM_ADDED, ITEM_DONE, type OrderedItem } from '../../../contract/responses/order.ts';
import type { Response, ResponseRequest } from '../../../contract/responses.ts';
import type { EventFields, EventOf, Exact } from '../../../contract/shared/exact.ts';
import type { FinishReason, Logprob, TurnEvent } from '../turn/turn.ts';

type CallEvent = Extract<TurnEvent, { kind: 'call' }>;

export interface OutputOptions {
  readonly emit: Emit;
  readonly newId: (prefix: string) => string;
  /** Whether the caller asked for encrypted reasoning. */
  readonly showsEncrypted: boolean;
}

export class Output {
  readonly #options: OutputOptions;
  readonly #items: OpenItem[] = [];
  /** The open item: clients hold one at a time, so another one begins only when it has closed. */
  #current: OpenItem | null = null;
  /** The index of the open call. */
  #call = -1;
  /** The current paragraph of the open reasoning item. */
  #paragraph = 0;
  readonly #calls = new Set<number>();

  constructor(options: OutputOptions) {
    this.#options = options;
  }

  /** The output as the response shows it; `isOver` where nothing more will come. */
  show(isOver: boolean): Item[] {
    return this.#items.map((item) => showItem(item, isOver));
  }

  tellText(text: string, logprobs: readonly Logprob[]): void {
    if (text === '' && logprobs.length === 0) return;
    fillText(this.#openText(), { text, logprobs }, this.#options.emit);
  }

  tellAnnotation(annotation: TextAnnotation): void {
    annotateText(this.#openText(), annotation, this.#options.emit);
  }

  tellRefusal(text: string): void {
    if (text === '') return;
    const item = this.#itemOf('message');
    const last = item.contents.at(-1);
    fillContent(last?.kind === 'refusal' ? last : this.#openContent(item, openRefusal), text, this.#options.emit);
  }

  tellThought(text: string, paragraph: number): void {
    if (text === '') return;
    fillContent(this.#openParagraph(paragraph), text, this.#options.emit);
  }

  setEncrypted(encrypted: string): void {
    const item = this.#itemOf('reasoning');
    if (this.#options.showsEncrypted) item.encrypted = encrypted;
    this.#closeCurrent();
  }

  /** False for a call that was opened before. */
  openCall({ index, form, callId, name, namespace }: CallEvent): boolean {
    if (this.#calls.has(index)) return false;
    this.#closeCurrent();
    this.#calls.add(index);
    this.#call = index;
    this.#current = this.#openItem({
      kind: form === 'custom' ? 'custom_tool_call' : 'function_call',
      call: { callId, name, namespace },
    });
    return true;
  }

  /** False for a call that isn't open. */
  fillCall(index: number, text: string): boolean {
    const content = this.#current?.contents[0];
    if (this.#call !== index || (content?.kind !== 'arguments' && content?.kind !== 'input')) return false;
    if (text !== '') fillContent(content, text, this.#options.emit);
    return true;
  }

  /** Closes what is open at the end of the response. */
  close(reason: FinishReason): void {
    // Clients expect a message in a completed response, so a response without output gets an empty one.
    if (reason === 'stop' && this.#items.every(({ kind }) => kind === 'reasoning')) this.#openText();
    const isCut = reason === 'length' || reason === 'content_filter';
    if (this.#current) closeItem(this.#current, isCut ? 'incomplete' : 'completed', this.#options.emit);
    this.#current = null;
  }

  #closeCurrent(): void {
    if (this.#current) closeItem(this.#current, isBroken(this.#current) ? 'incomplete' : 'completed', this.#options.emit);
    this.#current = null;
  }

  /** The open item where it is of this kind, else a new one in its place. */
  #itemOf(kind: 'message' | 'reasoning'): OpenItem {
    if (this.#current?.kind === kind) return this.#current;
    this.#closeCurrent();
    this.#current = this.#openItem({ kind, call: null });
    return this.#current;
  }

  /** The text that is open, else a new one in its place. */
  #openText(): TextContent {
    const item = this.#itemOf('message');
    const last = item.contents.at(-1);
    return last?.kind === 'output_text' ? last : this.#openContent(item, openText);
  }

  #openParagraph(paragraph: number): SummaryContent {
    const isNew = this.#current?.kind !== 'reasoning' || this.#paragraph !== paragraph;
    this.#paragraph = paragraph;
    const item = this.#itemOf('reasoning');
    const last = item.contents.at(-1);
    return !isNew && last?.kind === 'summary_text' ? last : this.#openContent(item, openSummary);
  }

  #openContent<Opened extends Content>(item: OpenItem, open: (place: ContentPlace, emit: Emit) => Opened): Opened {
    const last = item.contents.at(-1);
    if (last) closeContent(last, this.#options.emit);
    const content = open(placeIn(item), this.#options.emit);
    item.contents.push(content);
    return content;
  }

  #openItem(about: ItemKind): OpenItem {
    const id = this.#options.newId(idPrefix[about.kind]);
    const item = openItem({ ...about, id, index: this.#items.length }, this.#options.emit);
    this.#items.push(item);
    return item;
  }
}

/** Whether a function call lacks a part of its arguments, which a client must not run; free text can't be checked. */
function isBroken(item: OpenItem): boolean {
  const content = item.contents[0];
  if (content?.kind !== 'arguments') return false;
  try {
    JSON.parse(content.text);
    return false;
  } catch {
    return true;
  }
}

/** Emits one event; the writer of the stream numbers it. */
export type Emit = <Type extends EventType>(type: Type, fields: Telling<Type>) => void;

export interface ContentPlace {
  readonly itemId: string;
  readonly outputIndex: number;
  /** Its index among the content of its item. */
  readonly index: number;
}

/** The fields that every event about the content repeats. */
interface ItemPlace {
  readonly item_id: string;
  readonly output_index: number;
}
type PartPlace = ItemPlace & { readonly content_index: number };
type SummaryPlace = ItemPlace & { readonly summary_index: number };

interface ContentOf<Kind, Place> {
  readonly kind: Kind;
  readonly place: Place;
  text: string;
}
export interface TextContent extends ContentOf<'output_text', PartPlace> {
  readonly annotations: TextAnnotation[];
  readonly logprobs: TokenLogprob[];
}
export type RefusalContent = ContentOf<'refusal', PartPlace>;
export type SummaryContent = ContentOf<'summary_text', SummaryPlace>;
export type CallContent = ContentOf<'arguments', ItemPlace> | ContentOf<'input', ItemPlace>;
export type Content = TextContent | RefusalContent | SummaryContent | CallContent;

const itemPlace = ({ itemId, outputIndex }: ContentPlace): ItemPlace => ({ item_id: itemId, output_index: outputIndex });
const partPlace = (place: ContentPlace): PartPlace => ({ ...itemPlace(place), content_index: place.index });

export function openText(place: ContentPlace, emit: Emit): TextContent {
  const content: TextContent = { kind: 'output_text', place: partPlace(place), text: '', annotations: [], logprobs: [] };
  emit(contentOrder.output_text.opens, { ...content.place, part: writeText(content) });
  return content;
}

export function openRefusal(place: ContentPlace, emit: Emit): RefusalContent {
  const content: RefusalContent = { kind: 'refusal', place: partPlace(place), text: '' };
  emit(contentOrder.refusal.opens, { ...content.place, part: writeRefusal(content) });
  return content;
}

export function openSummary(place: ContentPlace, emit: Emit): SummaryContent {
  const content: SummaryContent = { kind: 'summary_text', place: { ...itemPlace(place), summary_index: place.index }, text: '' };
  emit(contentOrder.summary_text.opens, { ...content.place, part: writeSummary(content) });
  return content;
}

/** The arguments or input of a call: no event opens or closes them but those of the item. */
export const openCall = (kind: CallContent['kind'], place: ContentPlace): CallContent => ({ kind, place: itemPlace(place), text: '' });

export function fillContent(content: Exclude<Content, TextContent>, delta: string, emit: Emit): void {
  content.text += delta;
  switch (content.kind) {
    case 'refusal':
      emit(contentOrder.refusal.delta, { ...content.place, delta });
      break;
    case 'summary_text':
      emit(contentOrder.summary_text.delta, { ...content.place, delta });
      break;
    case 'arguments':
      emit(contentOrder.arguments.delta, { ...content.place, delta });
      break;
    case 'input':
      emit(contentOrder.input.delta, { ...content.place, delta });
      break;
  }
}

/** Adds text, with the log probabilities of its tokens. */
export function fillText(content: TextContent, piece: { readonly text: string; readonly logprobs: readonly Logprob[] }, emit: Emit): void {
  const logprobs = piece.logprobs.map(writeLogprob);
  content.text += piece.text;
  content.logprobs.push(...logprobs);
  emit(contentOrder.output_text.delta, { ...content.place, delta: piece.text, logprobs });
}

export function annotateText(content: TextContent, annotation: TextAnnotation, emit: Emit): void {
  const annotation_index = content.annotations.push(annotation) - 1;
  emit(contentOrder.output_text.marks, { ...content.place, annotation_index, annotation });
}

/** `name`: the function's name, when the content is its arguments. */
export function closeContent(content: Content, emit: Emit, name?: string): void {
  const { place, text } = content;
  switch (content.kind) {
    case 'output_text':
      emit(contentOrder.output_text.done, { ...content.place, text, logprobs: [...content.logprobs] });
      emit(contentOrder.output_text.closes, { ...content.place, part: writeText(content) });
      break;
    case 'refusal':
      emit(contentOrder.refusal.done, { ...content.place, refusal: text });
      emit(contentOrder.refusal.closes, { ...content.place, part: writeRefusal(content) });
      break;
    case 'summary_text':
      emit(contentOrder.summary_text.done, { ...content.place, text });
      emit(contentOrder.summary_text.closes, { ...content.place, part: writeSummary(content) });
      break;
    case 'arguments':
      emit(contentOrder.arguments.done, { ...place, ...(name !== undefined && { name }), arguments: text });
      break;
    case 'input':
      emit(contentOrder.input.done, { ...place, input: text });
      break;
  }
}

/** The parts of a message; content of other items is omitted. */
export function writeParts(contents: readonly Content[]): MessagePart[] {
  return contents.flatMap((content) => {
    if (content.kind === 'output_text') return [writeText(content)];
    return content.kind === 'refusal' ? [writeRefusal(content)] : [];
  });
}

/** The summary parts of a reasoning item. */
export const writeSummaries = (contents: readonly Content[]): Summary[] =>
  contents.flatMap((content) => (content.kind === 'summary_text' ? [writeSummary(content)] : []));

/** Copies the lists, so that an event that was emitted doesn't change. */
function writeText({ text, annotations, logprobs }: TextContent): MessagePart {
  return { type: 'output_text', text, annotations: [...annotations], logprobs: [...logprobs] };
}
const writeRefusal = ({ text }: RefusalContent): MessagePart => ({ type: 'refusal', refusal: text });
const writeSummary = ({ text }: SummaryContent): Summary => ({ type: 'summary_text', text });

function writeLogprob({ token, logprob, bytes, top }: Logprob): TokenLogprob {
  const top_logprobs = top.map((other) => ({ token: other.token, logprob: other.logprob, bytes: other.bytes ?? [] }));
  return { token, logprob, bytes: bytes ?? [], top_logprobs };
}

type Status = 'in_progress' | 'completed' | 'incomplete';

/** The call's ID and tool, the same in `added` and `done`. */
export interface CallNames {
  readonly callId: string;
  readonly name: string;
  readonly namespace: string | null;
}

/** Fields that an item needs when it opens. */
export type ItemKind =
  | { readonly kind: 'message' | 'reasoning'; readonly call: null }
  | { readonly kind: 'function_call' | 'custom_tool_call'; readonly call: CallNames };

export type OpenItem = ItemKind & ItemState;

interface ItemState {
  readonly id: string;
  readonly index: number;
  readonly contents: Content[];
  /** Encrypted reasoning; null if the output has none or the caller didn't request it. */
  encrypted: string | null;
  status: Status;
}

export const idPrefix: Readonly<Record<OrderedItem, string>> = {
  message: 'msg',
  reasoning: 'rs',
  function_call: 'fc',
  custom_tool_call: 'ctc',
};

export function openItem(about: ItemKind & Pick<ItemState, 'id' | 'index'>, emit: Emit): OpenItem {
  const item: OpenItem = { ...about, contents: [], encrypted: null, status: 'in_progress' };
  emit(ITEM_ADDED, { output_index: item.index, item: showItem(item) });
  if (item.kind === 'function_call') item.contents.push(openCall('arguments', placeIn(item)));
  if (item.kind === 'custom_tool_call') item.contents.push(openCall('input', placeIn(item)));
  return item;
}

export const placeIn = (item: OpenItem): ContentPlace => ({ itemId: item.id, outputIndex: item.index, index: item.contents.length });

/** A call without arguments gets `{}`, since clients parse them; a call that was cut stays as it is. */
export function closeItem(item: OpenItem, status: 'completed' | 'incomplete', emit: Emit): void {
  const open = item.contents.at(-1);
  if (open?.kind === 'arguments' && open.text === '' && status === 'completed') fillContent(open, '{}', emit);
  item.status = status;
  if (open) closeContent(open, emit, item.call?.name);
  emit(ITEM_DONE, { output_index: item.index, item: showItem(item) });
}

/** The item in its current state. `isOver`: an open item is shown as incomplete. */
export function showItem(item: OpenItem, isOver = false): Item {
  const status = isOver && item.status === 'in_progress' ? 'incomplete' : item.status;
  const { id } = item;
  switch (item.kind) {
    case 'message':
      return { id, type: item.kind, status, role: 'assistant', content: writeParts(item.contents) };
    case 'reasoning':
      return { id, type: item.kind, summary: writeSummaries(item.contents), ...writeEncrypted(item), ...cutMark(status) };
    case 'function_call':
      return { id, type: item.kind, status, ...writeNames(item.call), arguments: item.contents[0]?.text ?? '' };
    case 'custom_tool_call':
      return { id, type: item.kind, ...writeNames(item.call), input: item.contents[0]?.text ?? '', ...cutMark(status) };
  }
}

/** Reasoning and custom calls have no status in the protocol; it is written only for an item that was cut. */
const cutMark = (status: Status): { readonly status?: Status } => (status === 'incomplete' ? { status } : {});

/** Absent rather than null, since strict clients reject null. */
const writeEncrypted = ({ encrypted }: OpenItem): { readonly encrypted_content?: string } =>
  encrypted === null ? {} : { encrypted_content: encrypted };

function writeNames({ callId, name, namespace }: CallNames) {
  return { call_id: callId, name, ...(namespace !== null && { namespace }) };
}

export type ResponseObject = Exact<Response>;
export type Item = ResponseObject['output'][number];
export type MessagePart = Extract<Item, { readonly type: 'message' }>['content'][number];
export type TextPart = Extract<MessagePart, { readonly type: 'output_text' }>;
export type Summary = Extract<Item, { readonly type: 'reasoning' }>['summary'][number];
export type TextAnnotation = TextPart['annotations'][number];
export type TokenLogprob = NonNullable<TextPart['logprobs']>[number];

export type Event = Exact<ResponseStreamEvent>;
export type EventType = Event['type'];
export type EventOfType<Type extends EventType> = EventOf<ResponseStreamEvent, Type>;
/** An event without its `sequence_number`, which the stream adds. */
export type Unnumbered<One extends Event = Event> = One extends Event ? Omit<One, 'sequence_number'> : never;
/** The same by its type, and without that. */
export type Telling<Type extends EventType> = EventFields<ResponseStreamEvent, Type, 'sequence_number'>;

export type Tool = NonNullable<ResponseRequest['tools']>[number];

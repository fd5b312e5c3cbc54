/** Builds the output of a response event by event, and closes the open item or content before another starts. */

import { contentOrder, ITEM_ADDED, ITEM_DONE, type OrderedItem } from '../../../contract/responses/order.ts';
import type { CanonicalEvent, FinishReason, Logprob } from '../canonical/canonical-events.ts';
import type { EventPayload, EventType, Item, MessagePart, Summary, TextAnnotation, TokenLogprob } from './wire.ts';

type CallEvent = Extract<CanonicalEvent, { kind: 'call' }>;

interface OutputOptions {
  readonly emit: Emit;
  readonly newId: (prefix: string) => string;
  /** True if the caller requested encrypted reasoning. */
  readonly showsEncrypted: boolean;
}

export class Output {
  readonly #options: OutputOptions;
  readonly #items: OpenItem[] = [];
  /** The open item. Clients track one item at a time, so a new item opens only after this one closes. */
  #current: OpenItem | null = null;
  /** The index of the open call. */
  #call = -1;
  /** The current paragraph of the open reasoning item. */
  #paragraph = 0;
  readonly #calls = new Set<number>();

  constructor(options: OutputOptions) {
    this.#options = options;
  }

  /** The output items for the response. `hasEnded`: no more output follows. */
  toItems(hasEnded: boolean): Item[] {
    return this.#items.map((item) => toItem(item, hasEnded));
  }

  emitText(text: string, logprobs: readonly Logprob[]): void {
    if (text === '' && logprobs.length === 0) return;
    appendText(this.#openText(), { text, logprobs }, this.#options.emit);
  }

  emitAnnotation(annotation: TextAnnotation): void {
    annotateText(this.#openText(), annotation, this.#options.emit);
  }

  emitRefusal(text: string): void {
    if (text === '') return;
    const item = this.#getItem('message');
    const last = item.contents.at(-1);
    appendContent(last?.kind === 'refusal' ? last : this.#openContent(item, openRefusal), text, this.#options.emit);
  }

  emitReasoning(text: string, paragraph: number): void {
    if (text === '') return;
    appendContent(this.#openParagraph(paragraph), text, this.#options.emit);
  }

  setEncrypted(encrypted: string): void {
    const item = this.#getItem('reasoning');
    if (this.#options.showsEncrypted) item.encrypted = encrypted;
    this.#closeCurrent();
  }

  /** Adds a compacted conversation, which is complete from the start. */
  addCompaction(encrypted: string): void {
    this.#closeCurrent();
    const item = openItem({ kind: 'compaction', call: null, ...this.#createPosition('compaction') }, this.#options.emit, encrypted);
    this.#items.push(item);
    closeItem(item, 'completed', this.#options.emit);
  }

  /** False if the call was already opened. */
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

  /** False if the call isn't open. */
  appendArguments(index: number, text: string): boolean {
    const content = this.#current?.contents[0];
    if (this.#call !== index || (content?.kind !== 'arguments' && content?.kind !== 'input')) return false;
    if (text !== '') appendContent(content, text, this.#options.emit);
    return true;
  }

  /** Closes the open item at the end of the response. */
  close(reason: FinishReason): void {
    // Clients expect a message in a completed response, so a response without output gets an empty message.
    if (reason === 'stop' && this.#items.every(({ kind }) => kind === 'reasoning')) this.#openText();
    const isCutOff = reason === 'length' || reason === 'content_filter';
    if (this.#current) closeItem(this.#current, isCutOff ? 'incomplete' : 'completed', this.#options.emit);
    this.#current = null;
  }

  #closeCurrent(): void {
    if (this.#current) closeItem(this.#current, hasIncompleteArguments(this.#current) ? 'incomplete' : 'completed', this.#options.emit);
    this.#current = null;
  }

  /** Returns the open item if it has this kind. Otherwise opens a new item. */
  #getItem(kind: 'message' | 'reasoning'): OpenItem {
    if (this.#current?.kind === kind) return this.#current;
    this.#closeCurrent();
    this.#current = this.#openItem({ kind, call: null });
    return this.#current;
  }

  /** Returns the open text part, or opens a new one. */
  #openText(): TextContent {
    const item = this.#getItem('message');
    const last = item.contents.at(-1);
    return last?.kind === 'output_text' ? last : this.#openContent(item, openText);
  }

  #openParagraph(paragraph: number): SummaryContent {
    const isNew = this.#current?.kind !== 'reasoning' || this.#paragraph !== paragraph;
    this.#paragraph = paragraph;
    const item = this.#getItem('reasoning');
    const last = item.contents.at(-1);
    return !isNew && last?.kind === 'summary_text' ? last : this.#openContent(item, openSummary);
  }

  #openContent<Opened extends Content>(item: OpenItem, open: (position: ContentPosition, emit: Emit) => Opened): Opened {
    const last = item.contents.at(-1);
    if (last) closeContent(last, this.#options.emit);
    const content = open(getNextPosition(item), this.#options.emit);
    item.contents.push(content);
    return content;
  }

  #openItem(itemKind: ItemKind): OpenItem {
    const item = openItem({ ...itemKind, ...this.#createPosition(itemKind.kind) }, this.#options.emit);
    this.#items.push(item);
    return item;
  }

  #createPosition(kind: ItemKind['kind']): Pick<ItemState, 'id' | 'index'> {
    return { id: this.#options.newId(idPrefix[kind]), index: this.#items.length };
  }
}

/** True if a function call's arguments are incomplete, so that clients must not run it. Free text can't be checked. */
function hasIncompleteArguments(item: OpenItem): boolean {
  const content = item.contents[0];
  if (content?.kind !== 'arguments') return false;
  try {
    JSON.parse(content.text);
    return false;
  } catch {
    return true;
  }
}

/** Emits one event. The stream writer adds its sequence number. */
export type Emit = <Type extends EventType>(type: Type, fields: EventPayload<Type>) => void;

interface ContentPosition {
  readonly itemId: string;
  readonly outputIndex: number;
  /** The index among the item's content parts. */
  readonly index: number;
}

/** Fields that every event about the content repeats. */
interface ItemPosition {
  readonly item_id: string;
  readonly output_index: number;
}
type PartPosition = ItemPosition & { readonly content_index: number };
type SummaryPosition = ItemPosition & { readonly summary_index: number };

interface BaseContent<Kind, Place> {
  readonly kind: Kind;
  readonly place: Place;
  text: string;
}
interface TextContent extends BaseContent<'output_text', PartPosition> {
  readonly annotations: TextAnnotation[];
  readonly logprobs: TokenLogprob[];
}
type RefusalContent = BaseContent<'refusal', PartPosition>;
type SummaryContent = BaseContent<'summary_text', SummaryPosition>;
type CallContent = BaseContent<'arguments', ItemPosition> | BaseContent<'input', ItemPosition>;
export type Content = TextContent | RefusalContent | SummaryContent | CallContent;

const toItemPosition = ({ itemId, outputIndex }: ContentPosition): ItemPosition => ({ item_id: itemId, output_index: outputIndex });
const toPartPosition = (position: ContentPosition): PartPosition => ({ ...toItemPosition(position), content_index: position.index });

function openText(position: ContentPosition, emit: Emit): TextContent {
  const content: TextContent = { kind: 'output_text', place: toPartPosition(position), text: '', annotations: [], logprobs: [] };
  emit(contentOrder.output_text.opens, { ...content.place, part: writeText(content) });
  return content;
}

function openRefusal(position: ContentPosition, emit: Emit): RefusalContent {
  const content: RefusalContent = { kind: 'refusal', place: toPartPosition(position), text: '' };
  emit(contentOrder.refusal.opens, { ...content.place, part: writeRefusal(content) });
  return content;
}

function openSummary(position: ContentPosition, emit: Emit): SummaryContent {
  const content: SummaryContent = { kind: 'summary_text', place: { ...toItemPosition(position), summary_index: position.index }, text: '' };
  emit(contentOrder.summary_text.opens, { ...content.place, part: writeSummary(content) });
  return content;
}

/** The arguments or input of a call. Only the events of its item open and close it. */
export const openCall = (kind: CallContent['kind'], position: ContentPosition): CallContent => ({
  kind,
  place: toItemPosition(position),
  text: '',
});

function appendContent(content: Exclude<Content, TextContent>, delta: string, emit: Emit): void {
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

/** Adds text with the log probabilities of its tokens. */
function appendText(content: TextContent, piece: { readonly text: string; readonly logprobs: readonly Logprob[] }, emit: Emit): void {
  const logprobs = piece.logprobs.map(writeLogprob);
  content.text += piece.text;
  content.logprobs.push(...logprobs);
  emit(contentOrder.output_text.delta, { ...content.place, delta: piece.text, logprobs });
}

function annotateText(content: TextContent, annotation: TextAnnotation, emit: Emit): void {
  const annotation_index = content.annotations.push(annotation) - 1;
  emit(contentOrder.output_text.marks, { ...content.place, annotation_index, annotation });
}

/** `name` is the function's name if the content is its arguments. */
function closeContent(content: Content, emit: Emit, name?: string): void {
  const { place: position, text } = content;
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
      emit(contentOrder.arguments.done, { ...position, ...(name !== undefined && { name }), arguments: text });
      break;
    case 'input':
      emit(contentOrder.input.done, { ...position, input: text });
      break;
  }
}

/** The parts of a message. Omits content of other items. */
export function writeParts(contents: readonly Content[]): MessagePart[] {
  return contents.flatMap((content) => {
    if (content.kind === 'output_text') return [writeText(content)];
    return content.kind === 'refusal' ? [writeRefusal(content)] : [];
  });
}

/** The summary parts of a reasoning item. */
const writeSummaries = (contents: readonly Content[]): Summary[] =>
  contents.flatMap((content) => (content.kind === 'summary_text' ? [writeSummary(content)] : []));

/** Copies the lists, so that events that were already emitted don't change. */
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

/** The call's ID and tool, the same in the `added` and `done` events. */
interface CallNames {
  readonly callId: string;
  readonly name: string;
  readonly namespace: string | null;
}

/** Fields that an item needs when it opens. */
type ItemKind =
  | { readonly kind: 'message' | 'reasoning' | 'compaction'; readonly call: null }
  | { readonly kind: 'function_call' | 'custom_tool_call'; readonly call: CallNames };

type OpenItem = ItemKind & ItemState;

interface ItemState {
  readonly id: string;
  readonly index: number;
  readonly contents: Content[];
  /** Encrypted reasoning or conversation. Null if the output has none or the caller didn't request it. */
  encrypted: string | null;
  status: Status;
}

const idPrefix: Readonly<Record<OrderedItem | 'compaction', string>> = {
  message: 'msg',
  reasoning: 'rs',
  function_call: 'fc',
  custom_tool_call: 'ctc',
  compaction: 'cmp',
};

export function openItem(
  itemKind: ItemKind & Pick<ItemState, 'id' | 'index'>,
  emit: Emit,
  encrypted: ItemState['encrypted'] = null,
): OpenItem {
  const item: OpenItem = { ...itemKind, contents: [], encrypted, status: 'in_progress' };
  emit(ITEM_ADDED, { output_index: item.index, item: toItem(item) });
  if (item.kind === 'function_call') item.contents.push(openCall('arguments', getNextPosition(item)));
  if (item.kind === 'custom_tool_call') item.contents.push(openCall('input', getNextPosition(item)));
  return item;
}

const getNextPosition = (item: OpenItem): ContentPosition => ({
  itemId: item.id,
  outputIndex: item.index,
  index: item.contents.length,
});

/** A call without arguments gets `{}`, because clients parse the arguments. A call that was cut off stays unchanged. */
export function closeItem(item: OpenItem, status: 'completed' | 'incomplete', emit: Emit): void {
  const lastContent = item.contents.at(-1);
  if (lastContent?.kind === 'arguments' && lastContent.text === '' && status === 'completed') appendContent(lastContent, '{}', emit);
  item.status = status;
  if (lastContent) closeContent(lastContent, emit, item.call?.name);
  emit(ITEM_DONE, { output_index: item.index, item: toItem(item) });
}

/** Converts the item to its wire form. `hasEnded`: the response has ended, so an open item is `incomplete`. */
export function toItem(item: OpenItem, hasEnded = false): Item {
  const status = hasEnded && item.status === 'in_progress' ? 'incomplete' : item.status;
  const { id } = item;
  switch (item.kind) {
    case 'message':
      return { id, type: item.kind, status, role: 'assistant', content: writeParts(item.contents) };
    case 'reasoning':
      return { id, type: item.kind, summary: writeSummaries(item.contents), ...writeEncrypted(item), ...toStatusField(status) };
    case 'compaction':
      return { id, type: item.kind, ...writeEncrypted(item) };
    case 'function_call':
      return { id, type: item.kind, status, ...writeNames(item.call), arguments: item.contents[0]?.text ?? '' };
    case 'custom_tool_call':
      return { id, type: item.kind, ...writeNames(item.call), input: item.contents[0]?.text ?? '', ...toStatusField(status) };
  }
}

/** Reasoning and custom calls have no status in the protocol. It's set only for an incomplete item. */
const toStatusField = (status: Status): { readonly status?: Status } => (status === 'incomplete' ? { status } : {});

/** Omitted instead of null, because strict clients reject null. */
const writeEncrypted = ({ encrypted }: OpenItem): { readonly encrypted_content?: string } =>
  encrypted === null ? {} : { encrypted_content: encrypted };

function writeNames({ callId, name, namespace }: CallNames) {
  return { call_id: callId, name, ...(namespace !== null && { namespace }) };
}

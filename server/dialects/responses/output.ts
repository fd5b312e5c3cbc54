/** The output of a response as it grows: which item is open, and what has to close before another may begin. */
import type { FinishReason, Logprob, TurnEvent } from '../turn/turn.ts';
import {
  annotateText,
  type Content,
  type ContentPlace,
  closeContent,
  fillContent,
  fillText,
  openRefusal,
  openSummary,
  openText,
  type SummaryContent,
  type Tell,
  type TextContent,
} from './content.ts';
import { closeItem, type ItemKind, idPrefix, type OpenItem, openItem, placeIn, showItem } from './item.ts';
import type { Item, TextAnnotation } from './wire.ts';

type CallEvent = Extract<TurnEvent, { kind: 'call' }>;

export interface OutputOptions {
  readonly tell: Tell;
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
    fillText(this.#openText(), { text, logprobs }, this.#options.tell);
  }

  tellAnnotation(annotation: TextAnnotation): void {
    annotateText(this.#openText(), annotation, this.#options.tell);
  }

  tellRefusal(text: string): void {
    if (text === '') return;
    const item = this.#itemOf('message');
    const last = item.contents.at(-1);
    fillContent(last?.kind === 'refusal' ? last : this.#openContent(item, openRefusal), text, this.#options.tell);
  }

  tellThought(text: string, paragraph: number): void {
    if (text === '') return;
    fillContent(this.#openParagraph(paragraph), text, this.#options.tell);
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

  /** False for a call that is not open. */
  fillCall(index: number, text: string): boolean {
    const content = this.#current?.contents[0];
    if (this.#call !== index || (content?.kind !== 'arguments' && content?.kind !== 'input')) return false;
    if (text !== '') fillContent(content, text, this.#options.tell);
    return true;
  }

  /** Closes what is open at the end of the answer. */
  close(reason: FinishReason): void {
    // Clients expect a message in a completed response, so an answer without output gets an empty one.
    if (reason === 'stop' && this.#items.every(({ kind }) => kind === 'reasoning')) this.#openText();
    const isCut = reason === 'length' || reason === 'content_filter';
    if (this.#current) closeItem(this.#current, isCut ? 'incomplete' : 'completed', this.#options.tell);
    this.#current = null;
  }

  #closeCurrent(): void {
    if (this.#current) closeItem(this.#current, isBroken(this.#current) ? 'incomplete' : 'completed', this.#options.tell);
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

  #openContent<Opened extends Content>(item: OpenItem, open: (place: ContentPlace, tell: Tell) => Opened): Opened {
    const last = item.contents.at(-1);
    if (last) closeContent(last, this.#options.tell);
    const content = open(placeIn(item), this.#options.tell);
    item.contents.push(content);
    return content;
  }

  #openItem(about: ItemKind): OpenItem {
    const id = this.#options.newId(idPrefix[about.kind]);
    const item = openItem({ ...about, id, index: this.#items.length }, this.#options.tell);
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

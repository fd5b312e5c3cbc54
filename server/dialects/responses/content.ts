/** Writes the events of one piece of content: it opens, deltas fill it, it closes. The contract holds the names and types of the events. */
import { contentOrder } from '../../../contract/response-order.ts';
import type { Logprob } from '../turn/turn.ts';
import type { EventType, MessagePart, Summary, Telling, TextAnnotation, TokenLogprob } from './wire.ts';

/** Emits one event; the writer of the stream numbers it. */
export type Tell = <Type extends EventType>(type: Type, fields: Telling<Type>) => void;

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

export function openText(place: ContentPlace, tell: Tell): TextContent {
  const content: TextContent = { kind: 'output_text', place: partPlace(place), text: '', annotations: [], logprobs: [] };
  tell(contentOrder.output_text.opens, { ...content.place, part: writeText(content) });
  return content;
}

export function openRefusal(place: ContentPlace, tell: Tell): RefusalContent {
  const content: RefusalContent = { kind: 'refusal', place: partPlace(place), text: '' };
  tell(contentOrder.refusal.opens, { ...content.place, part: writeRefusal(content) });
  return content;
}

export function openSummary(place: ContentPlace, tell: Tell): SummaryContent {
  const content: SummaryContent = { kind: 'summary_text', place: { ...itemPlace(place), summary_index: place.index }, text: '' };
  tell(contentOrder.summary_text.opens, { ...content.place, part: writeSummary(content) });
  return content;
}

/** The arguments or input of a call: no event opens or closes them but those of the item. */
export const openCall = (kind: CallContent['kind'], place: ContentPlace): CallContent => ({ kind, place: itemPlace(place), text: '' });

export function fillContent(content: Exclude<Content, TextContent>, delta: string, tell: Tell): void {
  content.text += delta;
  switch (content.kind) {
    case 'refusal':
      tell(contentOrder.refusal.delta, { ...content.place, delta });
      break;
    case 'summary_text':
      tell(contentOrder.summary_text.delta, { ...content.place, delta });
      break;
    case 'arguments':
      tell(contentOrder.arguments.delta, { ...content.place, delta });
      break;
    case 'input':
      tell(contentOrder.input.delta, { ...content.place, delta });
      break;
  }
}

/** Adds text, with the log probabilities of its tokens. */
export function fillText(content: TextContent, piece: { readonly text: string; readonly logprobs: readonly Logprob[] }, tell: Tell): void {
  const logprobs = piece.logprobs.map(writeLogprob);
  content.text += piece.text;
  content.logprobs.push(...logprobs);
  tell(contentOrder.output_text.delta, { ...content.place, delta: piece.text, logprobs });
}

export function annotateText(content: TextContent, annotation: TextAnnotation, tell: Tell): void {
  const annotation_index = content.annotations.push(annotation) - 1;
  tell(contentOrder.output_text.marks, { ...content.place, annotation_index, annotation });
}

/** `name`: the function's name, when the content is its arguments. */
export function closeContent(content: Content, tell: Tell, name?: string): void {
  const { place, text } = content;
  switch (content.kind) {
    case 'output_text':
      tell(contentOrder.output_text.done, { ...content.place, text, logprobs: [...content.logprobs] });
      tell(contentOrder.output_text.closes, { ...content.place, part: writeText(content) });
      break;
    case 'refusal':
      tell(contentOrder.refusal.done, { ...content.place, refusal: text });
      tell(contentOrder.refusal.closes, { ...content.place, part: writeRefusal(content) });
      break;
    case 'summary_text':
      tell(contentOrder.summary_text.done, { ...content.place, text });
      tell(contentOrder.summary_text.closes, { ...content.place, part: writeSummary(content) });
      break;
    case 'arguments':
      tell(contentOrder.arguments.done, { ...place, ...(name !== undefined && { name }), arguments: text });
      break;
    case 'input':
      tell(contentOrder.input.done, { ...place, input: text });
      break;
  }
}

/** The parts of a message; content of other items is left out. */
export function writeParts(contents: readonly Content[]): MessagePart[] {
  return contents.flatMap((content) => {
    if (content.kind === 'output_text') return [writeText(content)];
    return content.kind === 'refusal' ? [writeRefusal(content)] : [];
  });
}

/** The summary parts of a reasoning item. */
export const writeSummaries = (contents: readonly Content[]): Summary[] =>
  contents.flatMap((content) => (content.kind === 'summary_text' ? [writeSummary(content)] : []));

/** Copies the lists, so that an event that was emitted does not change. */
function writeText({ text, annotations, logprobs }: TextContent): MessagePart {
  return { type: 'output_text', text, annotations: [...annotations], logprobs: [...logprobs] };
}
const writeRefusal = ({ text }: RefusalContent): MessagePart => ({ type: 'refusal', refusal: text });
const writeSummary = ({ text }: SummaryContent): Summary => ({ type: 'summary_text', text });

function writeLogprob({ token, logprob, bytes, top }: Logprob): TokenLogprob {
  const top_logprobs = top.map((other) => ({ token: other.token, logprob: other.logprob, bytes: other.bytes ?? [] }));
  return { token, logprob, bytes: bytes ?? [], top_logprobs };
}

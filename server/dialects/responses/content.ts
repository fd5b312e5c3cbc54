/** One piece of content of a response as it is told: opened, filled by deltas, closed (specification part 6). */
import { type ContentKind, type ContentOrder, contentOrder } from '../../../contract/response-order.ts';
import type { Fields } from '../../../contract/rule.ts';
import type { Logprob } from '../turn.ts';

/** Hands on one event; the teller of the stream numbers it. */
export type Tell = (type: string, fields: Fields) => void;

export interface Content {
  readonly kind: ContentKind;
  /** The fields that every event about it repeats. */
  readonly place: Fields;
  text: string;
  readonly annotations: Fields[];
  readonly logprobs: Fields[];
}

export interface ContentPlace {
  readonly itemId: string;
  readonly outputIndex: number;
  /** Place among the content of its item that is counted with it. */
  readonly index: number;
}

export function openContent(kind: ContentKind, { itemId, outputIndex, index }: ContentPlace, tell: Tell): Content {
  const { counter, opens }: ContentOrder = contentOrder[kind];
  const place = { item_id: itemId, output_index: outputIndex, ...(counter !== null && { [counter]: index }) };
  const content: Content = { kind, place, text: '', annotations: [], logprobs: [] };
  if (opens !== null) tell(opens, { ...place, part: writePart(content) });
  return content;
}

export function fillContent(content: Content, delta: string, tell: Tell): void {
  content.text += delta;
  tell(contentOrder[content.kind].delta, { ...content.place, delta });
}

/** The text of an answer may say how sure the model was of each token. */
export function fillText(content: Content, piece: { readonly text: string; readonly logprobs: readonly Logprob[] }, tell: Tell): void {
  const logprobs = piece.logprobs.map(writeLogprob);
  content.text += piece.text;
  content.logprobs.push(...logprobs);
  tell(contentOrder.output_text.delta, { ...content.place, delta: piece.text, logprobs });
}

export function annotateText(content: Content, annotation: Fields, tell: Tell): void {
  const annotation_index = content.annotations.push(annotation) - 1;
  tell(contentOrder.output_text.marks, { ...content.place, annotation_index, annotation });
}

/** `also`: what the closing event of this kind says besides. */
export function closeContent(content: Content, tell: Tell, also: Fields = {}): void {
  const { done, field, closes }: ContentOrder = contentOrder[content.kind];
  const logprobs = content.kind === 'output_text' ? { logprobs: [...content.logprobs] } : {};
  tell(done, { ...content.place, ...also, [field]: content.text, ...logprobs });
  if (closes !== null) tell(closes, { ...content.place, part: writePart(content) });
}

/** Copies of its lists: an event that has been told does not change any more. */
export function writePart({ kind, text, annotations, logprobs }: Content): Fields {
  const part = { type: kind, [contentOrder[kind].field]: text };
  return kind === 'output_text' ? { ...part, annotations: [...annotations], logprobs: [...logprobs] } : part;
}

function writeLogprob({ token, logprob, bytes, top }: Logprob): Fields {
  const top_logprobs = top.map((other) => ({ token: other.token, logprob: other.logprob, bytes: other.bytes ?? [] }));
  return { token, logprob, bytes: bytes ?? [], top_logprobs };
}

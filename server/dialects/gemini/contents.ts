/** Writes the items of a turn as contents of user and model (request body: `contents`). */
import { isFields } from '../../../contract/rule.ts';
import { readDataUrl } from '../non-openai/data-url.ts';
import { Dialogue, type Speech } from '../non-openai/dialogue.ts';
import { type PlainItem, parseArguments, partPath, textOf } from '../non-openai/items.ts';
import { refuse } from '../non-openai/refusal.ts';
import { unpackReasoning } from '../turn/encrypted-reasoning.ts';
import type { FlatToolNames } from '../turn/tool-names.ts';
import type { CallItem, MessageItem, OutputItem, ReasoningItem, Part as TurnPart } from '../turn/turn.ts';
import type { Work } from '../turn/work-budget.ts';
import { givenId } from './call-ids.ts';
import { isOldModel, type Part, PROVIDER, type Signed, UNSIGNED } from './wire.ts';

interface Called {
  readonly name: string;
  readonly place: number;
}

interface Writer {
  readonly dialogue: Dialogue<Part>;
  readonly names: FlatToolNames;
  readonly work: Work;
  /** By call id: a result has to say which function it is of, and results come in the order of their calls. */
  readonly called: Map<string, Called>;
  /** Result → place of its call among all calls. */
  readonly places: Map<Part, number>;
  /** The signature of the call that comes next. */
  signature: string | null;
}

export interface ContentsOptions {
  readonly names: FlatToolNames;
  readonly model: string;
  /** The caller's name for the list of items. */
  readonly param: string;
  readonly work: Work;
}

export function writeContents(items: readonly PlainItem[], { names, model, param, work }: ContentsOptions) {
  const writer: Writer = { dialogue: new Dialogue(), names, work, called: new Map(), places: new Map(), signature: null };
  for (const item of items) writeItem(item, writer);
  const speeches = writer.dialogue.end(param).map(isOldModel(model) ? (speech) => speech : markUnsigned);
  return speeches.map(({ role, blocks }) => ({ role: role === 'user' ? 'user' : 'model', parts: inOrder(blocks, writer.places) }));
}

/** Without ids, the vendor joins calls and results by their order. Results are ahead of everything else. */
function inOrder(parts: readonly Part[], places: ReadonlyMap<Part, number>): readonly Part[] {
  const placeOf = (part: Part): number => places.get(part) ?? Number.MAX_SAFE_INTEGER;
  return parts.toSorted((one, other) => placeOf(one) - placeOf(other));
}

function writeItem(item: PlainItem, writer: Writer): void {
  if (item.kind === 'reasoning') {
    writeThought(item, writer);
    return;
  }
  if (item.kind === 'message') writer.dialogue.say(item.role === 'assistant' ? 'assistant' : 'user', writeMessage(item));
  else if (item.kind === 'call') writer.dialogue.call(item.callId, writeCall(item, writer));
  else writeOutput(item, writer);
  writer.signature = null;
}

/** Marks the first call of a speech when it has no signature. */
function markUnsigned(speech: Speech<Part>): Speech<Part> {
  const first = speech.blocks.findIndex((part) => part.functionCall !== undefined);
  const call = speech.blocks[first];
  if (call === undefined || call.thoughtSignature !== undefined) return speech;
  return { ...speech, blocks: speech.blocks.with(first, { ...call, thoughtSignature: UNSIGNED }) };
}

function writeMessage(item: MessageItem): readonly Part[] {
  return item.parts.flatMap((part, index) => writePart(part, partPath(item, index)));
}

function writePart(part: TurnPart, path: string): Part[] {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return part.text === '' ? [] : [{ text: part.text }];
    case 'image':
      return [writeInline(part.url, path, 'an image is a base64 data URL')];
    case 'file':
      return [writeInline(part.data, path, 'a file is a base64 data URL')];
    case 'audio':
      return refuse(path, 'audio is not sent to its upstream');
  }
}

function writeInline(url: string | null, path: string, wanted: string): Part {
  const inline = url === null ? null : readDataUrl(url);
  return inline === null ? refuse(path, wanted) : { inlineData: { mimeType: inline.mediaType, data: inline.data } };
}

function writeCall(item: CallItem, { names, work, called, signature }: Writer): Part {
  const name = names.toWire(item.namespace, item.name);
  called.set(item.callId, { name, place: called.size });
  return {
    functionCall: { ...idOf(item.callId), name, args: parseArguments(item, work) },
    ...(signature !== null && { thoughtSignature: signature }),
  };
}

function idOf(callId: string): { readonly id?: string } {
  const id = givenId(callId);
  return id === null ? {} : { id };
}

/** A result holds text; its images and files come after the results. */
function writeOutput(item: OutputItem, { dialogue, called, places }: Writer): void {
  const { callId, path, parts } = item;
  const shown = parts.flatMap((part, index) => (textOf(part) === null ? writePart(part, partPath(item, index)) : []));
  const result = parts.map((part) => textOf(part) ?? '').join('');
  const { name = '', place = 0 } = called.get(callId) ?? {};
  const part: Part = { functionResponse: { ...idOf(callId), name, response: { result } } };
  places.set(part, place);
  dialogue.answer({ callId, path, result: part, companions: shown });
}

/** A signature is sent back on the part that it came with; those of other upstreams are left out. */
function writeThought(item: ReasoningItem, writer: Writer): void {
  const signed = item.encrypted === null ? null : unpackReasoning(PROVIDER, item.encrypted, writer.work.on(item.path));
  if (!isSigned(signed)) return;
  if (signed.on === 'call') writer.signature = signed.signature;
  else if (signed.on === 'text') signText(signed, writer.dialogue);
  else writer.dialogue.think([{ text: item.summary.join(''), thought: true, thoughtSignature: signed.signature }]);
}

const isSigned = (value: unknown): value is Signed =>
  isFields(value) && typeof value.signature === 'string' && typeof value.on === 'string' && typeof value.length === 'number';

/** Only the piece that came with the signature carries it: the text before it is cut there. */
function signText({ signature, length }: Signed, dialogue: Dialogue<Part>): void {
  const last = dialogue.lastSaid;
  if (last === null) return;
  const signed = { text: '', thoughtSignature: signature };
  const text = last.text ?? '';
  if (length === 0) dialogue.say('assistant', [signed]);
  else if (last.thoughtSignature === undefined && text.length >= length) {
    const at = text.length - length;
    dialogue.replaceLast([...(at > 0 ? [{ text: text.slice(0, at) }] : []), { ...signed, text: text.slice(at) }]);
  }
}

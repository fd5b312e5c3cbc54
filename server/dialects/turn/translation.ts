/** Translates between two protocols: the caller's body becomes a turn, the turn becomes the upstream's body; the response comes back as events. */

import { type CallCode, GatewayError, INVALID_JSON } from '../../errors.ts';
import { type Fields, isFields } from '../../primitives/fields.ts';
import type { CallerStreamWriter, StreamReader, WholeAnswer } from '../failure.ts';
import type { Usage } from '../usage.ts';
import type { Hidden, ShownOutput, WrittenStream } from '../visible-output.ts';
import { eventName, frameObject, isDone, NOTHING, Produced, parseAnswer, passEach } from '../wire/frames.ts';
import { type JsonBody, jsonBody } from '../wire/json-body.ts';
import { Work } from './schema.ts';
import type { AnswerHead, CallerDialect, Item, Logprob, Turn, TurnEvent, TurnStreamReader, UpstreamDialect } from './turn.ts';
import { fitForHeader, leftOut } from './unsent-fields.ts';

interface Translation {
  readonly body: JsonBody;
  /** Appended to the upstream's base URL. */
  readonly path: string;
  /** Parts that aren't sent, for the response header and the log: unknown fields, hosted tools, and their calls. */
  readonly ignored: readonly string[];
  readWhole(bytes: Buffer): WholeAnswer;
  readStream(): StreamReader;
}

interface TranslationOptions {
  readonly caller: CallerDialect;
  readonly upstream: UpstreamDialect;
  readonly body: Fields;
  /** The length of the body, which bounds the work of its translation. */
  readonly bytes: number;
  /** The upstream's own ID of the model. */
  readonly model: string;
  readonly head: AnswerHead;
  /** Keeps reasoning for a caller whose protocol has no field for it. Absent if none is kept. */
  readonly thoughts?: Thoughts | undefined;
}

/** The encrypted reasoning of an earlier response, with its summary. */
export interface Thought {
  readonly summary: readonly string[];
  readonly encrypted: string;
}

interface Thoughts {
  /** By the ID of the call that it led to. */
  readonly before: ReadonlyMap<string, readonly Thought[]>;
  /** Gets each event of the response. */
  see(event: TurnEvent): void;
}

/** The turn with the reasoning in its place: before the call that it led to, and before what the assistant said with that call. */
function withThoughts(turn: Turn, before: Thoughts['before']): Turn {
  if (before.size === 0) return turn;
  const items: Item[] = [];
  for (const item of turn.items) {
    const thoughts = item.kind === 'call' ? (before.get(item.callId) ?? []) : [];
    const last = items.at(-1);
    const isSaidWith = thoughts.length > 0 && last?.kind === 'message' && item.path.startsWith(`${last.path}.`);
    const made = thoughts.map((thought) => ({ kind: 'reasoning' as const, content: [], path: item.path, ...thought }));
    items.splice(isSaidWith ? -1 : items.length, 0, ...made);
    items.push(item);
  }
  return { ...turn, items };
}

export function translate({ caller, upstream, body, bytes, model, head, thoughts }: TranslationOptions): Translation {
  const asked = caller.readRequest(body, model);
  const turn = thoughts ? withThoughts(asked, thoughts.before) : asked;
  return {
    body: jsonBody(upstream.writeRequest(turn, new Work(bytes))),
    path: upstream.path(turn),
    ignored: [...leftOut(turn), ...fitForHeader(upstream.leftOut?.(turn) ?? [])],
    readWhole(bytes) {
      const events = upstream.readWhole(parse(bytes), turn);
      if (thoughts) for (const event of events) thoughts.see(event);
      return readWhole(events, caller, head);
    },
    readStream: () => new TranslatedStream(upstream.openStream(turn), caller.openStream(head), thoughts),
  };
}

function readWhole(events: readonly TurnEvent[], caller: CallerDialect, head: AnswerHead): WholeAnswer {
  const answer = caller.writeWhole(events, head);
  // Both types of responses are JSON objects; an interface has no index signature.
  return { bytes: Buffer.from(JSON.stringify(answer)), usage: lastUsage(events), written: answer as object as Fields };
}

const lastUsage = (events: readonly TurnEvent[]): Usage | null =>
  events.reduce<Usage | null>((usage, event) => (event.kind === 'usage' ? event.usage : usage), null);

function parse(bytes: Buffer): Fields {
  try {
    const value = parseAnswer(bytes.toString());
    // Checked right here to be an object and no array.
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  } catch (cause) {
    throw new GatewayError<CallCode>('upstream_error', { message: INVALID_JSON, cause });
  }
  throw new GatewayError<CallCode>('upstream_error', { message: "The upstream returned JSON that isn't an object." });
}

/** An unexpected error in a reader means a response of unknown form: the upstream's fault, not the gateway's. */
const blamedOnUpstream = (failure: GatewayError): GatewayError =>
  failure.code === 'internal_error' ? new GatewayError<CallCode>('upstream_error', { cause: failure.cause }) : failure;

/** Takes frames of the upstream's dialect, returns frames of the caller's. */
class TranslatedStream implements StreamReader {
  readonly #reader: TurnStreamReader;
  readonly #writer: CallerStreamWriter;
  readonly #thoughts: Thoughts | undefined;
  #isDone = false;
  /** Frames written at the upstream's end, kept so that a failure right after them doesn't lose them. */
  #owed: Buffer = NOTHING;
  failure: GatewayError | null = null;
  usage: Usage | null = null;
  hasBegun = false;

  constructor(reader: TurnStreamReader, writer: CallerStreamWriter, thoughts: Thoughts | undefined) {
    this.#reader = reader;
    this.#writer = writer;
    this.#thoughts = thoughts;
  }

  get written(): WrittenStream {
    return this.#writer.written;
  }

  get isComplete(): boolean {
    return (this.#isDone || this.#reader.isComplete) && this.failure === null;
  }

  pass(frames: Buffer): Buffer {
    const { out, failure } = passEach(frames, (frame) =>
      this.failure === null && !this.#reader.isComplete ? this.#passFrame(frame) : NOTHING,
    );
    this.failure ??= failure && blamedOnUpstream(failure);
    return out;
  }

  closing(): Buffer {
    const last = this.#write(this.#reader.end(this.#isDone));
    const end = this.failure ? NOTHING : this.#writer.end();
    this.failure ??= this.#writer.failure ?? null;
    const frames = Buffer.concat([last, end]);
    if (this.failure === null) return frames;
    this.#owed = frames;
    throw this.failure;
  }

  /** A writer that has failed by itself has written its failure: it adds no frames here. */
  failing(error: GatewayError): Buffer {
    return Buffer.concat([this.#owed, this.#writer.write({ kind: 'failed', error }), this.#writer.end()]);
  }

  keepAlive(): Buffer | null {
    const frame = this.failure ? undefined : this.#writer.keepAlive?.();
    return frame && frame.length > 0 ? frame : null;
  }

  /** Usage that came before any output counts only when output followed it, or the failure itself reports usage. */
  #fail(error: GatewayError, events: readonly TurnEvent[]): void {
    this.failure = error;
    if (!this.hasBegun && !events.some(({ kind }) => kind === 'usage')) this.usage = null;
  }

  #passFrame(frame: Buffer): Buffer {
    const data = frameObject(frame);
    if (data === null) {
      this.#isDone ||= isDone(frame);
      return NOTHING;
    }
    return this.#write(this.#reader.read(data, eventName(frame)));
  }

  #write(events: readonly TurnEvent[]): Buffer {
    const out: Buffer[] = [];
    for (const event of events) {
      if (event.kind === 'failed') this.#fail(event.error, events);
      if (this.failure) break;
      if (event.kind === 'usage') this.usage = event.usage;
      this.#thoughts?.see(event);
      this.hasBegun ||= event.kind !== 'start' && event.kind !== 'usage';
      out.push(this.#writer.write(event));
      this.failure = this.#writer.failure ?? null;
    }
    return Buffer.concat(out);
  }
}

export class WrittenOutput implements ShownOutput {
  readonly #hasItems: boolean;
  #text = new Produced();
  #begun = 0;
  #told = 0;
  #encryptedBytes = 0;

  /** `hasItems`: whether the protocol shows reasoning and tool calls as items. */
  constructor(hasItems: boolean) {
    this.#hasItems = hasItems;
  }

  /** Does nothing: the writer has added the text already. */
  see(): void {}

  get text(): Produced {
    return this.#text;
  }

  forgetText(): void {
    this.#text = new Produced();
  }

  /** None: a translated answer holds no calls of hosted tools. */
  get calls(): Readonly<Record<string, number>> | null {
    return this.#hasItems ? {} : null;
  }

  add(text: string): void {
    this.#text.add(text);
  }

  openThought(): void {
    this.#begun += 1;
  }

  /** `encrypted`: the encrypted reasoning, when the caller gets it. */
  closeThought(encrypted: string | undefined): void {
    if (encrypted === undefined) return;
    this.#told += 1;
    this.#encryptedBytes += encrypted.length;
  }

  hidden(areAsked: boolean): Hidden {
    return { isUnbounded: this.#hasItems ? this.#begun > this.#told : areAsked, encryptedBytes: this.#encryptedBytes };
  }
}

/** Empty for a value that isn't an annotation: strict clients would reject the whole event. Chat nests a citation below its type; a turn holds it flat. */
export function readAnnotation(value: unknown): TurnEvent[] {
  if (!isTyped(value)) return [];
  const { url_citation: citation, ...rest } = value;
  return [{ kind: 'annotation', annotation: isFields(citation) ? { ...citation, ...rest } : value }];
}

const isTyped = (value: unknown): value is Typed => isFields(value) && typeof value.type === 'string';
type Typed = Fields & { readonly type: string };

/** Whether a flat citation of a page has every field that chat requires. */
export const isPageCitation = (citation: Fields): citation is PageCitation & Fields =>
  citation.type === 'url_citation' &&
  typeof citation.url === 'string' &&
  typeof citation.title === 'string' &&
  isIndex(citation.start_index) &&
  isIndex(citation.end_index);

interface PageCitation {
  readonly type: string;
  readonly url: string;
  readonly title: string;
  readonly start_index: number;
  readonly end_index: number;
}

const isIndex = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

const isByte = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 255;
const bytesOf = ({ bytes }: Fields) => (Array.isArray(bytes) && bytes.every(isByte) ? bytes : null);

function readToken(value: Fields) {
  return {
    token: typeof value.token === 'string' ? value.token : '',
    logprob: typeof value.logprob === 'number' && Number.isFinite(value.logprob) ? value.logprob : 0,
    bytes: bytesOf(value),
  };
}

/** Null if empty, so that the event omits the field. */
export function readLogprobs(value: unknown): readonly Logprob[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  return value.filter(isFields).map((each) => ({
    ...readToken(each),
    top: Array.isArray(each.top_logprobs) ? each.top_logprobs.filter(isFields).map(readToken) : [],
  }));
}

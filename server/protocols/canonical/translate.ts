/** Translates between two protocols: the caller's body into the upstream's, and the response or stream back. */

import { type CallCode, GatewayError, INVALID_JSON } from '../../primitives/errors.ts';
import { type Fields, isFields } from '../../primitives/fields.ts';
import type { WrittenStream } from '../delivered-output.ts';
import type { CallerDialect, CallerStreamWriter, CanonicalStreamReader, ResponseHead, UpstreamDialect } from '../dialect.ts';
import type { CompleteResponse } from '../relay.ts';
import type { StreamReader } from '../stream-reader.ts';
import type { Usage } from '../usage.ts';
import { hasLongInteger, parseExact } from '../wire/exact-json.ts';
import { isDone, NOTHING, parseFrame, parseResponseJson, readEventName, transformFrames } from '../wire/frames.ts';
import { createJsonBody, type JsonBody } from '../wire/json-body.ts';
import { readJsonOutline } from '../wire/json-outline.ts';
import { toWholeJson } from '../wire/whole-json.ts';
import { applyModelRules } from './apply-model-rules.ts';
import type { CanonicalEvent } from './canonical-events.ts';
import type { CanonicalRequest, Item, ReasoningItem } from './canonical-request.ts';
import { findDroppedParts, toHeaderNames } from './dropped-fields.ts';
import { WorkBudget } from './work-budget.ts';

interface Translation {
  readonly body: JsonBody;
  /** The path to append to the upstream's base URL. */
  readonly path: string;
  /** Parts that aren't sent: unknown fields, hosted tools, and their calls. Reported in the response header and the log. */
  readonly dropped: readonly string[];
  readResponse(bytes: Buffer): CompleteResponse;
  readStream(): StreamReader;
}

interface TranslationOptions {
  readonly caller: CallerDialect;
  readonly upstream: UpstreamDialect;
  readonly body: Fields;
  /** The length of the body in bytes, which bounds the translation work. */
  readonly bytes: number;
  /** The upstream's model ID. */
  readonly model: string;
  readonly head: ResponseHead;
  /** Keeps reasoning for a caller whose protocol has no field for it. Omitted if none is kept. */
  readonly reasoningHistory?: ReasoningHistory | undefined;
}

export interface EncryptedReasoning {
  readonly summary: readonly string[];
  readonly encrypted: string;
  /** Set if the reasoning came after the text of the response. */
  readonly isAfterText?: true;
}

interface ReasoningHistory {
  /** Reasoning by the ID of the call it led to. */
  readonly before: ReadonlyMap<string, readonly EncryptedReasoning[]>;
  /** Receives each event of the response. */
  add(event: CanonicalEvent): void;
}

/** Inserts reasoning before the call it led to, and before or after the assistant's text of the same message. */
function withReasoning(turn: CanonicalRequest, reasoningByCallId: ReasoningHistory['before']): CanonicalRequest {
  if (reasoningByCallId.size === 0) return turn;
  const items: Item[] = [];
  for (const item of turn.items) {
    const reasoning = item.kind === 'call' ? (reasoningByCallId.get(item.callId) ?? []) : [];
    const last = items.at(-1);
    const isPartOfMessage = reasoning.length > 0 && last?.kind === 'message' && item.path.startsWith(`${last.path}.`);
    const createReasoning = (wantsAfterText: boolean): ReasoningItem[] =>
      reasoning
        .filter(({ isAfterText = false }) => isAfterText === wantsAfterText)
        .map(({ summary, encrypted }) => ({ kind: 'reasoning', content: [], path: item.path, summary, encrypted }));
    items.splice(isPartOfMessage ? -1 : items.length, 0, ...createReasoning(false));
    items.push(...createReasoning(true));
    items.push(item);
  }
  return { ...turn, items };
}

/** Fields of both protocols that contain schemas. Other fields are parsed with ordinary numbers. */
const schemaFields = ['tools', 'functions', 'response_format', 'text'];

/** The body's value. In fields with schemas, long integers become objects that JSON.stringify writes unchanged. */
export function readExactSchemas({ value, bytes, places: getLocations }: JsonBody): Fields {
  const names = schemaFields.filter((name) => isFields(value[name]));
  if (names.length === 0) return value;
  const locations = getLocations ? getLocations() : readJsonOutline(bytes).places;
  const exact: Record<string, unknown> = {};
  for (const name of names) {
    const location = locations.get(name);
    const fieldJson = location ? bytes.toString('utf8', location.valueStart, location.end) : '';
    if (hasLongInteger(fieldJson)) exact[name] = parseExact(fieldJson);
  }
  return { ...value, ...exact };
}

export function translate({ caller, upstream, body, bytes, model, head, reasoningHistory }: TranslationOptions): Translation {
  const canonicalRequest = caller.readRequest(body, model);
  const turn = reasoningHistory ? withReasoning(canonicalRequest, reasoningHistory.before) : canonicalRequest;
  const { turn: sentRequest, dropped: unsentFields } = upstream.rules ? applyModelRules(turn, upstream.rules) : { turn, dropped: [] };
  return {
    body: createJsonBody(upstream.writeRequest(sentRequest, new WorkBudget(bytes))),
    path: upstream.getPath(turn),
    dropped: [...findDroppedParts(turn), ...toHeaderNames([...unsentFields, ...(upstream.findDroppedFields?.(sentRequest) ?? [])])],
    readResponse(bytes) {
      const events = upstream.readResponse(parseObject(toWholeJson(bytes)), turn);
      if (reasoningHistory) for (const event of events) reasoningHistory.add(event);
      return readEvents(events, caller, head);
    },
    readStream: () => new TranslatedStream(upstream.openStream(turn), caller.openStream(head), reasoningHistory),
  };
}

function readEvents(events: readonly CanonicalEvent[], caller: CallerDialect, head: ResponseHead): CompleteResponse {
  const response = caller.writeResponse(events, head);
  // Both response types are JSON objects, but an interface has no index signature.
  return { bytes: Buffer.from(JSON.stringify(response)), usage: findLastUsage(events), written: response as object as Fields };
}

const findLastUsage = (events: readonly CanonicalEvent[]): Usage | null =>
  events.reduce<Usage | null>((usage, event) => (event.kind === 'usage' ? event.usage : usage), null);

function parseObject(bytes: Buffer): Fields {
  try {
    const value = parseResponseJson(bytes.toString(), parseExact);
    // The check above guarantees an object that isn't an array.
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  } catch (cause) {
    throw new GatewayError<CallCode>('upstream_error', { message: INVALID_JSON, cause });
  }
  throw new GatewayError<CallCode>('upstream_error', { message: "The upstream returned JSON that isn't an object." });
}

/** An unexpected error in a reader means that the response has an unknown format, which is the upstream's fault, not the gateway's. */
const blameUpstream = (failure: GatewayError): GatewayError =>
  failure.code === 'internal_error' ? new GatewayError<CallCode>('upstream_error', { cause: failure.cause }) : failure;

/** Translates frames from the upstream's dialect to the caller's. */
class TranslatedStream implements StreamReader {
  readonly #reader: CanonicalStreamReader;
  readonly #writer: CallerStreamWriter;
  readonly #reasoningHistory: ReasoningHistory | undefined;
  #hasDoneMarker = false;
  /** Frames written when the upstream closed. They're kept so that a failure immediately after doesn't lose them. */
  #pendingFrames: Buffer = NOTHING;
  failure: GatewayError | null = null;
  usage: Usage | null = null;
  hasBegun = false;

  constructor(reader: CanonicalStreamReader, writer: CallerStreamWriter, reasoningHistory: ReasoningHistory | undefined) {
    this.#reader = reader;
    this.#writer = writer;
    this.#reasoningHistory = reasoningHistory;
  }

  get written(): WrittenStream {
    return this.#writer.written;
  }

  get isComplete(): boolean {
    return (this.#hasDoneMarker || this.#reader.isComplete) && this.failure === null;
  }

  transform(frames: Buffer): Buffer {
    const { out, failure } = transformFrames(frames, (frame) =>
      this.failure === null && !this.#reader.isComplete ? this.#transformFrame(frame) : NOTHING,
    );
    this.failure ??= failure && blameUpstream(failure);
    return out;
  }

  flush(): Buffer {
    const last = this.#write(this.#reader.end(this.#hasDoneMarker));
    const endFrames = this.failure ? NOTHING : this.#writer.end();
    this.failure ??= this.#writer.failure ?? null;
    const frames = Buffer.concat([last, endFrames]);
    if (this.failure === null) return frames;
    this.#pendingFrames = frames;
    throw this.failure;
  }

  /** If the writer itself failed, it has already written its failure and adds no frames here. */
  fail(error: GatewayError): Buffer {
    return Buffer.concat([this.#pendingFrames, this.#writer.write({ kind: 'failed', error }), this.#writer.end()]);
  }

  keepAlive(): Buffer | null {
    const frame = this.failure ? undefined : this.#writer.keepAlive?.();
    return frame && frame.length > 0 ? frame : null;
  }

  /** Usage that came before any output counts only if output followed, or if the failure itself reports usage. */
  #fail(error: GatewayError, events: readonly CanonicalEvent[]): void {
    this.failure = error;
    if (!this.hasBegun && !events.some(({ kind }) => kind === 'usage')) this.usage = null;
  }

  #transformFrame(frame: Buffer): Buffer {
    const data = parseFrame(frame, parseExact);
    if (data === null) {
      this.#hasDoneMarker ||= isDone(frame);
      return NOTHING;
    }
    return this.#write(this.#reader.read(data, readEventName(frame)));
  }

  #write(events: readonly CanonicalEvent[]): Buffer {
    const out: Buffer[] = [];
    for (const event of events) {
      if (event.kind === 'failed') this.#fail(event.error, events);
      if (this.failure) break;
      if (event.kind === 'usage') this.usage = event.usage;
      this.#reasoningHistory?.add(event);
      this.hasBegun ||= event.kind !== 'start' && event.kind !== 'usage';
      out.push(this.#writer.write(event));
      this.failure = this.#writer.failure ?? null;
    }
    return Buffer.concat(out);
  }
}

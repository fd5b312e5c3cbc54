/**
 * A text call in no wire format, and its response as events. The types follow the items of the responses protocol, the richest one.
 * Dialects read a caller's request into a Turn, write a Turn for an upstream, read its response into TurnEvents, and write those for the caller.
 */
import type { ChatCompletion } from '../../../contract/chat/completion.ts';
import type { Response } from '../../../contract/responses.ts';
import type { Exact } from '../../../contract/shared/exact.ts';
import type { GatewayError } from '../../errors.ts';
import type { Usage } from '../usage.ts';
import type { WrittenStream } from '../visible-output.ts';
import type { Work } from './schema.ts';

type Role = 'system' | 'developer' | 'user' | 'assistant';
type Json = unknown;

/** A mark of the caller for the prompt cache: a breakpoint of OpenAI, or the mark of Anthropic, which many clients write into chat. */
export interface CacheMark {
  /** How long it is kept after its last use. Null: as the request says. */
  readonly retention: '5m' | '1h' | null;
  /** As the caller wrote it, for upstreams of OpenAI; absent for the mark of Anthropic. */
  readonly breakpoint?: Readonly<Record<string, Json>>;
}

/** Set where the caller marks the end of a cached part of the prompt. */
interface Markable {
  readonly cacheMark?: CacheMark;
}

export interface TextPart extends Markable {
  readonly kind: 'text';
  readonly text: string;
}
export interface RefusalPart extends Markable {
  readonly kind: 'refusal';
  readonly text: string;
}
/** `url` is a data URL or an address that only the upstream may fetch. */
export interface ImagePart extends Markable {
  readonly kind: 'image';
  readonly url: string | null;
  readonly fileId: string | null;
  readonly detail: 'auto' | 'low' | 'high' | 'original' | null;
}
export interface FilePart extends Markable {
  readonly kind: 'file';
  readonly filename: string | null;
  /** A data URL. */
  readonly data: string | null;
  readonly url: string | null;
  readonly fileId: string | null;
}
export interface AudioPart extends Markable {
  readonly kind: 'audio';
  readonly data: string;
  readonly format: 'wav' | 'mp3';
}
export type Part = TextPart | RefusalPart | ImagePart | FilePart | AudioPart;

interface Located {
  /** Its path in the caller's request (`messages[2]`, `input[4]`), for errors. */
  readonly path: string;
}

export interface MessageItem extends Located {
  readonly kind: 'message';
  readonly role: Role;
  readonly parts: readonly Part[];
  readonly phase: 'commentary' | 'final_answer' | null;
  readonly name: string | null;
}
/** A call that the model made. `arguments` is JSON text for a function, free text for a custom tool. */
export interface CallItem extends Located {
  readonly kind: 'call';
  readonly form: 'function' | 'custom';
  readonly callId: string;
  readonly name: string;
  readonly namespace: string | null;
  readonly arguments: string;
}
/** The result of a call. */
export interface OutputItem extends Located {
  readonly kind: 'output';
  readonly form: 'function' | 'custom';
  readonly callId: string;
  readonly parts: readonly Part[];
}
/** Reasoning of an earlier response. `encrypted`: the encrypted form, which only the upstream that made it can read. */
export interface ReasoningItem extends Located {
  readonly kind: 'reasoning';
  readonly summary: readonly string[];
  readonly content: readonly string[];
  readonly encrypted: string | null;
}
/** An item that only the responses protocol has, unchanged. */
export interface ResponsesOnlyItem extends Located {
  readonly kind: 'foreign';
  readonly type: string;
  readonly value: Readonly<Record<string, Json>>;
}
export type Item = MessageItem | CallItem | OutputItem | ReasoningItem | ResponsesOnlyItem;

export interface FunctionTool extends Located, Markable {
  readonly kind: 'function';
  readonly name: string;
  /** The tool's namespace; null if it has none. */
  readonly namespace: string | null;
  readonly description: string | null;
  /** JSON schema; null: no arguments. */
  readonly parameters: Readonly<Record<string, Json>> | null;
  /** Absent means false on chat; on responses it is null, and the upstream decides. */
  readonly strict: boolean | null;
}
export interface CustomTool extends Located, Markable {
  readonly kind: 'custom';
  readonly name: string;
  readonly namespace: string | null;
  readonly description: string | null;
  readonly grammar: { readonly syntax: 'lark' | 'regex'; readonly definition: string } | null;
}
/** A tool that the upstream runs; `type` is its type on responses. */
export interface HostedTool extends Located {
  readonly kind: 'hosted';
  readonly type: string;
  readonly value: Readonly<Record<string, Json>>;
}
export type Tool = FunctionTool | CustomTool | HostedTool;

export interface ToolName {
  readonly form: 'function' | 'custom';
  readonly name: string;
  /** Absent when the caller named none: it means the tool outside of all namespaces, or else the only one of that name. */
  readonly namespace?: string;
}
export type ToolChoice =
  | { readonly kind: 'auto' }
  | { readonly kind: 'none' }
  | { readonly kind: 'required' }
  | { readonly kind: 'tool'; readonly tool: ToolName }
  | { readonly kind: 'hosted'; readonly value: Readonly<Record<string, Json>> }
  | { readonly kind: 'allowed'; readonly mode: 'auto' | 'required'; readonly tools: readonly ToolName[] };

export type Format =
  | { readonly kind: 'text' }
  | { readonly kind: 'json' }
  | {
      readonly kind: 'schema';
      readonly name: string;
      readonly description: string | null;
      readonly schema: Readonly<Record<string, Json>>;
      readonly strict: boolean | null;
    };

export type Effort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max';

/** Settings of sampling and length; null: the model's default. */
export interface Settings {
  readonly maxOutputTokens: number | null;
  readonly temperature: number | null;
  readonly topP: number | null;
  readonly stop: readonly string[];
  readonly n: number | null;
  readonly seed: number | null;
  readonly presencePenalty: number | null;
  readonly frequencyPenalty: number | null;
  readonly logitBias: Readonly<Record<string, number>> | null;
  /** Null: no log probabilities. 0: those of the chosen tokens only. */
  readonly topLogprobs: number | null;
}

export interface Turn {
  /** The caller's operation; errors use its field names. */
  readonly caller: 'chat' | 'responses';
  /** The upstream's own ID of the model. */
  readonly model: string;
  readonly stream: boolean;
  /** `instructions` of a responses call. A system message of chat is an item. */
  readonly instructions: string | null;
  readonly items: readonly Item[];
  /** A flat list: each tool holds its namespace. */
  readonly tools: readonly Tool[];
  /** Null if the caller set none. */
  readonly toolChoice: ToolChoice | null;
  readonly parallelToolCalls: boolean | null;
  readonly format: Format;
  readonly settings: Settings;
  readonly effort: Effort | null;
  readonly reasoningSummary: 'auto' | 'concise' | 'detailed' | null;
  readonly verbosity: 'low' | 'medium' | 'high' | null;
  /** Fields that can't change the response (cache keys, tier, user, metadata, …), by the name that both OpenAI protocols share. */
  readonly hints: Readonly<Record<string, Json>>;
  /** Fields that change the response and that a turn has no field for (`prediction`, `audio`, `web_search_options`, `max_tool_calls`, …): name → value. */
  readonly extras: Readonly<Record<string, Json>>;
  /** Top-level fields that no text operation has: they are omitted and reported. */
  readonly unknown: readonly string[];
}

export interface Logprob {
  readonly token: string;
  readonly logprob: number;
  readonly bytes: readonly number[] | null;
  readonly top: readonly { readonly token: string; readonly logprob: number; readonly bytes: readonly number[] | null }[];
}

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter';

/**
 * The events of a response, in order. Consecutive deltas of one kind belong to one item; `call` opens a call and `arguments` fill the call of
 * that `index` (0, 1, 2, … in order of opening). Another item ends the one before it: `arguments` fill only the last item, and a reader whose
 * upstream interleaves calls sorts their pieces. After `finish` only `usage` may come; the last usage counts.
 * `failed` ends a stream at any place. A stream that ends with neither `finish` nor `failed` was cut.
 */
export type TurnEvent =
  | { readonly kind: 'start' }
  /** Text of a reasoning summary; another `part` begins a new paragraph. */
  | { readonly kind: 'reasoning'; readonly part: number; readonly text: string }
  /** Ends the reasoning before it, with its encrypted form (see `encrypted`). May come without any text. */
  | { readonly kind: 'encrypted'; readonly encrypted: string }
  | { readonly kind: 'text'; readonly text: string; readonly logprobs?: readonly Logprob[] }
  | { readonly kind: 'annotation'; readonly annotation: Readonly<Record<string, Json>> & { readonly type: string } }
  | { readonly kind: 'refusal'; readonly text: string }
  | {
      readonly kind: 'call';
      readonly index: number;
      readonly form: 'function' | 'custom';
      readonly callId: string;
      readonly name: string;
      readonly namespace: string | null;
    }
  | { readonly kind: 'arguments'; readonly index: number; readonly text: string }
  | { readonly kind: 'usage'; readonly usage: Usage }
  | { readonly kind: 'finish'; readonly reason: FinishReason }
  | { readonly kind: 'failed'; readonly error: GatewayError };

/** Writes a turn as an upstream's request body, and reads its answers as events. One for each upstream protocol. */
export interface UpstreamDialect {
  /** The path, appended to the upstream's base URL. */
  path(turn: Turn): string;
  /** Throws `unsupported_parameter` with the caller's path of a field that it can't express. `work` bounds the work for the whole request. */
  writeRequest(turn: Turn, work?: Work): Readonly<Record<string, Json>>;
  /** Fields that aren't sent to this model although other models of the protocol get them, by the caller's names. Defaults to none. */
  leftOut?(turn: Turn): readonly string[];
  /** Reads a complete response. Throws upstream_error when it isn't one. */
  readWhole(answer: Readonly<Record<string, Json>>, turn: Turn): TurnEvent[];
  /** Opens a reader for one stream. */
  openStream(turn: Turn): TurnStreamReader;
}

export interface TurnStreamReader {
  /** Takes the JSON of one frame; `name` is its event name, or null. A failure inside the stream is a `failed` event. */
  read(data: Readonly<Record<string, Json>>, name: string | null): TurnEvent[];
  /** The events that are left when the upstream has ended; a `failed` event when the response was cut. `isMarked`: the upstream has sent `[DONE]`. */
  end(isMarked?: boolean): TurnEvent[];
  /** True after the last event: later frames are ignored. */
  readonly isComplete: boolean;
}

/** The data that a caller's response holds alongside its events. */
export interface AnswerHead {
  /** `chatcmpl-…` or `resp_…`, one for the complete response. */
  readonly id: string;
  /** Seconds since 1970. */
  readonly createdAt: number;
  /** The ID of the model that the caller asked for. */
  readonly model: string;
  /** The caller's body, whose fields are echoed. */
  readonly request: Readonly<Record<string, Json>>;
  /** Makes IDs for items: `newId('msg')` → `msg_…`. It is passed in, since dialects have no randomness. */
  readonly newId: (prefix: string) => string;
  /** The time now in seconds since 1970, for `completed_at`. */
  readonly now: () => number;
}

/** Writes a caller's response from events. One for each protocol that callers speak. */
export interface CallerDialect<Answer extends object = Exact<ChatCompletion> | Exact<Response>> {
  readRequest(body: Readonly<Record<string, Json>>, model: string): Turn;
  /** Writes the complete response. Throws the error of a `failed` event, and upstream_error when the events end without `finish`. */
  writeWhole(events: readonly TurnEvent[], head: AnswerHead): Answer;
  openStream(head: AnswerHead): TurnStreamWriter;
}

export interface TurnStreamWriter {
  /** The complete frames for one event; may be empty. */
  write(event: TurnEvent): Buffer;
  /** The frames that end the stream after the last event; a cut answer ends as a failure. */
  end(): Buffer;
  readonly written: WrittenStream;
}

const PREFIX = 'call_';
const isNeutral = /^call[_-]/;
/** Prefixes that would show the provider. */
const providerPrefix = /^(?:toolu|tooluse|fc|ctc)_/;

/** Deterministic, so that whole and streamed responses agree; an empty ID stays empty. */
export function callIdFor(id: string): string {
  return id === '' || isNeutral.test(id) ? id : PREFIX + id.replace(providerPrefix, '');
}

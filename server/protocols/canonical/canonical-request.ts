/** A text request in canonical form, between the protocols of the caller and the upstream. */
import type { Effort } from '../../config/model-rules.ts';

type Role = 'system' | 'developer' | 'user' | 'assistant';
export type Json = unknown;

/** A caller's prompt cache mark: an OpenAI breakpoint, or an Anthropic mark, which many clients also send in chat requests. */
export interface CacheMark {
  /** How long the cache is kept after its last use. Null if the request's own setting applies. */
  readonly retention: '5m' | '1h' | null;
  /** The original breakpoint, for OpenAI upstreams. Omitted for an Anthropic mark. */
  readonly breakpoint?: Readonly<Record<string, Json>>;
}

/** Set if the caller marks the end of a cached part of the prompt. */
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
/** `url` is a data URL or a URL that only the upstream may fetch. */
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
  /** The path in the caller's request (`messages[2]`, `input[4]`), for errors. */
  readonly path: string;
}

export interface MessageItem extends Located {
  readonly kind: 'message';
  readonly role: Role;
  readonly parts: readonly Part[];
  readonly phase: 'commentary' | 'final_answer' | null;
  readonly name: string | null;
}
/** A call from the model. `arguments` is JSON text for a function, free text for a custom tool. */
export interface CallItem extends Located {
  readonly kind: 'call';
  readonly form: 'function' | 'custom';
  readonly callId: string;
  readonly name: string;
  readonly namespace: string | null;
  readonly arguments: string;
}
export interface OutputItem extends Located {
  readonly kind: 'output';
  readonly form: 'function' | 'custom';
  readonly callId: string;
  readonly parts: readonly Part[];
}
/** Reasoning of an earlier response. Only the upstream that created `encrypted` can read it. */
export interface ReasoningItem extends Located {
  readonly kind: 'reasoning';
  readonly summary: readonly string[];
  readonly content: readonly string[];
  readonly encrypted: string | null;
}
/** An unchanged item that only the Responses protocol has. */
export interface ResponsesOnlyItem extends Located {
  readonly kind: 'foreign';
  readonly type: string;
  readonly value: Readonly<Record<string, Json>>;
}
export type Item = MessageItem | CallItem | OutputItem | ReasoningItem | ResponsesOnlyItem;

export interface FunctionTool extends Located, Markable {
  readonly kind: 'function';
  readonly name: string;
  /** Null if the tool has no namespace. */
  readonly namespace: string | null;
  readonly description: string | null;
  /** JSON schema. Null if the function has no arguments. */
  readonly parameters: Readonly<Record<string, Json>> | null;
  /** Null if the caller doesn't set it on Responses, so that the upstream decides. Chat defaults to false. */
  readonly strict: boolean | null;
}
export interface CustomTool extends Located, Markable {
  readonly kind: 'custom';
  readonly name: string;
  readonly namespace: string | null;
  readonly description: string | null;
  readonly grammar: { readonly syntax: 'lark' | 'regex'; readonly definition: string } | null;
}
/** A hosted tool. `type` is its type in the Responses protocol. */
export interface HostedTool extends Located {
  readonly kind: 'hosted';
  readonly type: string;
  readonly value: Readonly<Record<string, Json>>;
}
export type Tool = FunctionTool | CustomTool | HostedTool;

export interface ToolName {
  readonly form: 'function' | 'custom';
  readonly name: string;
  /** Omitted if the caller names none. The choice then means the tool without a namespace, or else the only tool with that name. */
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

export type { Effort };

/** Sampling and length settings. Null if the model's default applies. */
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
  /** Null for no log probabilities, 0 for the chosen tokens only. */
  readonly topLogprobs: number | null;
}

export interface CanonicalRequest {
  /** The caller's protocol. Errors use its field names. */
  readonly caller: 'chat' | 'responses';
  /** The upstream's model ID. */
  readonly model: string;
  readonly stream: boolean;
  /** `instructions` of a Responses call. Chat's system messages are items instead. */
  readonly instructions: string | null;
  readonly items: readonly Item[];
  /** A flat list. Each tool has its own namespace field. */
  readonly tools: readonly Tool[];
  /** Null if the caller doesn't set it. */
  readonly toolChoice: ToolChoice | null;
  readonly parallelToolCalls: boolean | null;
  readonly format: Format;
  readonly settings: Settings;
  readonly effort: Effort | null;
  readonly reasoningSummary: 'auto' | 'concise' | 'detailed' | null;
  readonly verbosity: 'low' | 'medium' | 'high' | null;
  /** Fields that don't change the response (cache keys, tier, user, metadata, …), by the name that both OpenAI protocols share. */
  readonly hints: Readonly<Record<string, Json>>;
  /** Fields that change the response but have no own field here (`prediction`, `audio`, `web_search_options`, `max_tool_calls`, …): name → value. */
  readonly extras: Readonly<Record<string, Json>>;
  /** Top-level fields that no text operation has. They're omitted and reported. */
  readonly unknown: readonly string[];
}

/** Types of the bodies of the Messages protocol, as far as this gateway reads or writes them. */
import type { Fields } from '../../primitives/fields.ts';

/** The tag for packed encrypted reasoning. */
export const PROVIDER = 'anthropic';

/** An alias, because an interface isn't assignable to the JSON object that a dialect writes. */
export type AnthropicRequest = {
  readonly model: string;
  readonly max_tokens: number;
  readonly system?: string | readonly TextBlockParam[];
  readonly messages: readonly MessageParam[];
  readonly tools?: readonly Tool[];
  readonly tool_choice?: ToolChoice;
  readonly temperature?: number;
  readonly top_p?: number;
  readonly stop_sequences?: readonly string[];
  readonly thinking?: ThinkingConfig;
  readonly output_config?: OutputConfig;
  readonly stream?: true;
};

interface MessageParam {
  readonly role: 'user' | 'assistant';
  readonly content: readonly ContentBlockParam[];
}

/** A block of a request. Anthropic doesn't allow cache marks on reasoning. */
export type ContentBlockParam = ReasoningBlock | (Cacheable & (ToolResultContentBlock | ToolUseBlock | ToolResultBlock));

export type TextBlockParam = Cacheable & TextBlock;

/** Ends a cached part of the prompt if it has a mark. */
export interface Cacheable {
  readonly cache_control?: CacheControl;
}

export interface CacheControl {
  readonly type: 'ephemeral';
  /** Five minutes if omitted. */
  readonly ttl?: '1h';
}

/** The blocks that both a message and a tool result can contain. */
export type ToolResultContentBlock = TextBlock | ImageBlock | DocumentBlock;

interface TextBlock {
  readonly type: 'text';
  readonly text: string;
}

interface ImageBlock {
  readonly type: 'image';
  readonly source: Base64Source | UrlSource;
}

export interface DocumentBlock {
  readonly type: 'document';
  readonly source: Base64Source | UrlSource | PlainTextSource;
  readonly title?: string;
}

export interface Base64Source {
  readonly type: 'base64';
  readonly media_type: string;
  readonly data: string;
}

interface UrlSource {
  readonly type: 'url';
  readonly url: string;
}

interface PlainTextSource {
  readonly type: 'text';
  readonly media_type: 'text/plain';
  readonly data: string;
}

export interface ToolUseBlock {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: Fields;
}

interface ToolResultBlock {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content?: string | readonly ToolResultContentBlock[];
}

export type ReasoningBlock = ThinkingBlock | RedactedThinkingBlock;

export interface ThinkingBlock {
  readonly type: 'thinking';
  readonly thinking: string;
  readonly signature: string;
}

interface RedactedThinkingBlock {
  readonly type: 'redacted_thinking';
  readonly data: string;
}

export interface Tool extends Cacheable {
  readonly name: string;
  readonly description?: string;
  /** A JSON schema. */
  readonly input_schema: Fields;
  readonly strict?: true;
}

export type ToolChoice =
  | { readonly type: 'none' }
  | { readonly type: 'auto' | 'any'; readonly disable_parallel_tool_use?: boolean }
  | { readonly type: 'tool'; readonly name: string; readonly disable_parallel_tool_use?: boolean };

type ThinkingConfig =
  | { readonly type: 'disabled' | 'between_tools' }
  | { readonly type: 'adaptive'; readonly display?: 'summarized' }
  | { readonly type: 'enabled'; readonly budget_tokens: number };

export interface OutputConfig {
  readonly effort?: 'low' | 'medium' | 'high' | 'xhigh' | 'max';
  readonly format?: { readonly type: 'json_schema'; readonly schema: Fields };
}

/** A complete response. */
export interface Message {
  readonly content: readonly ContentBlock[];
  readonly stop_reason: StopReason;
  readonly usage: MessageUsage;
}

export type ContentBlock = TextBlock | ToolUseBlock | ReasoningBlock;

export type StopReason =
  | 'end_turn'
  | 'stop_sequence'
  | 'tool_use'
  | 'max_tokens'
  | 'model_context_window_exceeded'
  | 'refusal'
  | 'pause_turn';

/** `input_tokens` excludes cache reads and writes. */
export interface MessageUsage {
  readonly input_tokens: number;
  readonly cache_read_input_tokens: number | null;
  readonly cache_creation_input_tokens: number | null;
  readonly cache_creation: CacheCreation | null;
  readonly output_tokens: number;
  readonly output_tokens_details?: OutputTokensDetails | null;
  readonly service_tier: string | null;
}

export interface CacheCreation {
  readonly ephemeral_1h_input_tokens: number;
}

/** The reasoning tokens, by either name. */
export interface OutputTokensDetails {
  readonly thinking_tokens?: number;
  readonly reasoning_tokens?: number;
}

/** An event of a stream. */
export type MessageStreamEvent =
  | { readonly type: 'message_start'; readonly message: Message }
  | ContentBlockStartEvent
  | ContentBlockDeltaEvent
  | ContentBlockStopEvent
  | MessageDeltaEvent
  | { readonly type: 'message_stop' }
  | ErrorResponse;

/** `index` counts blocks of every type. */
export interface ContentBlockStartEvent {
  readonly type: 'content_block_start';
  readonly index: number;
  readonly content_block: ContentBlock;
}

export interface ContentBlockDeltaEvent {
  readonly type: 'content_block_delta';
  readonly index: number;
  readonly delta: ContentBlockDelta;
}

export type ContentBlockDelta =
  | { readonly type: 'text_delta'; readonly text: string }
  | { readonly type: 'input_json_delta'; readonly partial_json: string }
  | { readonly type: 'thinking_delta'; readonly thinking: string }
  | { readonly type: 'signature_delta'; readonly signature: string };

export interface ContentBlockStopEvent {
  readonly type: 'content_block_stop';
  readonly index: number;
}

export interface MessageDeltaEvent {
  readonly type: 'message_delta';
  readonly delta: Pick<Message, 'stop_reason'>;
  /** The counts of the stream so far. */
  readonly usage: MessageUsage;
}

/** The body of a failed request, and the event of a stream that fails. */
export interface ErrorResponse {
  readonly type: 'error';
  readonly error: { readonly type: ErrorType; readonly message: string };
}

export type ErrorType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'billing_error'
  | 'permission_error'
  | 'not_found_error'
  | 'request_too_large'
  | 'rate_limit_error'
  | 'api_error'
  | 'timeout_error'
  | 'overloaded_error';
